// Hand-made run records of convolutions and a pooling, for tests of the writers: several input
// tensors of rank 4, parameters as a list, and many claims.
#pragma once

#include "contracts/run_record.h"

namespace assay::testing {

/// Counterexamples with three inputs of hundreds of elements, of which 64 are recorded, with one
/// that expects no single value; infinite ends and an infinite condition; rates; a kernel that was
/// not run between others.
RunRecord conv_record();

/// 12 kernels in 6 variants with 17 claims each, all refuted, and no two with one counterexample.
RunRecord crowded_record();

}  // namespace assay::testing
