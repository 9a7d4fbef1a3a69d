// Counterexamples of operations with windows: every tensor in bits and values, and one sentence.
#pragma once

#include "audit/token/token.h"
#include "audit/window/shrink.h"
#include "audit/window/subject.h"
#include "contracts/run_record.h"

namespace assay::window {

/// From a call with these tensors, which its token repeats. `reference`, here and below: the
/// variant that `bitwise` compares with; for other claims it has no part.
Counterexample result_counterexample(const Job& job, const KernelVariant& variant, ClaimKind kind,
                                     const Geometry& geometry, const Tensors& tensors,
                                     const Checked& seen, const KernelVariant* reference = nullptr);

/// From the simplest call found, which its token repeats where the witness has all of it.
Counterexample result_counterexample(const Job& job, const KernelVariant& variant, ClaimKind kind,
                                     const Witness& witness,
                                     const KernelVariant* reference = nullptr);

/// From what a sweep saw, where it was not found again. `why_not` says why.
Counterexample unverified_counterexample(const Job& job, const KernelVariant& variant,
                                         ClaimKind kind, const Place& seen,
                                         const std::string& why_not);

/// The token of a claim, which repeats it by running what `again` says.
Token token_again(const Job& job, const KernelVariant& variant, ClaimKind kind, Again again,
                  const KernelVariant* reference = nullptr);

/// From what the judge of a claim about calls kept. Its token repeats what `again` says.
Counterexample call_counterexample(const Job& job, const KernelVariant& variant, ClaimKind kind,
                                   const CallExample& seen, Again again);

/// "result (n, c, row, column)".
std::string result_text(const Geometry& geometry, std::uint64_t result);

}  // namespace assay::window
