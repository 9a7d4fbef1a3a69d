// The rounding boundaries of a cast, as bit patterns of its source.
//
// A boundary lies between two neighbouring results: to nearest, at their midpoint (for the largest
// finite result, midway to 2^(emax+1); for zero, at half the least subnormal); toward zero, at the
// larger of the two. Correct rounding is monotone, so a cast is fixed by what it does at its
// boundaries and on both sides of them.
#pragma once

#include <cstdint>
#include <vector>

#include "contracts/dtype.h"
#include "oracles/cast_exact.h"

namespace assay::oracle {

/// Equally spaced boundaries with one exponent: patterns first, first + step, …, all positive. For
/// a floating destination each has a mirror image with the sign bit set.
struct BoundaryGroup {
  Bits first = 0;
  Bits step = 0;
  std::uint64_t count = 0;
  /// Position, in the source's pattern, of the lowest bit that a boundary of this group needs: the
  /// rounding bit. The bits below it are the sticky bits. (52 for f64 means the hidden bit.)
  int rounding_bit = 0;
};

/// All boundaries in increasing order. Empty for a cast that is exact.
/// Supported: floating to narrower floating, floating to U32, U32 to narrower floating; throws
/// std::invalid_argument for anything else.
std::vector<BoundaryGroup> boundary_groups(CastOperation operation);

/// Number of boundaries of one sign.
std::uint64_t boundary_count(const std::vector<BoundaryGroup>& groups);

}  // namespace assay::oracle
