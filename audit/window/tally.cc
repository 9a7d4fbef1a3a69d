// One result's part in what a sweep shows, and what sweeps show together.
#include <algorithm>

#include "audit/window/pairs.h"
#include "audit/window/sweep.h"
#include "audit/worker/fixed_text.h"

namespace assay::window {

namespace {

/// A result with all that it is judged by.
struct Result {
  const Operation& operation;
  const Truth& truth;
  const Place& seen;

  const DtypeTraits& format() const { return traits(operation.dtype); }
};

template <typename ErrorOf>
void measure(const Result& result, const ErrorOf& error_of, SweepTally& tally) {
  const Truth& truth = result.truth;
  const Bits got = result.seen.got;
  if (!truth.finite) return;
  if (!truth.bounded) {
    ++tally.unmeasured;
    return;
  }
  if (result.format().is_nan(got)) return;  // no distance from a number: claims judge it
  ++tally.measured;
  if (const auto steps = distance(result.operation, truth, got)) {
    tally.max_distance = std::max(tally.max_distance, *steps);
  }
  if (!result.operation.is_sum()) {
    const bool right = is_right(truth.selection(), got, result.operation.dtype);
    ++tally.error_rows[error_row(right ? 0 : error_of().ulp)];
    return;
  }
  oracle::SumError error{truth.absolute, truth.relative, truth.ulp, truth.within_bound};
  if (got != truth.model) error = error_of();
  ++tally.error_rows[error_row(error.ulp)];
  tally.ulp.take(error.ulp, truth.condition, result.seen);
  tally.relative.take(error.relative, truth.condition, result.seen);
  tally.absolute.take(error.absolute, truth.condition, result.seen);
  if (truth.bound > 0) {
    double& share = tally.bound_shares[term_row(truth.products)];
    share = std::max(share, error.absolute / truth.bound);
  }
}

/// What the kernel does where contracts are silent.
void watch(const Result& result, SweepTally& tally) {
  const Truth& truth = result.truth;
  const Bits got = result.seen.got;
  const DtypeTraits& format = result.format();
  if (!result.operation.is_sum()) {
    tally.only_nans += truth.only_nans ? 1 : 0;
    tally.only_nans_give_nan += truth.only_nans && format.is_nan(got) ? 1 : 0;
    tally.both_zeros += truth.both_zeros ? 1 : 0;
    tally.both_zeros_give_negative += truth.both_zeros && format.is_negative(got) ? 1 : 0;
    return;
  }
  if (truth.gap_decides) {
    ++tally.gap_decides;
    tally.gap_gives_nan += format.is_nan(got) ? 1 : 0;
    return;  // the sum is not the one of the terms alone
  }
  if (format.is_zero(truth.model) && format.is_zero(got)) {
    ++tally.zero_sums;
    tally.negative_zero_sums += format.is_negative(got) ? 1 : 0;
  }
  const bool zeros = format.is_zero(truth.model) && format.is_zero(truth.model_bias_first);
  if (truth.model != truth.model_bias_first && !zeros) {
    ++tally.bias_decides;
    tally.bias_last += got == truth.model ? 1 : 0;
  }
}

}  // namespace

Case case_of(const Job& job, const Place& place) {
  if (place.in_case != kPairCase) return job.cases[place.in_case];
  return {pair_geometry(1), Family::kPair, place.pair};
}

void judge_one(const Job& job, const Rules& rules, const Place& seen, TruthSource& source,
               const Truth& truth, SweepTally& tally) {
  std::optional<oracle::SumError> known;
  const auto error_of = [&] {
    if (!known) known = source.error(static_cast<std::size_t>(seen.result), seen.got);
    return *known;
  };
  const Judgement judgement = judge_result(rules, job.operation, truth, seen.got, error_of);
  for (std::size_t row = 0; row < kResultClaimCount; ++row) {
    if ((judgement.in_scope >> row & 1) == 0) continue;
    ClaimCount& count = tally.claims[row];
    ++count.probes;
    if ((judgement.violated >> row & 1) == 0) continue;
    count.add({0, 1, tally.probes + 1, tensor_elements(job.operation, case_of(job, seen).geometry),
               seen});
  }
  const Result result{job.operation, truth, seen};
  measure(result, error_of, tally);
  watch(result, tally);
  ++tally.probes;
}

void ClaimCount::add(const ClaimCount& other, std::uint64_t before) {
  probes += other.probes;
  if (other.violations > 0) {
    const std::uint64_t there = before + other.earliest;
    earliest = violations == 0 ? there : std::min(earliest, there);
  }
  if (other.violations > 0 && (violations == 0 || other.size < size)) {
    size = other.size;
    first = other.first;
  }
  violations += other.violations;
}

void SweepTally::merge(const SweepTally& other) {
  const std::uint64_t before = probes;
  probes += other.probes;
  calls += other.calls;
  cases += other.cases;
  seconds += other.seconds;
  kernel_seconds += other.kernel_seconds;
  if (fault == CallFault::kNone && other.fault != CallFault::kNone) {
    fault = other.fault;
    put(fault_text, other.fault_text);
  }
  if (environment_changes == 0) put(environment_change, other.environment_change);
  environment_changes += other.environment_changes;
  input_changes += other.input_changes;
  for (std::size_t row = 0; row < kResultClaimCount; ++row)
    claims[row].add(other.claims[row], before);
  measured += other.measured;
  unmeasured += other.unmeasured;
  for (std::size_t row = 0; row < error_rows.size(); ++row) {
    error_rows[row] += other.error_rows[row];
  }
  max_distance = std::max(max_distance, other.max_distance);
  ulp.take(other.ulp.value, other.ulp.condition, other.ulp.at);
  relative.take(other.relative.value, other.relative.condition, other.relative.at);
  absolute.take(other.absolute.value, other.absolute.condition, other.absolute.at);
  for (std::size_t row = 0; row < kTermRows; ++row) {
    bound_shares[row] = std::max(bound_shares[row], other.bound_shares[row]);
  }
  zero_sums += other.zero_sums;
  negative_zero_sums += other.negative_zero_sums;
  gap_decides += other.gap_decides;
  gap_gives_nan += other.gap_gives_nan;
  bias_decides += other.bias_decides;
  bias_last += other.bias_last;
  only_nans += other.only_nans;
  only_nans_give_nan += other.only_nans_give_nan;
  both_zeros += other.both_zeros;
  both_zeros_give_negative += other.both_zeros_give_negative;
}

}  // namespace assay::window
