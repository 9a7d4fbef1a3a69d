// Bytes as a dense call of a cast: its elements, and where they lie.
#pragma once

#include <cstddef>
#include <vector>

#include "contracts/dtype.h"
#include "contracts/fuzz/byte_reader.h"

namespace assay::fuzz {

/// Where a tensor lies in its pages, a multiple of the contract's alignment from either end.
struct Place {
  bool at_end = false;  ///< as near to the guard page behind as the alignment lets it
  std::size_t steps = 0;
};

struct CastInput {
  std::vector<Bits> elements;  ///< 1 to kMostElements
  Place in;
  Place out;
  unsigned char old = 0;  ///< what the output's bytes hold before
};

/// Longer than any stretch that a variant treats alike, and short enough for a thousand calls a
/// second.
inline constexpr std::size_t kMostElements = 300;

/// The last bytes are patterns, which repeat until the tensor is full: any words, some with an
/// exponent at an end of a format's range, some made a boundary between two results, or its
/// neighbour.
CastInput cast_input(ByteReader& bytes, Dtype from, Dtype to);

}  // namespace assay::fuzz
