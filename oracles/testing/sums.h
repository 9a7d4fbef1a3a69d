// Sums that are hard to get right, by kind, for the tests of the oracles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "contracts/dtype.h"

namespace assay::oracle::testing {

struct Factors {
  std::vector<Bits> x;
  std::vector<Bits> weight;
};

enum class SumKind : std::uint8_t {
  kWellScaled,    ///< as measured data are
  kCancelling,    ///< most of it twice, once negated, in another order
  kNearTie,       ///< one number, half its last place, and something much smaller
  kSmallInteger,  ///< exact in every order
  kSubnormal,     ///< products around and below the least normal number, some below the subnormals
  kLarge,         ///< products around and beyond the largest
  kFewBits,       ///< powers of two, far apart: ties and near-ties of every derived number
  kAllExponents   ///< whatever is finite
};

inline constexpr SumKind kSumKinds[] = {
    SumKind::kWellScaled, SumKind::kCancelling, SumKind::kNearTie, SumKind::kSmallInteger,
    SumKind::kSubnormal,  SumKind::kLarge,      SumKind::kFewBits, SumKind::kAllExponents};

/// Makes sums of up to `most` products. Everything is finite.
class SumMaker {
 public:
  SumMaker(Dtype dtype, std::uint64_t seed) : format_(traits(dtype)), random_(seed) {}

  Factors make(SumKind kind, std::size_t n) {
    const int low = format_.min_exponent - format_.fraction_bits();
    const int high = format_.max_exponent;
    switch (kind) {
      case SumKind::kWellScaled:
        return fill(n, -4, 1);
      case SumKind::kCancelling:
        return cancelling(n);
      case SumKind::kNearTie:
        return near_tie(n);
      case SumKind::kSmallInteger:
        return integers(n);
      case SumKind::kSubnormal:
        return fill(n, low / 2 - 6, low / 2 + 6);
      case SumKind::kLarge:
        return fill(n, high / 2 - 4, high / 2 + 2);
      case SumKind::kFewBits:
        return few_bits(n, low, high);
      case SumKind::kAllExponents:
        break;
    }
    return fill(n, low, high);
  }

  /// A finite number of the format with an exponent in [low, high], as far as the format has it.
  Bits number(int low, int high) {
    const auto exponent =
        low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
    const Bits sign = random_() % 2 != 0 ? format_.sign_mask() : 0;
    const Bits fraction = random_() & format_.fraction_mask();
    if (exponent >= format_.min_exponent) {
      return sign | static_cast<Bits>(exponent + format_.bias()) << format_.fraction_bits() |
             fraction;
    }
    const int lost = format_.min_exponent - exponent;
    return sign | (fraction | format_.min_normal()) >> std::min(lost, format_.precision);
  }

 private:
  Factors fill(std::size_t n, int low, int high) {
    Factors factors;
    for (std::size_t i = 0; i < n; ++i) {
      factors.x.push_back(number(low, high));
      factors.weight.push_back(number(low, high));
    }
    return factors;
  }

  Factors cancelling(std::size_t n) {
    Factors factors = fill(n / 2, -8, 8);
    for (std::size_t i = n / 2; i-- > 0;) {
      factors.x.push_back(factors.x[i] ^ format_.sign_mask());
      factors.weight.push_back(factors.weight[i]);
    }
    // What is left: nothing, one product, or the change of a last bit.
    if (random_() % 3 == 0) factors.x.back() ^= 1;
    if (factors.x.size() < n && random_() % 2 == 0) {
      factors.x.push_back(number(-10, 0));
      factors.weight.push_back(number(-10, 0));
    }
    return factors;
  }

  Factors near_tie(std::size_t n) {
    Factors factors;
    const auto add = [&](Bits x) {
      factors.x.push_back(x);
      factors.weight.push_back(format_.one());
    };
    const Bits first = number(0, 0);
    const Bits half_place = power(-format_.precision) | (first & format_.sign_mask());
    add(first);
    add(half_place);
    // A product that is far below the place, of either sign, or nothing.
    while (factors.x.size() < n) {
      const int least = format_.min_exponent - format_.fraction_bits();
      add(number(least, least / 2));
      if (random_() % 3 == 0) factors.x.back() &= format_.sign_mask();
    }
    return factors;
  }

  /// One near 1, and others of any size, of one to three bits each.
  Factors few_bits(std::size_t n, int low, int high) {
    Factors factors;
    for (std::size_t i = 0; i < n; ++i) {
      const Bits bits = i == 0 ? number(0, 0) : number(low, high / 2 - 1);
      const Bits kept = ~format_.fraction_mask() | Bits{1} << (random_() % 52) | Bits{1};
      factors.x.push_back(bits >= format_.min_normal() ? bits & kept : bits);
      factors.weight.push_back(random_() % 2 != 0 ? format_.one() : power(-1));
    }
    return factors;
  }

  Factors integers(std::size_t n) {
    Factors factors;
    for (std::size_t i = 0; i < n; ++i) {
      factors.x.push_back(integer());
      factors.weight.push_back(integer());
    }
    return factors;
  }

  Bits power(int exponent) const {
    return static_cast<Bits>(exponent + format_.bias()) << format_.fraction_bits();
  }

  /// ±1, ±2, ±3, ±4 or 0.
  Bits integer() {
    const Bits magnitudes[] = {0, power(0), power(1), power(1) | format_.quiet_bit(), power(2)};
    return magnitudes[random_() % 5] | (random_() % 2 != 0 ? format_.sign_mask() : 0);
  }

  const DtypeTraits& format_;
  std::mt19937_64 random_;
};

inline constexpr Dtype kFloatingDtypes[] = {Dtype::kF64, Dtype::kF32, Dtype::kF16, Dtype::kBF16};

}  // namespace assay::oracle::testing
