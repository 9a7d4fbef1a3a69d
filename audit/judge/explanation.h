// Counterexamples in bits, values and one sentence.
#pragma once

#include <vector>

#include "audit/job.h"
#include "audit/judge/structure.h"
#include "audit/token/token.h"
#include "contracts/run_record.h"

namespace assay {

/// The token of a claim, which repeats it by running what `again` says. `reference`: the variant
/// that `bitwise` compares with; for other claims it has no part.
Token token_again(const Job& job, const KernelVariant& variant, ClaimKind kind, Again again,
                  const KernelVariant* reference = nullptr);

/// A counterexample of an element claim: element `position` of `inputs`, which are all elements of
/// the call, gave `got` instead of `expected`. Its token repeats that call. `reference` as above.
Counterexample element_counterexample(const Job& job, const KernelVariant& variant, ClaimKind kind,
                                      const std::vector<Bits>& inputs, std::size_t position,
                                      Bits got, Bits expected,
                                      const KernelVariant* reference = nullptr);

/// A counterexample of `domain_exact` where it is false of any kernel: the value of `input` is not
/// one of the output format, and `nearest` is the nearest that is.
Counterexample inexact_counterexample(const Job& job, const KernelVariant& variant, Bits input,
                                      Bits nearest);

/// A counterexample of a structural claim. Its token repeats what `again` says.
Counterexample structure_counterexample(const Job& job, const KernelVariant& variant,
                                        ClaimKind kind, const StructureExample& seen, Again again);

}  // namespace assay
