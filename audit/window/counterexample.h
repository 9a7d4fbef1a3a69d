// Counterexamples of operations with windows: every tensor in bits and values, and one sentence.
#pragma once

#include "audit/window/shrink.h"
#include "audit/window/subject.h"
#include "contracts/run_record.h"

namespace assay::window {

/// From the simplest call found.
Counterexample result_counterexample(const Job& job, const KernelVariant& variant, ClaimKind kind,
                                     const Witness& witness);

/// From what a sweep saw, where it was not found again. `why_not` says why.
Counterexample unverified_counterexample(const Job& job, const KernelVariant& variant,
                                         ClaimKind kind, const Place& seen,
                                         const std::string& why_not);

/// From what the judge of a claim about calls kept.
Counterexample call_counterexample(const Job& job, const KernelVariant& variant, ClaimKind kind,
                                   const CallExample& seen);

/// "result (n, c, row, column)".
std::string result_text(const Geometry& geometry, std::uint64_t result);

}  // namespace assay::window
