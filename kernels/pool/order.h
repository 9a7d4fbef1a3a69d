// The order of pool.h, as integers.
#pragma once

#include <limits>
#include <type_traits>

#include "kernels/cast/format.h"

namespace assay::pool {

// The formats under the names that ASSAY_MAX_POOLS uses.
using f32 = cast::F32;
using f64 = cast::F64;
using bf16 = cast::BF16;
using f16 = cast::F16;

/// A signed integer that is greater for a greater element, and least for every NaN: the pattern,
/// with the magnitude inverted where the sign is set.
template <class Format>
constexpr std::make_signed_t<typename Format::Word> order_key(typename Format::Word bits) {
  using Key = std::make_signed_t<typename Format::Word>;
  if ((bits & Format::kMagnitudeMask) > Format::kInfinity) return std::numeric_limits<Key>::min();
  const bool negative = (bits & Format::kSignMask) != 0;
  return static_cast<Key>(negative ? bits ^ Format::kMagnitudeMask : bits);
}

}  // namespace assay::pool
