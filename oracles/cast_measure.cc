#include "oracles/cast_measure.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "contracts/measure.h"

namespace assay::oracle {

namespace {
constexpr const DtypeTraits& kDouble = traits(Dtype::kF64);

/// 2^exponent for exponents of normal doubles.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<Bits>(exponent + kDouble.bias())
                               << kDouble.fraction_bits());
}
}  // namespace

double to_double(Bits bits, Dtype dtype) {
  const DtypeTraits& format = traits(dtype);
  if (dtype == Dtype::kF64) return std::bit_cast<double>(bits);
  if (!format.is_floating()) return static_cast<double>(order_key(bits, dtype));
  const Bits sign = format.is_negative(bits) ? kDouble.sign_mask() : 0;
  const Bits magnitude = bits & format.magnitude_mask();
  const int shift = kDouble.fraction_bits() - format.fraction_bits();
  if (magnitude >= format.infinity()) {
    return std::bit_cast<double>(sign | kDouble.infinity() |
                                 ((magnitude & format.fraction_mask()) << shift));
  }
  if (magnitude >= format.min_normal()) {
    const Bits rebias = static_cast<Bits>(kDouble.bias() - format.bias())
                        << kDouble.fraction_bits();
    return std::bit_cast<double>(sign | ((magnitude << shift) + rebias));
  }
  if (magnitude == 0) return std::bit_cast<double>(sign);
  const int leading = static_cast<int>(std::bit_width(magnitude)) - 1;
  const Bits field =
      static_cast<Bits>(leading + format.min_exponent - format.fraction_bits() + kDouble.bias());
  const Bits fraction =
      (magnitude << (kDouble.fraction_bits() - leading)) & kDouble.fraction_mask();
  return std::bit_cast<double>(sign | (field << kDouble.fraction_bits()) | fraction);
}

double fast_ulp_error(Bits input, Bits got, CastOperation operation) {
  const DtypeTraits& to = traits(operation.to);
  const double exact = to_double(input, operation.from);
  const double result = to_double(got, operation.to);
  if (std::isinf(result) != std::isinf(exact)) return HUGE_VAL;
  const double difference = std::fabs(result - exact);
  if (difference == 0 || std::isinf(exact)) return 0;
  if (!to.is_floating()) return difference;
  const auto field = static_cast<int>((std::bit_cast<Bits>(exact) & kDouble.magnitude_mask()) >>
                                      kDouble.fraction_bits());
  const int leading = field - kDouble.bias();
  const int binade = leading < to.min_exponent ? to.min_exponent : leading;
  const int unit = binade - to.fraction_bits();
  // Two steps, since 2^-unit may exceed the largest double.
  return difference * power_of_two(-unit / 2) * power_of_two(-unit - -unit / 2);
}

}  // namespace assay::oracle
