// The measures of precision, each defined once.
//
// Let y be the exact real result, F the output format with precision p and least normal exponent
// emin, and y_F the value of F that the contract's rounding gives for y.
//
//   ulp_F(y)      2^(max(floor(log2|y|), emin) - p + 1); the least subnormal for y = 0. For integer
//                 formats the spacing is 1. (Muller et al., Handbook of Floating-Point Arithmetic,
//                 2nd ed., section 2.3.2, Goldberg's definition extended to reals.)
//   ULP distance  the number of steps in F's ordered values between a result and y_F: an integer.
//                 Infinity is one step beyond the largest finite value; -0 and +0 are one step
//                 apart. This is what a contract's max_ulp bounds.
//   ULP error     |result - y| / ulp_F(y): a real number, at most 1/2 for correct rounding to
//                 nearest.
//
// A NaN where a number is due, or the reverse, has no distance: it is a violation of its own kind.
// Two NaNs are at distance 0 whatever their bits.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "contracts/dtype.h"

namespace assay {

/// Position of a bit pattern on the format's ordered line: a monotone map for numbers (and, for
/// floating formats, NaNs beyond the infinities of their sign). -0 is -1 and +0 is 0.
constexpr std::int64_t order_key(Bits bits, Dtype dtype) {
  const DtypeTraits& format = traits(dtype);
  switch (format.kind) {
    case NumberKind::kFloating: {
      const auto magnitude = static_cast<std::int64_t>(bits & format.magnitude_mask());
      return format.is_negative(bits) ? -1 - magnitude : magnitude;
    }
    case NumberKind::kSigned: {
      const int unused = 64 - format.width;
      return static_cast<std::int64_t>(bits << unused) >> unused;
    }
    case NumberKind::kUnsigned:
      break;
  }
  return static_cast<std::int64_t>(bits);
}

/// The inverse of `order_key`.
constexpr Bits bits_of_key(std::int64_t key, Dtype dtype) {
  const DtypeTraits& format = traits(dtype);
  if (format.is_floating() && key < 0) {
    return static_cast<Bits>(-1 - key) | format.sign_mask();
  }
  return static_cast<Bits>(key) & format.all_mask();
}

/// Steps between two bit patterns of one format; nothing when exactly one of them is a NaN.
constexpr std::optional<std::uint64_t> ulp_distance(Bits a, Bits b, Dtype dtype) {
  const DtypeTraits& format = traits(dtype);
  if (format.is_nan(a) != format.is_nan(b)) return std::nullopt;
  if (format.is_nan(a)) return 0;
  const std::int64_t ka = order_key(a, dtype);
  const std::int64_t kb = order_key(b, dtype);
  // The difference of two int64 fits uint64 when taken modulo 2^64 in the right order.
  return ka > kb ? static_cast<std::uint64_t>(ka) - static_cast<std::uint64_t>(kb)
                 : static_cast<std::uint64_t>(kb) - static_cast<std::uint64_t>(ka);
}

/// Upper ends of the rows of an ULP-error histogram; row i counts errors in
/// (kErrorEdges[i-1], kErrorEdges[i]], row 0 the exact results. Fine up to 1/2, where correct
/// rounding ends, then coarse.
inline constexpr std::array<double, 26> kErrorEdges = {
    0,         1.0 / 32,
    2.0 / 32,  3.0 / 32,
    4.0 / 32,  5.0 / 32,
    6.0 / 32,  7.0 / 32,
    8.0 / 32,  9.0 / 32,
    10.0 / 32, 11.0 / 32,
    12.0 / 32, 13.0 / 32,
    14.0 / 32, 15.0 / 32,
    16.0 / 32, 20.0 / 32,
    24.0 / 32, 28.0 / 32,
    1,         2,
    4,         16,
    256,       std::numeric_limits<double>::infinity()};

/// The histogram row of an error.
constexpr std::size_t error_row(double error) {
  if (error <= 0.5) {
    const double scaled = error * 32;
    const auto whole = static_cast<std::size_t>(scaled);
    return whole + (static_cast<double>(whole) < scaled ? 1 : 0);
  }
  std::size_t row = 17;
  while (error > kErrorEdges[row]) ++row;
  return row;
}

}  // namespace assay
