#include "reports/suggest_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/diff_pairs.h"
#include "reports/rollup.h"

namespace assay {

namespace {

std::string_view file_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

/// A fan-out names its kernels after the section, with the dtype behind.
bool has_name_of(const KernelRecord& kernel, const fkc::KernelContract& contract) {
  if (kernel.kernel == contract.kernel) return true;
  const std::vector<fkc::Binding> bindings = contract.bindings();
  return std::any_of(bindings.begin(), bindings.end(),
                     [&](const fkc::Binding& binding) { return binding.kernel == kernel.kernel; });
}

}  // namespace

SectionEvidence::SectionEvidence(const fkc::KernelContract& contract, const RunRecord& record)
    : contract_(contract) {
  std::string other_file;
  for (const KernelRecord& kernel : record.kernels) {
    if (!has_name_of(kernel, contract)) continue;
    in_record_ = true;
    // The way to the document may be another one than the audit had.
    if (file_name(kernel.file) == file_name(contract.file)) {
      kernels_.push_back(&kernel);
    } else {
      other_file = kernel.file;
    }
  }
  const std::string missing = missing_kernel();
  if (!in_record_) {
    obstacle_ = "the report has no kernel of this name";
  } else if (kernels_.empty()) {
    obstacle_ = "the report's kernel of this name is of another document: " + other_file;
  } else if (!missing.empty()) {
    obstacle_ = "the report has nothing of " + missing + ", for which the section speaks too";
  } else if (!record.run.complete) {
    obstacle_ = "the run did not come to its end: " + record.run.incomplete;
  }
  for (const KernelRecord* kernel : kernels_) {
    if (obstacle_.empty()) obstacle_ = difference(*kernel);
  }
}

std::string SectionEvidence::missing_kernel() const {
  const auto is_there = [&](const std::string& name) {
    return std::ranges::any_of(kernels_, [&](const KernelRecord* k) { return k->kernel == name; });
  };
  if (is_there(contract_.kernel)) return "";
  for (const fkc::Binding& binding : contract_.bindings()) {
    if (!is_there(binding.kernel)) return binding.kernel;
  }
  return "";
}

std::string SectionEvidence::difference(const KernelRecord& kernel) const {
  if (was_not_run(kernel)) return "it was not run: " + not_run_reason(kernel);
  constexpr const char* kChanged =
      "the report is of another revision of this section: audit it again";
  if (kernel.revision_hash != contract_.revision_hash) return kChanged;
  // The hash does not cover what is said outside of the format's own fields.
  for (const VariantRecord& variant : kernel.variants) {
    for (const ClaimRow& one : kClaims) {
      const ClaimRecord* record = find_claim(variant, one.id);
      const Claim* claim = contract_.claim(one.kind);
      const Claim* disputed = contract_.disputed_claim(one.kind);
      if (claim == nullptr) claim = disputed;
      const std::string& declared = claim == nullptr ? std::string() : claim->declared;
      const bool missing = claim != nullptr && record == nullptr && disputed == nullptr;
      if (missing || (record != nullptr && record->declared != declared)) return kChanged;
    }
  }
  return "";
}

std::optional<ClaimEvidence> SectionEvidence::of(ClaimKind kind) const {
  ClaimEvidence evidence;
  for (const KernelRecord* kernel : kernels_) {
    for (const VariantRecord& variant : kernel->variants) {
      const ClaimRecord* record = find_claim(variant, row(kind).id);
      if (record == nullptr) return std::nullopt;
      const std::string name =
          kernels_.size() > 1 ? kernel->kernel + " " + variant.name : variant.name;
      const bool weaker = evidence.records.empty() || record->strength < evidence.strength;
      if (weaker) evidence.space = record->space;
      evidence.records.push_back(record);
      evidence.variants.push_back(name);
      evidence.strength = std::min(evidence.strength, record->strength);
      evidence.probes = std::min(evidence.probes, record->probes);
      evidence.violations = std::max(evidence.violations, record->violations);
      evidence.refuted = evidence.refuted || record->verdict == Verdict::kRefuted;
      const bool open =
          record->verdict == Verdict::kUndecided || record->verdict == Verdict::kError;
      if (open && evidence.open.empty()) {
        evidence.open = fmt::format("{} on {}: {}", to_string(record->verdict), name, record->why);
      }
    }
  }
  return evidence;
}

std::string SectionEvidence::not_a_distance() const {
  constexpr std::array kSpecial = {ClaimKind::kNan, ClaimKind::kInfinity, ClaimKind::kOverflow};
  for (const KernelRecord* kernel : kernels_) {
    for (const VariantRecord& variant : kernel->variants) {
      for (const ClaimKind kind : kSpecial) {
        const ClaimRecord* record = find_claim(variant, row(kind).id);
        if (record != nullptr && record->violations > 0) {
          return fmt::format("{} of {} has violations", row(kind).id, variant.name);
        }
      }
      const ClaimRecord* rounding = find_claim(variant, row(ClaimKind::kRounding).id);
      if (rounding == nullptr) return "it is not known where results are NaN";
      // Every finite result due is in the histogram, unless it was a NaN.
      std::uint64_t counted = 0;
      for (const HistogramRow& one : rounding->measured.histogram) counted += one.count;
      if (counted != rounding->probes) {
        return fmt::format("not all results of {} are numbers", variant.name);
      }
    }
  }
  return "";
}

}  // namespace assay
