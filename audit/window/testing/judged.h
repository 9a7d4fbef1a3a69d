// Judgements of single kernels, for tests.
#pragma once

#include <string>

#include "audit/window/call_judges.h"

namespace assay::window::testing {

/// One contract of contracts/reference/conv-pool.fkc.md in one dtype, planned for a quick audit.
const Job& job(const std::string& kernel, Dtype dtype);

/// What the judge finds of a function that stands in for the kernel's scalar variant.
CallTally judge(CallJudge judge, const Job& job, KernelFunction function);
/// The same of a variant of the built-in kernel.
CallTally judge(CallJudge judge, const Job& job, const KernelVariant& variant,
                std::uint64_t seed = 1);

/// The built-in scalar kernel of the job that is being judged: what faulty functions wrap.
KernelStatus real(KernelCall& call);

/// The judgement ended without a fault, and the claim does not hold.
bool refuted(const CallTally& tally);
/// The judgement ended without a fault, something was probed, and nothing contradicts the claim.
bool upheld(const CallTally& tally);
/// Everything a tally says, for the message of a failed test.
std::string text(const CallTally& tally);

}  // namespace assay::window::testing
