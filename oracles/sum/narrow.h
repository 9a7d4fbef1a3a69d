// Numbers of the floating formats, held as binary64: all of them fit exactly.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "contracts/dtype.h"

namespace assay::oracle {

/// Rounds binary64 numbers to one of the formats, to nearest even, with its subnormals and overflow
/// to infinity. Needs rounding to nearest with subnormals (rounding_scope.h).
class Narrow {
 public:
  explicit Narrow(Dtype dtype)
      : format_(traits(dtype)),
        dropped_(53 - format_.precision),
        min_normal_(std::ldexp(1.0, format_.min_exponent)),
        max_finite_(std::ldexp(2.0 - std::ldexp(1.0, 1 - format_.precision), format_.max_exponent)),
        // Adding it leaves of a number below it the multiple of the least subnormal that is
        // nearest.
        to_subnormal_(1.5 * std::ldexp(1.0, 52 + format_.min_exponent - format_.fraction_bits())) {}

  /// NaN and infinities stay as they are.
  double operator()(double value) const {
    if (dropped_ == 0 || value != value) return value;
    if (std::fabs(value) < min_normal_) {
      return std::copysign((value + to_subnormal_) - to_subnormal_, value);
    }
    auto bits = std::bit_cast<std::uint64_t>(value);
    bits += (std::uint64_t{1} << (dropped_ - 1)) - 1 + (bits >> dropped_ & 1);
    bits &= ~std::uint64_t{0} << dropped_;
    const auto rounded = std::bit_cast<double>(bits);
    if (std::fabs(rounded) <= max_finite_) return rounded;
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  }

  /// The bit pattern of a number of the format; the quiet NaN without sign and payload for NaNs.
  Bits bits(double number) const {
    if (number != number) return format_.infinity() | format_.quiet_bit();
    if (dropped_ == 0) return std::bit_cast<std::uint64_t>(number);
    const Bits sign = std::signbit(number) ? format_.sign_mask() : 0;
    const double magnitude = std::fabs(number);
    if (magnitude > max_finite_) return sign | format_.infinity();
    if (magnitude < min_normal_) {
      return sign | static_cast<Bits>(
                        std::ldexp(magnitude, format_.fraction_bits() - format_.min_exponent));
    }
    // The exponent field follows from that of binary64, whose bias is 1023.
    const auto wide = std::bit_cast<std::uint64_t>(magnitude) >> dropped_;
    return sign | (wide - (static_cast<Bits>(1023 - format_.bias()) << format_.fraction_bits()));
  }

 private:
  const DtypeTraits& format_;
  int dropped_;
  double min_normal_;
  double max_finite_;
  double to_subnormal_;
};

}  // namespace assay::oracle
