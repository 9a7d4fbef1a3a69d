#include "audit/window/sweep.h"

#include <xxhash.h>

#include "audit/window/call.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/processor_time.h"

namespace assay::window {

namespace {

CaseDigest digest_of(const std::vector<Bits>& results, Dtype dtype) {
  const DtypeTraits& format = traits(dtype);
  std::vector<Bits> one_nan = results;
  for (Bits& bits : one_nan) {
    if (format.is_nan(bits)) bits = format.infinity() | format.quiet_bit();
  }
  const std::size_t bytes = results.size() * sizeof(Bits);
  return {true, XXH3_64bits(results.data(), bytes), XXH3_64bits(one_nan.data(), bytes)};
}

}  // namespace

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
    TruthSource source(job.operation, the_case.geometry, tensors);
    for (std::size_t at = 0; at < truths[i].size(); ++at) {
      const std::size_t result = result_at(the_case, at);
      judge_one(job, rules, {index, result, runner.results()[result], 0}, source, truths[i][at],
                tally);
    }
    ++tally.cases;
    heartbeat.did(truths[i].size());
  }
  tally.environment_changes = log.changes();
  put(tally.environment_change, log.first_change());
  tally.seconds = processor_seconds() - start;
}

}  // namespace assay::window
