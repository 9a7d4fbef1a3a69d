// Error of a cast's result in double arithmetic: the fast form of `ExactCast::ulp_error` and its
// kin, for histograms and for choosing the worst case; what a report shows as the worst case is
// measured again by MPFR.
#pragma once

#include "contracts/dtype.h"
#include "oracles/cast_exact.h"

namespace assay::oracle {

/// The value of a bit pattern as a double: exact for every format here, integers of 64 bits apart.
/// Built from bits, so that no floating-point mode can reach it. NaN for NaNs.
double to_double(Bits bits, Dtype dtype);

/// |got - y| / ulp(y) with y the value of `input`; both finite (infinite `got` gives infinity).
/// Exact whenever got - y is exact in double, which holds for every result within one binade of y;
/// otherwise within 2 units in the last place.
double fast_ulp_error(Bits input, Bits got, CastOperation operation);

}  // namespace assay::oracle
