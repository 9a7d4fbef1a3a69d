#include <fmt/format.h>

#include "audit/drive.h"
#include "audit/judge/cast_check.h"
#include "audit/judge/explanation.h"
#include "audit/repro/one_call.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/shared_array.h"

namespace assay {

namespace {

struct Shared {
  CastChecked checked;
  int made;  ///< calls
  char fault[240];
};

const TokenCall& checked_call(const Token& token, const Job& job) {
  const bool judged =
      static_cast<std::size_t>(token.claim) < kElementClaims || token.claim == ClaimKind::kBitwise;
  if (!judged || !token.call) {
    throw UsageError(fmt::format("one call of a cast cannot show anything about the claim '{}'",
                                 row(token.claim).id));
  }
  const TokenCall& call = *token.call;
  const Dtype from = job.oracle->operation().from;
  if (call.dtype != from) {
    throw UsageError(fmt::format("the token's elements are of {}, the kernel's of {}",
                                 traits(call.dtype).name, traits(from).name));
  }
  const bool tensor = call.operands.size() == 1 && call.geometry.empty();
  if (!tensor || call.operands[0].empty() || call.operands[0].size() > kBlockProbes) {
    throw UsageError(
        fmt::format("the token's call is none of a cast: it needs one tensor of 1 to "
                    "{} elements",
                    kBlockProbes));
  }
  if (call.at >= call.operands[0].size()) {
    throw UsageError(fmt::format("the token is about element {}, and the tensor has {}", call.at,
                                 call.operands[0].size()));
  }
  return call;
}

/// Whether the claim is false of any kernel at this input, as the audit's census counts it.
bool is_false_of_any(const Job& job, Bits input, Bits nearest) {
  Census census;
  count_one(*job.cells, input, nearest, 1, census);
  return census.inexact_in_exact_domain > 0;
}

}  // namespace

Repeated repeat_cast_call(const Token& token, const std::vector<Job>& jobs,
                          const AuditOptions& options) {
  const Job& job = jobs.front();
  const TokenCall& call = checked_call(token, job);
  const std::vector<Bits>& inputs = call.operands[0];
  const auto at = static_cast<std::size_t>(call.at);
  const KernelVariant& variant = *job.variants.back();
  verify_certificates(jobs, options);

  SharedArray<Shared> shared(1);
  Repeated repeated;
  const bool ended = ran_in_worker(options, repeated, [&](Heartbeat& heartbeat) {
    CastCheck check(job, variant, token.claim, job.variants.front());
    Shared local{};
    while (local.made < kRepeatedCalls && !local.checked.violated &&
           local.checked.fault == CallFault::kNone) {
      heartbeat.at(static_cast<std::uint64_t>(++local.made));
      local.checked = check.check(inputs, at);
    }
    put(local.fault, check.fault());
    shared[0] = local;
  });
  repeated.ran = calls_text(shared[0].made, shared[0].checked.violated);
  if (!ended) return repeated;
  const CastChecked& checked = shared[0].checked;
  if (checked.fault != CallFault::kNone) {
    repeated.why = shared[0].fault;
    return repeated;
  }
  const Bits input = inputs[at];
  const bool inexact =
      token.claim == ClaimKind::kDomainExact && is_false_of_any(job, input, checked.expected);
  const bool outside = job.cells->of(input).caller_error;
  if (outside) {
    repeated.notes.push_back(
        "the contract, as it is now, makes this input the caller's error: nothing is promised");
  }
  const bool fails = (checked.violated || inexact) && !outside;
  repeated.outcome = fails ? Repeated::Outcome::kFails : Repeated::Outcome::kHolds;
  repeated.example =
      inexact && !checked.violated
          ? inexact_counterexample(job, variant, input, checked.expected)
          : element_counterexample(job, variant, token.claim, inputs, at, checked.got,
                                   checked.expected, job.variants.front());
  if (!fails) repeated.example->why.clear();
  return repeated;
}

}  // namespace assay
