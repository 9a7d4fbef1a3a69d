// Which spaces a kernel is probed with at each effort.
#include <algorithm>
#include <array>

#include "audit/job.h"

namespace assay {

namespace {

/// Sizes by effort: quick, standard, exhaustive.
template <typename T>
T by_effort(Effort effort, const std::array<T, 3>& sizes) {
  return sizes[static_cast<std::size_t>(effort)];
}

/// Boundaries of each exponent that are probed. Destinations of 16 bits have few enough to take
/// all.
std::uint64_t boundaries_per_exponent(const oracle::CastOperation& operation, Effort effort) {
  if (traits(operation.to).width == 16) return kAllBoundaries;
  if (traits(operation.from).width <= 32) {
    return by_effort<std::uint64_t>(effort, {4096, 65536, 65536});  // at the most effort, exhausted
  }
  return traits(operation.to).is_floating()
             ? by_effort<std::uint64_t>(effort, {64, 2048, kAllBoundaries})
             : by_effort<std::uint64_t>(effort, {1024, 32768, kAllBoundaries});
}

/// 2^32 boundaries, each with some 30 sticky bits in two signs, would take minutes for each
/// variant. With the bits in turn every exponent has each of them some hundred thousand times.
Sticky sticky_bits(const oracle::CastOperation& operation, std::uint64_t per_exponent) {
  const bool too_many = per_exponent == kAllBoundaries && traits(operation.to).width == 32;
  return too_many ? Sticky::kInTurn : Sticky::kAll;
}

}  // namespace

void plan(Job& job, const AuditOptions& options) {
  const oracle::CastOperation& operation = job.oracle->operation();
  const int width = traits(operation.from).width;
  const std::size_t variants = job.variants.size();
  job.assigned.assign(variants, {});
  const auto add = [&](std::unique_ptr<ProbeSpace> space, auto&& wants) {
    job.spaces.push_back(std::move(space));
    for (std::size_t v = 0; v < variants; ++v) job.assigned[v].push_back(wants(v));
  };
  const auto every = [](std::size_t) { return true; };

  add(special_space(operation.from), every);
  if (width == 16) {
    add(exhaustive_space(operation.from), every);
    return;
  }
  // Of the kernel's variants, the first (the scalar reference) and the last (the widest) are proved
  // at `standard` where the whole domain can be run; all of them at `exhaustive`. That does not
  // depend on which of them are asked for: a run of one repeats its part of a run of all.
  const std::vector<KernelVariant>& all = job.kernel->variants;
  const auto proved_row = [&](std::size_t row) {
    return width == 32 &&
           (options.effort == Effort::kExhaustive ||
            (options.effort == Effort::kStandard && (row == 0 || row + 1 == all.size())));
  };
  const auto proved = [&](std::size_t v) {
    return proved_row(static_cast<std::size_t>(job.variants[v] - all.data()));
  };
  bool any_sampled = false;
  bool any_proved = false;
  for (std::size_t row = 0; row < all.size(); ++row) {
    any_sampled = any_sampled || !proved_row(row);
    any_proved = any_proved || proved_row(row);
  }
  // What one variant is sampled with, the proved ones are driven over too, so that the outputs of
  // all can be compared.
  if (any_sampled) {
    if (operation.rounding != Rounding::kExact) {
      const std::uint64_t per_exponent = boundaries_per_exponent(operation, options.effort);
      add(boundary_space(operation, per_exponent, options.seed,
                         sticky_bits(operation, per_exponent)),
          every);
    }
    add(stratified_space(operation,
                         by_effort<std::uint64_t>(options.effort, {1 << 18, 1 << 21, 1 << 24}),
                         options.seed),
        every);
  }
  if (any_proved) add(exhaustive_space(operation.from), proved);
}

}  // namespace assay
