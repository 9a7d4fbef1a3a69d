#include "audit/window/values.h"

#include <algorithm>
#include <array>
#include <bit>

#include "audit/probe/space.h"

namespace assay::window {

namespace {

constexpr std::array<std::string_view, kFamilies> kNames = {"small integers",
                                                            "well scaled",
                                                            "wide exponents",
                                                            "cancelling",
                                                            "subnormal",
                                                            "overflowing sums",
                                                            "special in the image",
                                                            "special in the weight",
                                                            "special in the bias",
                                                            "signed zeros",
                                                            "ones",
                                                            "any bits",
                                                            "negative",
                                                            "mostly NaN",
                                                            "lowest",
                                                            "pair"};

/// A stream of numbers from one seed.
class Draw {
 public:
  Draw(std::uint64_t seed, Dtype dtype) : state_(mix(seed)), format_(traits(dtype)) {}

  std::uint64_t bits() { return mix(state_++); }
  /// 0 … n - 1.
  std::uint64_t below(std::uint64_t n) { return bits() % n; }
  bool coin() { return (bits() >> 7 & 1) != 0; }

  /// ± 1.f * 2^exponent with a random fraction; exponents beyond the normal range are clamped.
  Bits number(int exponent) {
    exponent = std::clamp(exponent, format_.min_exponent, format_.max_exponent);
    const Bits biased = static_cast<Bits>(exponent + format_.bias()) << format_.fraction_bits();
    return sign(biased | (bits() & format_.fraction_mask()));
  }
  Bits sign(Bits magnitude) { return coin() ? magnitude | format_.sign_mask() : magnitude; }
  Bits power(int exponent) {
    exponent = std::clamp(exponent, format_.min_exponent, format_.max_exponent);
    return static_cast<Bits>(exponent + format_.bias()) << format_.fraction_bits();
  }
  /// Of magnitude 1 at most, small ones as rarely as uniform real numbers are.
  Bits scaled() { return number(-1 - std::countl_zero(bits() | 1)); }
  Bits subnormal() { return sign(bits() & format_.fraction_mask()); }
  Bits nan() {
    const Bits payload = bits() & format_.fraction_mask();
    const Bits fraction = coin() ? payload | format_.quiet_bit() : payload & ~format_.quiet_bit();
    return sign(format_.infinity() | (fraction == 0 ? 1 : fraction));
  }
  Bits special() { return below(3) == 0 ? sign(format_.infinity()) : nan(); }
  Bits any() { return bits() & format_.all_mask(); }

  const DtypeTraits& format() const { return format_; }

 private:
  std::uint64_t state_;
  const DtypeTraits& format_;
};

enum class Operand : std::uint8_t { kImage, kWeight, kBias };

/// The `i`-th element of an operand.
Bits element(Draw& draw, Family family, Operand operand, std::size_t i, bool second_kind) {
  const DtypeTraits& format = draw.format();
  const int half_range = format.max_exponent / 2;
  switch (family) {
    case Family::kIntegers: {
      // The fewer bits a significand has, the sooner sums of larger numbers are rounded.
      const std::int64_t most = format.precision < 11 ? 2 : 8;
      const std::uint64_t all = 2 * static_cast<std::uint64_t>(most) + 1;
      return integer_bits(static_cast<std::int64_t>(draw.below(all)) - most, format.dtype);
    }
    case Family::kSpecialInWeight:
      if (second_kind && operand == Operand::kWeight && draw.below(8) == 0) {
        return draw.sign(format.infinity());
      }
      // A zero that meets it gives NaN.
      if (operand == Operand::kImage && draw.below(3) == 0) return draw.sign(0);
      return draw.scaled();
    case Family::kSpecialInImage:
      if (second_kind && operand == Operand::kImage && draw.below(8) == 0) {
        return draw.sign(format.infinity());
      }
      if (operand == Operand::kWeight && draw.below(3) == 0) return draw.sign(0);
      return draw.scaled();
    case Family::kScaled:
    case Family::kSpecialInBias:
      return draw.scaled();
    case Family::kWide: {
      const int reach = std::min(half_range - 3, 2 * format.precision);
      return draw.number(static_cast<int>(draw.below(2 * static_cast<unsigned>(reach) + 1)) -
                         reach);
    }
    case Family::kCancelling: {
      if (operand == Operand::kImage) {
        return draw.power(0) | (draw.bits() & (format.fraction_mask() >> (format.precision / 2)));
      }
      // Large, the same with the other sign, small.
      const int large = std::min(format.precision - 2, half_range - 2);
      if (operand == Operand::kBias || i % 3 == 2) return draw.scaled();
      return draw.power(large) | (i % 3 == 0 ? 0 : format.sign_mask());
    }
    case Family::kSubnormal: {
      if (!second_kind) {
        return operand == Operand::kWeight ? draw.number(static_cast<int>(draw.below(5)) - 2)
                                           : draw.subnormal();
      }
      // Normal operands whose products are subnormal, or vanish.
      if (operand == Operand::kBias) return draw.subnormal();
      const int middle = (format.min_exponent - format.precision / 2) / 2;
      return draw.number(middle + static_cast<int>(draw.below(5)) - 2);
    }
    case Family::kOverflowing: {
      if (operand == Operand::kBias) return draw.number(format.max_exponent - 1);
      const int exponent =
          operand == Operand::kImage ? half_range : format.max_exponent - half_range - 1;
      const Bits magnitude = draw.number(exponent) & format.magnitude_mask();
      // Two up, two down. A product is from a quarter of the range's end up to that: most sums of
      // two leave the range.
      const bool down = operand == Operand::kWeight && (i / 2) % 2 == 1;
      return down ? magnitude | format.sign_mask() : magnitude;
    }
    case Family::kSignedZeros: {
      const std::uint64_t kind = draw.below(8);
      if (kind < 5) return draw.sign(0);
      if (kind == 5) return draw.sign(1);
      return draw.sign(kind == 6 ? draw.power(0) : draw.power(format.min_exponent));
    }
    case Family::kOnes:
      if (operand == Operand::kBias) return draw.power(-format.precision);
      return draw.power(0) | (second_kind && operand == Operand::kWeight ? 1 : 0);
    case Family::kBits:
      return draw.any();
    case Family::kNegative: {
      const std::uint64_t kind = draw.below(8);
      if (kind == 0) return format.infinity() | format.sign_mask();
      if (kind == 1) return format.sign_mask();
      return draw.number(static_cast<int>(draw.below(9)) - 4) | format.sign_mask();
    }
    case Family::kNans: {
      const std::uint64_t kind = draw.below(8);
      if (kind == 0) return draw.sign(format.infinity());
      return kind < 3 ? draw.scaled() : draw.nan();
    }
    case Family::kLowest: {
      const std::uint64_t kind = draw.below(8);
      if (kind < 5) return format.infinity() | format.sign_mask();
      return kind < 7 ? format.max_finite() | format.sign_mask() : draw.nan();
    }
    case Family::kPair:
      break;  // not drawn
  }
  return 0;
}

}  // namespace

std::string_view to_string(Family family) {
  return kNames[static_cast<std::size_t>(family)];
}

std::vector<Family> families(const Operation& operation) {
  if (operation.is_sum()) {
    std::vector<Family> all = {Family::kIntegers,
                               Family::kScaled,
                               Family::kWide,
                               Family::kCancelling,
                               Family::kSubnormal,
                               Family::kOverflowing,
                               Family::kSpecialInWeight,
                               Family::kSpecialInImage,
                               Family::kSignedZeros,
                               Family::kOnes,
                               Family::kBits};
    if (operation.takes_bias) all.push_back(Family::kSpecialInBias);
    return all;
  }
  return {Family::kIntegers, Family::kScaled,      Family::kBits,      Family::kSpecialInImage,
          Family::kNegative, Family::kSignedZeros, Family::kSubnormal, Family::kNans,
          Family::kLowest,   Family::kWide};
}

std::vector<const std::vector<Bits>*> Tensors::inputs(const Operation& operation,
                                                      const Geometry& geometry) const {
  std::vector<const std::vector<Bits>*> all = {&x};
  if (operation.is_sum()) all.push_back(&weight);
  if (geometry.bias) all.push_back(&bias);
  return all;
}

Tensors make_tensors(const Operation& operation, const Case& the_case) {
  const std::vector<Shape> shapes = input_shapes(operation, the_case.geometry);
  Draw draw(the_case.seed, operation.dtype);
  // Of a pooling there is one kind of each family: nothing is multiplied.
  const bool second_kind = draw.coin() && operation.is_sum();
  const auto filled = [&](std::size_t count, Operand operand) {
    std::vector<Bits> values(count);
    for (std::size_t i = 0; i < count && the_case.family == Family::kPair; ++i) {
      values[i] = (i % 2 == 0 ? the_case.seed >> 16 : the_case.seed) & 0xffff;
    }
    for (std::size_t i = 0; i < count && the_case.family != Family::kPair; ++i) {
      values[i] = element(draw, the_case.family, operand, i, second_kind);
    }
    return values;
  };
  Tensors tensors;
  tensors.x = filled(elements(shapes[0]), Operand::kImage);
  if (operation.is_sum()) tensors.weight = filled(elements(shapes[1]), Operand::kWeight);
  if (the_case.geometry.bias) tensors.bias = filled(elements(shapes[2]), Operand::kBias);
  if (the_case.family == Family::kSpecialInImage && !second_kind && !tensors.x.empty()) {
    tensors.x[draw.below(tensors.x.size())] = draw.special();
  }
  if (the_case.family == Family::kSpecialInWeight && !second_kind && !tensors.weight.empty()) {
    tensors.weight[draw.below(tensors.weight.size())] = draw.special();
  }
  if (the_case.family == Family::kSpecialInBias && !tensors.bias.empty()) {
    tensors.bias[draw.below(tensors.bias.size())] = draw.special();
  }
  return tensors;
}

std::size_t looked_at(const Case& the_case) {
  const std::size_t results = elements(output_shape(the_case.geometry));
  if (the_case.every <= 1 || results == 0) return results;
  const std::size_t last = results - 1;
  return last / the_case.every + (last % the_case.every == 0 ? 1 : 2);
}

std::size_t result_at(const Case& the_case, std::size_t i) {
  const std::size_t results = elements(output_shape(the_case.geometry));
  return std::min<std::size_t>(i * std::max<std::uint64_t>(the_case.every, 1), results - 1);
}

Bits integer_bits(std::int64_t n, Dtype dtype) {
  const DtypeTraits& format = traits(dtype);
  if (n == 0) return 0;
  const auto magnitude = static_cast<std::uint64_t>(n < 0 ? -n : n);
  const int exponent = static_cast<int>(std::bit_width(magnitude)) - 1;
  const int shift = format.fraction_bits() - exponent;  // below 0: bits that do not fit are cut
  const Bits aligned = shift >= 0 ? magnitude << shift : magnitude >> -shift;
  const Bits fraction = aligned & format.fraction_mask();
  const Bits biased = static_cast<Bits>(exponent + format.bias()) << format.fraction_bits();
  return biased | fraction | (n < 0 ? format.sign_mask() : 0);
}

}  // namespace assay::window
