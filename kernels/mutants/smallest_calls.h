// How small the simplest call is that can show each planted fault.
#pragma once

#include "kernels/mutants/mutants.h"

namespace assay::mutants {

/// Sets `least_elements` and `least_bits` of those for which they are known.
void put_smallest_calls(std::vector<Mutant>& mutants);

}  // namespace assay::mutants
