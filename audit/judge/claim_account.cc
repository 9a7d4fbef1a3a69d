#include "audit/judge/claim_account.h"

#include <algorithm>
#include <utility>

namespace assay {

ClaimRecord ClaimAccount::blank(ClaimKind kind) const {
  ClaimRecord record;
  record.id = row(kind).id;
  record.statement = row(kind).statement;
  const Claim* claim = contract_.claim(kind);
  if (claim != nullptr) {
    record.declared = claim->declared;
    record.source = claim->source;
  } else {
    record.source.file = contract_.file;
    record.source.line = contract_.line;
    record.source.kind = SourceKind::kImplied;
    record.source.text = "not declared; measured only";
  }
  return record;
}

void ClaimAccount::exclude_missing(ClaimRecord& record, std::uint64_t missing,
                                   std::string reason) const {
  if (missing == 0) return;
  if (reason.empty()) reason = unfinished_.empty() ? "not run" : unfinished_;
  record.excluded.push_back({reason, missing});
}

void ClaimAccount::close(ClaimRecord& record) {
  record.planned = record.probes;
  for (const Exclusion& exclusion : record.excluded) record.planned += exclusion.probes;
}

void ClaimAccount::decide(ClaimRecord& record, bool declared, const std::string& why_not) const {
  if (!declared) {
    record.verdict = Verdict::kUnclaimed;
  } else if (record.violations > 0) {
    record.verdict = Verdict::kRefuted;
  } else if (!why_not.empty()) {
    record.verdict = Verdict::kError;
    record.why = why_not;
  } else if (record.probes == 0) {
    record.verdict = Verdict::kUndecided;
    if (record.why.empty()) {
      record.why = unfinished_.empty() ? "nothing that bears on the claim was tested" : unfinished_;
    }
  } else {
    record.verdict = Verdict::kUpheld;
  }
  if (record.probes == 0) record.strength = Strength::kNone;
}

ClaimRecord ClaimAccount::left_open(const Claim& disputed,
                                    std::optional<ClaimRecord> judged) const {
  ClaimRecord record = judged ? std::move(*judged) : blank(disputed.kind);
  record.declared = disputed.declared;
  record.source = disputed.source;
  record.verdict = Verdict::kUndecided;
  record.why = "sentences of the contract contradict each other: nobody can tell what it promises";
  return record;
}

KernelRecord kernel_record(const fkc::KernelContract& contract) {
  KernelRecord record;
  record.kernel = contract.kernel;
  record.entry_point = contract.entry_point.value;
  record.op_kind = contract.op_kind;
  record.file = contract.file;
  record.line = contract.line;
  record.revision_hash = contract.revision_hash;
  record.registrable = contract.registrable;
  return record;
}

void account_for_failure(VariantRecord& record, const std::string& why) {
  if (why.empty()) return;
  const bool memory =
      why.find("SIGSEGV") != std::string::npos || why.find("SIGBUS") != std::string::npos;
  const bool carried =
      std::any_of(record.claims.begin(), record.claims.end(),
                  [](const ClaimRecord& claim) { return claim.verdict == Verdict::kError; });
  if (carried && !memory) return;
  for (ClaimRecord& claim : record.claims) {
    if (claim.id != row(ClaimKind::kInBounds).id || claim.verdict != Verdict::kUpheld) continue;
    claim.verdict = Verdict::kError;
    claim.why = "a call of the sweeps failed: " + why;
  }
}

}  // namespace assay
