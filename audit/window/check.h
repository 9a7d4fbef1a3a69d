// One call of an operation with windows, judged under one claim: how a violation is verified,
// simplified and repeated.
#pragma once

#include <cstdint>
#include <string>

#include "audit/window/call.h"
#include "audit/window/job.h"
#include "audit/window/rules.h"
#include "audit/window/specimen.h"

namespace assay::window {

/// Trivially copyable: workers write it to shared memory.
struct Checked {
  CallFault fault = CallFault::kNone;  ///< what follows is then not known
  bool violated = false;
  bool has_result = false;   ///< the call has results; if not, what follows is not known
  std::uint64_t result = 0;  ///< that violates the claim, or the one looked at first
  Bits got = 0;
  Bits reference = 0;  ///< of the reference, for kBitwise
  Truth truth;
  double error = 0;  ///< what the claim bounds, in its measure
};

class Check {
 public:
  /// `claim`: of kResultClaims, or kBitwise, which compares with `reference`. All must outlive it.
  Check(const Job& job, const KernelVariant& variant, ClaimKind claim,
        const KernelVariant& reference);

  /// Makes the call and judges its results until one violates the claim: `specimen.result` first,
  /// then from there on and round, as far as their products are not more than `most_products`
  /// together.
  Checked check(const Specimen& specimen, std::size_t most_products);

  /// For a fault of the last call, in words.
  const std::string& fault() const { return fault_; }

 private:
  void compare(const Specimen& specimen, Checked& checked);
  void judge(const Specimen& specimen, std::size_t most_products, Checked& checked);
  double measured(const oracle::SumError& error, Bits got) const;

  const Job& job_;
  ClaimKind claim_;
  Rules rules_;
  std::size_t row_;
  EnvironmentLog log_;
  CaseRunner runner_;
  CaseRunner reference_;
  std::string fault_;
};

}  // namespace assay::window
