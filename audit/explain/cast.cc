#include "audit/explain/cast.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/drive.h"
#include "audit/explain/each_variant.h"
#include "audit/worker/buffer.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/shared_array.h"
#include "contracts/measure.h"

namespace assay {

namespace {

/// What a worker writes.
struct Shared {
  Bits alone;
  Bits lanes[kLanes];
  CallFault fault;
  char fault_text[240];
};

void call_variant(const Job& job, const KernelVariant& variant, Bits input, Heartbeat& heartbeat,
                  Shared& shared) {
  const auto& [from, to, rounding] = job.oracle->operation();
  EnvironmentLog log;
  CastRunner runner(*job.kernel, variant, log);
  GuardedPages in(kLanes * sizeof(Bits) + kSlack);
  GuardedPages out(kLanes * sizeof(Bits) + kSlack);
  for (const std::size_t n : {std::size_t{1}, kLanes}) {
    heartbeat.at(n);
    write_elements(in.begin(), std::vector<Bits>(n, input), from);
    std::fill(out.begin(), out.end(), static_cast<unsigned char>(0));
    shared.fault = runner.call(in.begin(), out.begin(), n);
    if (shared.fault != CallFault::kNone) return put(shared.fault_text, runner.fault());
    if (n == 1) shared.alone = oracle::load(out.begin(), 0, to);
    for (std::size_t i = 0; n > 1 && i < n; ++i) shared.lanes[i] = oracle::load(out.begin(), i, to);
  }
}

std::vector<LaneResult> different(const Bits (&lanes)[kLanes]) {
  std::vector<LaneResult> results;
  for (std::size_t i = 0; i < kLanes; ++i) {
    const auto known = std::ranges::find(results, lanes[i], &LaneResult::bits);
    if (known != results.end()) {
      ++known->count;
    } else {
      results.push_back({lanes[i], i, 1});
    }
  }
  return results;
}

/// The claims that a result breaks. Those that the contract does not make cannot be broken.
ClaimSet broken_by(const Job& job, Bits input, Bits got) {
  const ClaimSet all = violated(*job.rules, job.cells->of(input), job.oracle->operation(), input,
                                got, job.oracle->expect_one(input));
  return all & job.rules->declared_set();
}

void judge(const Job& job, const CastExplanation& explanation, CastGiven& given) {
  const Dtype to = explanation.operation.to;
  const Bits input = explanation.input;
  for (const oracle::RoundedResult& rounded : explanation.steps.rounded) {
    if (rounded.bits == given.alone) given.fits.push_back(rounded.rule);
  }
  if (!explanation.nothing_due) {
    given.ulp_distance = ulp_distance(given.alone, explanation.due, to);
  }
  if (explanation.steps.is_finite && traits(to).is_finite(given.alone)) {
    given.ulp_error = oracle::ExactCast(explanation.operation).ulp_error(input, given.alone);
  }
  ClaimSet broken = broken_by(job, input, given.alone);
  for (const LaneResult& lane : given.lanes) broken |= broken_by(job, input, lane.bits);
  for (std::size_t i = 0; i < kElementClaims; ++i) {
    if ((broken >> i & 1) != 0) given.broken.push_back(static_cast<ClaimKind>(i));
  }
}

}  // namespace

CastExplanation explain_cast(const std::vector<Job>& jobs, Bits input,
                             const AuditOptions& options) {
  const Job& job = jobs.front();
  verify_certificates(jobs, options);
  const oracle::CastOperation operation = job.oracle->operation();
  const Cell& cell = job.cells->of(input);
  CastExplanation explanation;
  explanation.kernel = job.contract->kernel;
  explanation.operation = operation;
  explanation.input = input;
  explanation.steps = oracle::cast_steps(operation, input);
  explanation.due = due_result(*job.rules, cell, operation, job.oracle->expect_one(input));
  explanation.any_nan = traits(operation.to).is_nan(explanation.due);
  explanation.nothing_due = cell.nothing_due || cell.caller_error;
  explanation.caller_error = cell.caller_error;

  SharedArray<Shared> shared(job.variants.size());
  const auto call = [&](std::size_t v, Heartbeat& heartbeat) {
    call_variant(job, *job.variants[v], input, heartbeat, shared[v]);
  };
  const std::vector<std::string> failures = call_each_variant(job.variants.size(), options, call);
  for (std::size_t v = 0; v < job.variants.size(); ++v) {
    CastGiven given;
    given.variant = job.variants[v]->name;
    if (!failures[v].empty()) {
      given.failure = failures[v];
    } else if (shared[v].fault != CallFault::kNone) {
      given.failure = shared[v].fault_text;
    } else {
      given.alone = shared[v].alone;
      given.lanes = different(shared[v].lanes);
      judge(job, explanation, given);
    }
    explanation.given.push_back(std::move(given));
  }
  return explanation;
}

}  // namespace assay
