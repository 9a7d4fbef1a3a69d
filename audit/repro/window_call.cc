#include <fmt/format.h>

#include "audit/repro/one_call.h"
#include "audit/window/call_token.h"
#include "audit/window/check.h"
#include "audit/window/counterexample.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/shared_array.h"

namespace assay {

namespace {

/// Products that are evaluated at most, each in about a microsecond.
constexpr std::size_t kMostProducts = 1000000;

struct Shared {
  window::Checked checked;
  int made;  ///< calls
  char fault[240];
};

}  // namespace

Repeated repeat_window_call(const Token& token, const window::Job& job,
                            const AuditOptions& options) {
  const bool judged = window::result_claim_row(token.claim) < window::kResultClaimCount ||
                      token.claim == ClaimKind::kBitwise;
  if (!judged || !token.call) {
    throw UsageError(fmt::format("one call of {} cannot show anything about the claim '{}'",
                                 token.kernel, row(token.claim).id));
  }
  const window::Specimen specimen = window::specimen_of(job.operation, *token.call);
  const KernelVariant& variant = *job.variants.back();
  SharedArray<Shared> shared(1);
  Repeated repeated;
  const bool ended = ran_in_worker(options, repeated, [&](Heartbeat& heartbeat) {
    window::Check check(job, variant, token.claim, *job.variants.front());
    Shared local{};
    while (local.made < kRepeatedCalls && !local.checked.violated &&
           local.checked.fault == CallFault::kNone) {
      heartbeat.at(static_cast<std::uint64_t>(++local.made));
      // Each result once; then, for calls that are wrong now and then, the one concerned.
      local.checked = check.check(specimen, local.made == 1 ? kMostProducts : std::size_t{1});
    }
    put(local.fault, check.fault());
    shared[0] = local;
  });
  repeated.ran = calls_text(shared[0].made, shared[0].checked.violated);
  if (!ended) return repeated;
  const window::Checked& checked = shared[0].checked;
  if (checked.fault != CallFault::kNone) {
    repeated.why = shared[0].fault;
    return repeated;
  }
  repeated.outcome = checked.violated ? Repeated::Outcome::kFails : Repeated::Outcome::kHolds;
  repeated.example = window::result_counterexample(job, variant, token.claim, specimen.geometry,
                                                   specimen.tensors, checked, job.variants.front());
  if (!checked.violated) repeated.example->why.clear();
  return repeated;
}

}  // namespace assay
