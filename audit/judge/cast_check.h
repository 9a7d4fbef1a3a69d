// One call of a cast, judged under one claim: how a violation is verified, simplified and repeated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "audit/job.h"
#include "audit/worker/buffer.h"
#include "audit/worker/runner.h"

namespace assay {

/// Trivially copyable: workers write it to shared memory.
struct CastChecked {
  CallFault fault = CallFault::kNone;  ///< what follows is then not known
  bool violated = false;
  Bits got = 0;
  Bits expected = 0;  ///< the oracle's; for `bitwise`, the reference's
};

class CastCheck {
 public:
  /// `claim`: one about single results, or `bitwise`, which compares with `reference`. All must
  /// outlive it.
  CastCheck(const Job& job, const KernelVariant& variant, ClaimKind claim,
            const KernelVariant* reference);

  /// Calls the kernel over `inputs`, at most kBlockProbes of them, and judges the result at
  /// `position`, which must be one of them.
  CastChecked check(const std::vector<Bits>& inputs, std::size_t position);

  /// For a fault of the last call, in words.
  const std::string& fault() const { return fault_; }

 private:
  bool call(CastRunner& runner, GuardedPages& out, std::size_t n, CastChecked& checked);
  bool is_violated(Bits input, Bits got, Bits expected) const;

  const Job& job_;
  ClaimKind claim_;
  EnvironmentLog log_;
  CastRunner runner_;
  CastRunner reference_;
  GuardedPages in_;
  GuardedPages out_;
  GuardedPages reference_out_;
  std::string fault_;
};

}  // namespace assay
