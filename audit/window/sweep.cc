#include "audit/window/sweep.h"

#include <xxhash.h>
#include <ctime>

#include "audit/window/call.h"
#include "audit/worker/fixed_text.h"

namespace assay::window {

namespace {

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

CaseDigest digest_of(const std::vector<Bits>& results, Dtype dtype) {
  const DtypeTraits& format = traits(dtype);
  std::vector<Bits> one_nan = results;
  for (Bits& bits : one_nan) {
    if (format.is_nan(bits)) bits = format.infinity() | format.quiet_bit();
  }
  const std::size_t bytes = results.size() * sizeof(Bits);
  return {true, XXH3_64bits(results.data(), bytes), XXH3_64bits(one_nan.data(), bytes)};
}

/// Judges the results of one case.
class CaseJudge {
 public:
  CaseJudge(const Job& job, const Rules& rules, std::uint32_t index, const Tensors& tensors,
            SweepTally& tally)
      : operation_(job.operation),
        format_(traits(operation_.dtype)),
        rules_(rules),
        geometry_(job.cases[index].geometry),
        index_(index),
        tensors_(tensors),
        size_(input_elements(operation_, geometry_) + elements(output_shape(geometry_))),
        tally_(tally) {}

  void judge(std::size_t result, const Truth& truth, Bits got) {
    const Place place{index_, result, got};
    bool asked = false;
    oracle::SumError error;
    const auto error_of = [&] {
      // The operands are on the oracle's side only where a result is not the expected one.
      if (!asked) {
        if (source_ == nullptr) {
          source_ = std::make_unique<TruthSource>(operation_, geometry_, tensors_);
        }
        error = source_->error(result, got);
        asked = true;
      }
      return error;
    };
    const Judgement judgement = judge_result(rules_, operation_, truth, got, error_of);
    for (std::size_t row = 0; row < kResultClaimCount; ++row) {
      if ((judgement.in_scope >> row & 1) == 0) continue;
      ClaimCount& count = tally_.claims[row];
      ++count.probes;
      if ((judgement.violated >> row & 1) == 0) continue;
      count.add({0, 1, size_, place});
    }
    measure(truth, got, place, error_of);
    watch(truth, got);
    ++tally_.probes;
  }

 private:
  template <typename ErrorOf>
  void measure(const Truth& truth, Bits got, const Place& place, const ErrorOf& error_of) {
    if (!truth.finite) return;
    if (!truth.bounded) {
      ++tally_.unmeasured;
      return;
    }
    if (format_.is_nan(got)) return;  // no distance from a number: claims judge it
    ++tally_.measured;
    if (const auto steps = distance(operation_, truth, got)) {
      tally_.max_distance = std::max(tally_.max_distance, *steps);
    }
    if (!operation_.is_sum()) {
      ++tally_.error_rows[error_row(is_right(truth.selection(), got, operation_.dtype)
                                        ? 0
                                        : std::numeric_limits<double>::infinity())];
      return;
    }
    oracle::SumError error{truth.absolute, truth.relative, truth.ulp, truth.within_bound};
    if (got != truth.model) error = error_of();
    ++tally_.error_rows[error_row(error.ulp)];
    tally_.ulp.take(error.ulp, truth.condition, place);
    tally_.relative.take(error.relative, truth.condition, place);
    tally_.absolute.take(error.absolute, truth.condition, place);
  }

  /// What the kernel does where contracts are silent.
  void watch(const Truth& truth, Bits got) {
    if (!operation_.is_sum()) {
      tally_.only_nans += truth.only_nans ? 1 : 0;
      tally_.only_nans_give_nan += truth.only_nans && format_.is_nan(got) ? 1 : 0;
      tally_.both_zeros += truth.both_zeros ? 1 : 0;
      tally_.both_zeros_give_negative += truth.both_zeros && format_.is_negative(got) ? 1 : 0;
      return;
    }
    if (format_.is_zero(truth.model) && format_.is_zero(got)) {
      ++tally_.zero_sums;
      tally_.negative_zero_sums += format_.is_negative(got) ? 1 : 0;
    }
    const bool zeros = format_.is_zero(truth.model) && format_.is_zero(truth.model_bias_first);
    if (truth.model != truth.model_bias_first && !zeros) {
      ++tally_.bias_decides;
      tally_.bias_last += got == truth.model ? 1 : 0;
    }
  }

  const Operation& operation_;
  const DtypeTraits& format_;
  const Rules& rules_;
  const Geometry& geometry_;
  std::uint32_t index_;
  const Tensors& tensors_;
  std::size_t size_;
  SweepTally& tally_;
  std::unique_ptr<TruthSource> source_;
};

}  // namespace

void ClaimCount::add(const ClaimCount& other) {
  probes += other.probes;
  if (other.violations > 0 && (violations == 0 || other.size < size)) {
    size = other.size;
    first = other.first;
  }
  violations += other.violations;
}

void SweepTally::merge(const SweepTally& other) {
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
  for (std::size_t row = 0; row < kResultClaimCount; ++row) claims[row].add(other.claims[row]);
  measured += other.measured;
  unmeasured += other.unmeasured;
  for (std::size_t row = 0; row < error_rows.size(); ++row)
    error_rows[row] += other.error_rows[row];
  max_distance = std::max(max_distance, other.max_distance);
  ulp.take(other.ulp.value, other.ulp.condition, other.ulp.at);
  relative.take(other.relative.value, other.relative.condition, other.relative.at);
  absolute.take(other.absolute.value, other.absolute.condition, other.absolute.at);
  zero_sums += other.zero_sums;
  negative_zero_sums += other.negative_zero_sums;
  bias_decides += other.bias_decides;
  bias_last += other.bias_last;
  only_nans += other.only_nans;
  only_nans_give_nan += other.only_nans_give_nan;
  both_zeros += other.both_zeros;
  both_zeros_give_negative += other.both_zeros_give_negative;
}

void sweep(const Job& job, const KernelVariant& variant, const Rules& rules, std::size_t first,
           std::span<const std::span<const Truth>> truths, std::span<CaseDigest> digests,
           Heartbeat& heartbeat, SweepTally& tally) {
  const double start = processor_seconds();
  EnvironmentLog log;
  CaseRunner runner(job.operation, variant, log);
  for (std::size_t i = 0; i < truths.size(); ++i) {
    const auto index = static_cast<std::uint32_t>(first + i);
    const Case& the_case = job.cases[index];
    const Tensors tensors = make_tensors(job.operation, the_case);
    heartbeat.at(index);
    const CallFault fault = runner.run(the_case.geometry, tensors);
    ++tally.calls;
    tally.input_changes += runner.inputs_changed() ? 1 : 0;
    if (fault != CallFault::kNone) {
      if (tally.fault == CallFault::kNone) {
        tally.fault = fault;
        put(tally.fault_text, runner.fault());
      }
      continue;
    }
    tally.kernel_seconds += runner.seconds();
    digests[i] = digest_of(runner.results(), job.operation.dtype);
    CaseJudge judge(job, rules, index, tensors, tally);
    for (std::size_t result = 0; result < truths[i].size(); ++result) {
      judge.judge(result, truths[i][result], runner.results()[result]);
    }
    ++tally.cases;
    heartbeat.did(truths[i].size());
  }
  tally.environment_changes = log.changes();
  put(tally.environment_change, log.first_change());
  tally.seconds = processor_seconds() - start;
}

}  // namespace assay::window
