#include "reports/rollup.h"

#include <algorithm>
#include <array>

namespace assay {

Summary summary_of(const VariantRecord& variant) {
  Summary sum;
  sum.probes = variant.probes;
  for (const ClaimRecord& claim : variant.claims) {
    switch (claim.verdict) {
      case Verdict::kUpheld:
        ++sum.upheld;
        break;
      case Verdict::kRefuted:
        ++sum.refuted;
        break;
      case Verdict::kUnclaimed:
        ++sum.unclaimed;
        break;
      case Verdict::kUndecided:
        ++sum.undecided;
        break;
      case Verdict::kError:
        ++sum.error;
        break;
    }
  }
  return sum;
}

Summary summary_of(const KernelRecord& kernel) {
  Summary sum;
  for (const VariantRecord& variant : kernel.variants) sum += summary_of(variant);
  return sum;
}

Summary summary_of(std::span<const KernelRecord* const> kernels) {
  Summary sum;
  for (const KernelRecord* kernel : kernels) sum += summary_of(*kernel);
  return sum;
}

bool was_not_run(const KernelRecord& kernel) {
  return !kernel.not_run.empty() || kernel.variants.empty();
}

std::string not_run_reason(const KernelRecord& kernel) {
  return kernel.not_run.empty() ? "no reason recorded" : kernel.not_run;
}

std::uint64_t count_not_run(std::span<const KernelRecord* const> kernels) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      kernels, [](const KernelRecord* kernel) { return was_not_run(*kernel); }));
}

bool is_open(const RunInfo& run, const KernelRecord& kernel, const ClaimRecord& claim) {
  if (claim.verdict == Verdict::kError) return true;
  if (claim.verdict != Verdict::kUndecided) return false;
  const bool some_left_out = kernel.variants.size() == 1 || !run.variants.empty();
  return claim.id != row(ClaimKind::kBitwise).id || !some_left_out;
}

int exit_status(const RunRecord& record) {
  if (record.summary().refuted > 0) return 1;
  const auto is_unfinished = [&](const KernelRecord& kernel) {
    const auto has_open = [&](const VariantRecord& variant) {
      return std::ranges::any_of(variant.claims, [&](const ClaimRecord& claim) {
        return is_open(record.run, kernel, claim);
      });
    };
    return was_not_run(kernel) || std::ranges::any_of(kernel.variants, has_open);
  };
  return !record.run.complete || std::ranges::any_of(record.kernels, is_unfinished) ? 3 : 0;
}

Summary& operator+=(Summary& total, const Summary& part) {
  total.upheld += part.upheld;
  total.refuted += part.refuted;
  total.unclaimed += part.unclaimed;
  total.undecided += part.undecided;
  total.error += part.error;
  total.probes += part.probes;
  return total;
}

bool is_numeric_claim(std::string_view id) {
  constexpr std::array<std::string_view, 6> kIds = {"rounding",        "domain_exact",
                                                    "accumulator",     "error_bound",
                                                    "padding_skipped", "selection_exact"};
  return std::ranges::find(kIds, id) != kIds.end() || id.starts_with("precision.");
}

std::optional<Strength> weakest_numeric_strength(std::span<const VariantRecord> variants) {
  std::optional<Strength> weakest;
  for (const VariantRecord& variant : variants) {
    for (const ClaimRecord& claim : variant.claims) {
      if (claim.verdict != Verdict::kUpheld || !is_numeric_claim(claim.id)) continue;
      if (!weakest || claim.strength < *weakest) weakest = claim.strength;
    }
  }
  return weakest;
}

double cpu_seconds(const KernelRecord& kernel) {
  double seconds = 0;
  for (const VariantRecord& variant : kernel.variants) seconds += variant.seconds;
  return seconds;
}

std::string_view verdict_word(Verdict verdict) {
  constexpr std::array<std::string_view, 5> words = {"upheld", "REFUTED", "unclaimed", "UNDECIDED",
                                                     "ERROR"};
  return words[static_cast<std::size_t>(verdict)];
}

std::string_view short_strength(Strength strength) {
  constexpr std::array<std::string_view, 4> words = {"none", "sampled", "boundary", "exhaustive"};
  return words[static_cast<std::size_t>(strength)];
}

std::string_view strength_meaning(Strength strength) {
  constexpr std::array<std::string_view, 4> meanings = {
      "nothing was tested", "a seeded sample of the inputs was tested",
      "every rounding boundary of the output format that the inputs reach was tested, on it and on "
      "both sides, with every special value",
      "every bit pattern of the inputs was tested"};
  return meanings[static_cast<std::size_t>(strength)];
}

}  // namespace assay
