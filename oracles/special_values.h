// Bit patterns that every set of probes includes.
#pragma once

#include <vector>

#include "contracts/dtype.h"

namespace assay::oracle {

/// For floating formats, both signs of: zero, the ends of the subnormals and of the normals, one,
/// infinity, NaNs (quiet and signalling, each with no payload, all ones, and every single payload
/// bit, the lowest included), and around every exponent's first and last significand. For
/// integers: zero, the ends, and every power of two with its neighbours. Without duplicates, in
/// increasing order of pattern.
std::vector<Bits> special_values(Dtype dtype);

}  // namespace assay::oracle
