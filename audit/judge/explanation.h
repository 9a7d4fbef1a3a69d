// Counterexamples in bits, values and one sentence.
#pragma once

#include <vector>

#include "audit/job.h"
#include "audit/judge/structure.h"
#include "contracts/run_record.h"

namespace assay {

/// A counterexample of an element claim: element `position` of `inputs` gave `got` instead of
/// `expected`.
Counterexample element_counterexample(const Job& job, const KernelVariant& variant, ClaimKind kind,
                                      const std::vector<Bits>& inputs, std::size_t position,
                                      Bits got, Bits expected);

/// A counterexample of a structural claim.
Counterexample structure_counterexample(const Job& job, const KernelVariant& variant,
                                        ClaimKind kind, const StructureExample& seen);

}  // namespace assay
