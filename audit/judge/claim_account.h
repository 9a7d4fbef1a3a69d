// A claim's record from its evidence: the part that is the same for every family of kernels.
#pragma once

#include <optional>
#include <string>

#include "contracts/fkc/document.h"
#include "contracts/run_record.h"

namespace assay {

class ClaimAccount {
 public:
  /// `unfinished`: why the run did not come to its end; empty if it did. Both must outlive it.
  ClaimAccount(const fkc::KernelContract& contract, const std::string& unfinished)
      : contract_(contract), unfinished_(unfinished) {}

  /// A record with the claim's source and declared value.
  ClaimRecord blank(ClaimKind kind) const;

  /// Closes the account of probes: what was planned and not run, and why.
  void exclude_missing(ClaimRecord& record, std::uint64_t missing, std::string reason) const;

  /// Sets `planned`, once probes and exclusions stand.
  static void close(ClaimRecord& record);

  /// The verdict from violations and probes; `why_not` is what stood in the way of the probes.
  void decide(ClaimRecord& record, bool declared, const std::string& why_not) const;

  /// What becomes of `judged`, the record of a kind that the contract's sentences dispute: measured
  /// at most, and undecided.
  ClaimRecord left_open(const Claim& disputed, std::optional<ClaimRecord> judged) const;

  const std::string& unfinished() const { return unfinished_; }

 private:
  const fkc::KernelContract& contract_;
  const std::string& unfinished_;
};

/// A record without variants: what the contract says of a kernel.
KernelRecord kernel_record(const fkc::KernelContract& contract);

/// Where a variant's calls failed and no claim says so, `in_bounds`, which every kernel owes,
/// carries the error: a failure must not end in nothing but upheld claims. Memory that was accessed
/// and must not be is always its business.
void account_for_failure(VariantRecord& record, const std::string& why);

}  // namespace assay
