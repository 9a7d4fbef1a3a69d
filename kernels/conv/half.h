// Arithmetic in the 16-bit formats, on bit patterns: each operation is the exact result rounded
// once to the format, to nearest, ties to even, whatever the rounding and flush modes of the
// caller. The operation is carried out in f64 and its result rounded to the format by integer
// arithmetic. That rounds twice in name only. With p the format's precision, 11 or 8:
//
//  - A product of two p-bit significands has at most 22 bits, and its magnitude is 0 or from
//    2^-266 to 2^256: in f64 it is exact, and never subnormal.
//  - A sum that f64 does not hold exactly has terms so far apart that the lesser one is below
//    2^-(52 - p) of the greater one, a. The sum then lies within that distance of a, which is in
//    the format, and the nearest midpoint between numbers of the format is no closer to a than
//    2^-(p + 1) of it: f64's rounding, in any direction, stays on the right side of every midpoint.
//    (Figueroa's condition 53 >= 2p + 2 of 1995 says the same for rounding to nearest.)
//  - Both terms of a sum are multiples of the format's least subnormal, so a sum below the least
//    normal number is exact in the format and in f64; a product that is subnormal in the format is
//    exact in f64 and rounded once, to the format's last place.
//  - Whether a result overflows is decided by rounding with the exponent unbounded, to which the
//    above applies; f64's own range is never left.
//
// Only the sign of a sum that is zero depends on the mode in f64. Here a sum of zero is +0.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/cast/convert.h"

namespace assay::conv {

/// The value of a pattern. Exact; a NaN stays one.
template <class Format>
constexpr double half_value(std::uint16_t bits) {
  return std::bit_cast<double>(cast::widen<Format, cast::F64>(bits));
}

template <class Format>
constexpr std::uint16_t half_product(std::uint16_t a, std::uint16_t b) {
  const double exact = half_value<Format>(a) * half_value<Format>(b);
  return cast::narrow<cast::F64, Format>(std::bit_cast<std::uint64_t>(exact));
}

template <class Format>
constexpr std::uint16_t half_sum(std::uint16_t a, std::uint16_t b) {
  const double sum = half_value<Format>(a) + half_value<Format>(b);
  return sum == 0 ? 0 : cast::narrow<cast::F64, Format>(std::bit_cast<std::uint64_t>(sum));
}

}  // namespace assay::conv
