// Tokens of faulty kernels' records, repeated.
#pragma once

#include "contracts/run_record.h"
#include "kernels/mutants/mutants.h"

namespace assay::testing {

/// Checks that the token of every claim of the mutant's record that is refuted, or in error,
/// repeats that against the mutant, and that against the built-in kernel what it repeats holds.
void check_tokens(const Mutant& mutant, const KernelRecord& kernel);

}  // namespace assay::testing
