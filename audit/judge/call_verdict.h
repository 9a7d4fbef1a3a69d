// From what the judgements of claims about calls found to a claim's record: the same for every
// family of kernels.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "audit/judge/claim_account.h"
#include "audit/judge/tally.h"
#include "audit/token/token.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/pool.h"

namespace assay {

/// The claims of a table of judges.
template <class Row>
std::vector<ClaimKind> kinds_of(const std::vector<Row>& rows) {
  std::vector<ClaimKind> kinds;
  for (const Row& each : rows) kinds.push_back(each.kind);
  return kinds;
}

/// What all judgements of one variant found, and what its sweeps showed of the same claims.
template <class Example>
struct CallEvidence {
  const std::vector<ClaimKind>& kinds;  ///< of the judgements, in order
  const std::vector<TallyOf<Example>>& tallies;
  const std::vector<UnitState>& states;
  const std::vector<std::string>& failures;
  const std::string& hang;
  std::uint64_t sweep_calls = 0;
  std::uint64_t sweep_environment_changes = 0;
  std::string sweep_environment_change = {};
  std::uint64_t sweep_input_changes = 0;
};

/// The record of one claim, and the call that refutes it (only where it is refuted).
template <class Example>
struct CallJudgement {
  ClaimRecord record;
  Example example = {};
  Again shown_by = Again::kClaim;  ///< what has to run again for it to be seen
};

template <class Example>
CallJudgement<Example> judge_calls(const ClaimAccount& account, ClaimKind kind,
                                   const CallEvidence<Example>& evidence) {
  CallJudgement<Example> result{account.blank(kind)};
  ClaimRecord& record = result.record;
  const auto index = static_cast<std::size_t>(
      std::find(evidence.kinds.begin(), evidence.kinds.end(), kind) - evidence.kinds.begin());
  if (index == evidence.kinds.size()) {
    record.why = "nothing here judges this claim";
    account.decide(record, true, {});
    return result;
  }
  const TallyOf<Example>& tally = evidence.tallies[index];
  const UnitState state = evidence.states[index];
  record.strength = Strength::kSampled;
  record.probes = tally.probes;
  record.violations = tally.violations;
  if (tally.violations > 0) record.first_violation = tally.first_violation;
  record.space = tally.space;
  record.why = tally.undecidable;
  std::string why_not = evidence.failures[index];
  if (why_not.empty() && state == UnitState::kSkipped) why_not = evidence.hang;
  if (why_not.empty() && tally.fault != CallFault::kNone) why_not = tally.fault_text;
  std::uint64_t missing = tally.planned > tally.probes ? tally.planned - tally.probes : 0;
  if (missing > 0 && tally.instabilities.count > 0 && kind != ClaimKind::kBitStable) {
    const std::uint64_t unstable_calls = std::min(missing, tally.instabilities.count);
    record.excluded.push_back(
        {"the kernel gave other bits in the very same call made again", unstable_calls});
    missing -= unstable_calls;
  }
  account.exclude_missing(record, missing, why_not);
  if (tally.left_out > 0) record.excluded.push_back({tally.left_out_why, tally.left_out});
  if (tally.observation[0] != '\0') {
    record.measured.observations.push_back({"information", tally.observation});
  }
  if (kind == ClaimKind::kFpEnvironmentKept) {
    record.probes += evidence.sweep_calls;
    record.violations += evidence.sweep_environment_changes;
    for (const TallyOf<Example>& other : evidence.tallies) {
      record.probes += other.calls;
      record.violations += other.environment_changes;
    }
  }
  // What the calls made to judge any claim show against this one.
  const Example* elsewhere = nullptr;
  const auto count_everywhere = [&](SightingsOf<Example> TallyOf<Example>::*what) {
    for (const TallyOf<Example>& other : evidence.tallies) {
      const SightingsOf<Example>& seen = other.*what;
      record.violations += seen.count;
      record.probes += seen.count;
      if (elsewhere == nullptr && seen.count > 0) elsewhere = &seen.first;
    }
  };
  if (kind == ClaimKind::kBitStable) count_everywhere(&TallyOf<Example>::instabilities);
  if (kind == ClaimKind::kInputsUnmodified) {
    count_everywhere(&TallyOf<Example>::input_changes);
    record.violations += evidence.sweep_input_changes;
    record.probes += evidence.sweep_input_changes;
  }
  ClaimAccount::close(record);
  account.decide(record, true, why_not);
  if (record.verdict == Verdict::kUpheld && state != UnitState::kDone) {
    record.verdict = Verdict::kUndecided;
    record.why = account.unfinished().empty() ? "the check did not run" : account.unfinished();
  }
  if (record.verdict != Verdict::kRefuted) return result;
  if (tally.has_example || elsewhere != nullptr) {
    result.example = tally.has_example ? tally.example : *elsewhere;
    if (!tally.has_example) result.shown_by = Again::kCalls;
    return result;
  }
  Example& other = result.example;
  result.shown_by = Again::kAll;
  if (kind == ClaimKind::kInputsUnmodified) {
    put(other.circumstances, "a call of a sweep");
    put(other.why,
        "the kernel changes an input tensor, or its description; calls made to judge a claim, "
        "which tell which, do not show it");
    return result;
  }
  put(other.why, evidence.sweep_environment_change);
  put(other.circumstances, "a call of a sweep");
  for (std::size_t i = 0; other.why[0] == '\0' && i < evidence.tallies.size(); ++i) {
    put(other.why, evidence.tallies[i].environment_change);
    put(other.circumstances, "a call made to judge " + std::string(row(evidence.kinds[i]).id));
  }
  return result;
}

}  // namespace assay
