// What tensors are filled with: families of values, each of which shows another kind of fault.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "audit/window/geometry.h"

namespace assay::window {

enum class Family : std::uint8_t {
  kIntegers,         ///< -8 … 8 (bfloat16: -2 … 2): sums of 32 products are exact in any order
  kScaled,           ///< around 1, every bit in use
  kWide,             ///< exponents far apart
  kCancelling,       ///< large terms that leave a small rest
  kSubnormal,        ///< products or operands (of a pooling: operands) below the normal range
  kOverflowing,      ///< partial sums that leave the range where the whole does not
  kSpecialInImage,   ///< a NaN or an infinity in the image, or some infinities; zeros in the weight
  kSpecialInWeight,  ///< the same the other way round
  kSpecialInBias,    ///< one NaN or infinity in the bias
  kSignedZeros,      ///< zeros of both signs, tiny and small numbers
  kOnes,             ///< ones: sums that stop growing when they meet the precision
  kBits,             ///< any bit pattern
  kNegative,         ///< negative numbers, infinities and zeros only
  kNans,             ///< mostly NaNs
  kLowest,           ///< negative infinities, the lowest finite numbers and NaNs
  kPair,             ///< two patterns in turn: the halves of the seed's low 32 bits
};
inline constexpr std::size_t kFamilies = 16;

std::string_view to_string(Family family);

/// The families that bear on an operation, the plain ones first.
std::vector<Family> families(const Operation& operation);

/// One probe call. Trivially copyable.
struct Case {
  Geometry geometry;
  Family family = Family::kIntegers;
  std::uint64_t seed = 0;
  /// Of large outputs only every so many results are compared with the oracle; and the last.
  std::uint64_t every = 1;
};

/// How many results of a case are compared with the oracle, and which is the `i`-th of them.
std::size_t looked_at(const Case& the_case);
std::size_t result_at(const Case& the_case, std::size_t i);

/// The operands' elements, row-major; empty where the call has no such operand.
struct Tensors {
  std::vector<Bits> x;
  std::vector<Bits> weight;
  std::vector<Bits> bias;

  /// x, weight, bias.
  std::vector<Bits>& operand(std::size_t index) {
    return index == 0 ? x : index == 1 ? weight : bias;
  }
  const std::vector<Bits>& operand(std::size_t index) const {
    return index == 0 ? x : index == 1 ? weight : bias;
  }
  /// In the order of the call's inputs.
  std::vector<const std::vector<Bits>*> inputs(const Operation& operation,
                                               const Geometry& geometry) const;
};

/// The same for the same case on every machine.
Tensors make_tensors(const Operation& operation, const Case& the_case);

/// The pattern of a small integer, |n| < 2^precision.
Bits integer_bits(std::int64_t n, Dtype dtype);

}  // namespace assay::window
