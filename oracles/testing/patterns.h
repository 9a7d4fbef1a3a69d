// Bit patterns for the tests of the oracles: every exponent, crossed with significands of different
// shapes.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "contracts/dtype.h"
#include "oracles/special_values.h"

namespace assay::oracle::testing {

/// The special values, and `per_exponent` seeded patterns of each exponent (of each bit length, for
/// integers): random, sparse, and nearly-full significands in turn.
inline std::vector<Bits> patterns(Dtype dtype, int per_exponent, std::uint64_t seed) {
  const DtypeTraits& format = traits(dtype);
  std::vector<Bits> all = special_values(dtype);
  std::mt19937_64 random(seed);
  const auto significand = [&](int turn) -> Bits {
    if (turn % 3 == 0) return random();
    const Bits few = Bits{1} << (random() % 64) | Bits{1} << (random() % 64);
    return turn % 3 == 1 ? few : ~few;
  };
  if (!format.is_floating()) {
    for (int length = 1; length <= format.width; ++length) {
      const Bits top = Bits{1} << (length - 1);
      for (int i = 0; i < per_exponent; ++i) all.push_back(top | (significand(i) & (top - 1)));
    }
    return all;
  }
  for (Bits field = 0; field <= format.infinity() >> format.fraction_bits(); ++field) {
    for (int i = 0; i < per_exponent; ++i) {
      const Bits sign = i % 2 == 0 ? 0 : format.sign_mask();
      all.push_back(sign | field << format.fraction_bits() |
                    (significand(i) & format.fraction_mask()));
    }
  }
  return all;
}

}  // namespace assay::oracle::testing
