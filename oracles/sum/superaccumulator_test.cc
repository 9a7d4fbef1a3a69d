// Sums without roundings, against MPFR and where carries and borrows run far.
#include "oracles/sum/superaccumulator.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "contracts/testing/catch.h"
#include "oracles/sum/wide_real.h"

namespace assay::oracle {
namespace {

constexpr double kLeast = std::numeric_limits<double>::denorm_min();
constexpr double kMost = std::numeric_limits<double>::max();

/// Whether the wide number is `due` rounded to odd at 128 bits.
bool is_rounded_to_odd(const WideReal& wide, MpfrReal& due) {
  if (mpfr_zero_p(due.get())) return wide.high == 0 && wide.low == 0 && !wide.negative;
  MpfrReal value(kWidePrecision);
  MpfrReal scratch(kWidePrecision);
  set(value, wide, scratch);
  MpfrReal truncated(128);
  const bool exact = mpfr_set(truncated.get(), due.get(), MPFR_RNDZ) == 0;
  const bool top = wide.high >> 63 == 1;
  if (exact) return top && mpfr_equal_p(value.get(), due.get());
  // The last bit is 1, and what stands above it is what truncation leaves.
  MpfrReal upper(127);
  MpfrReal due_upper(127);
  mpfr_set(upper.get(), value.get(), MPFR_RNDZ);
  mpfr_set(due_upper.get(), truncated.get(), MPFR_RNDZ);
  return top && (wide.low & 1) == 1 && mpfr_equal_p(upper.get(), due_upper.get());
}

/// Both sums of these products against MPFR's.
bool agrees(Superaccumulator& accumulator, const std::vector<std::pair<double, double>>& products) {
  accumulator.clear();
  MpfrReal sum(4400);
  MpfrReal magnitudes(4400);
  MpfrReal product(106);
  MpfrReal factor(53);
  mpfr_set_zero(sum.get(), 1);
  mpfr_set_zero(magnitudes.get(), 1);
  for (const auto& [a, b] : products) {
    accumulator.add_product(a, b);
    mpfr_set_d(factor.get(), a, MPFR_RNDN);
    mpfr_mul_d(product.get(), factor.get(), b, MPFR_RNDN);
    mpfr_add(sum.get(), sum.get(), product.get(), MPFR_RNDN);
    mpfr_abs(product.get(), product.get(), MPFR_RNDN);
    mpfr_add(magnitudes.get(), magnitudes.get(), product.get(), MPFR_RNDN);
  }
  return is_rounded_to_odd(accumulator.sum(), sum) &&
         is_rounded_to_odd(accumulator.magnitudes(), magnitudes);
}

TEST_CASE("nothing added is zero, and so is what cancels") {
  Superaccumulator accumulator;
  CHECK(agrees(accumulator, {}));
  CHECK(agrees(accumulator, {{0.0, 5.0}, {-0.0, 1.0}}));
  CHECK(agrees(accumulator, {{3.0, 5.0}, {-15.0, 1.0}}));
  CHECK(agrees(accumulator, {{kMost, kMost}, {kLeast, kLeast}, {-kMost, kMost}}));
  CHECK(agrees(accumulator, {{kMost, kMost}, {kLeast, -kLeast}, {-kMost, kMost}}));
}

TEST_CASE("the ends of the range are in it") {
  Superaccumulator accumulator;
  CHECK(agrees(accumulator, {{kLeast, kLeast}}));
  CHECK(agrees(accumulator, {{kMost, -kMost}}));
  CHECK(agrees(accumulator, std::vector<std::pair<double, double>>(1000, {kMost, kMost})));
  CHECK(agrees(accumulator, std::vector<std::pair<double, double>>(1000, {kLeast, -kLeast})));
}

TEST_CASE("carries and borrows run through every word") {
  Superaccumulator accumulator;
  // All ones from the top down to the least bit, then one more; and one less than a high power.
  std::vector<std::pair<double, double>> ones;
  for (int exponent = -1074; exponent < 960; ++exponent) {
    ones.push_back({std::ldexp(1.0, exponent), 1.0});
  }
  CHECK(agrees(accumulator, ones));
  ones.push_back({kLeast, 1.0});
  CHECK(agrees(accumulator, ones));
  CHECK(agrees(accumulator, {{0x1p1000, 1.0}, {-kLeast, 1.0}}));
  CHECK(agrees(accumulator, {{-0x1p1000, 0x1p1000}, {kLeast, kLeast}}));
}

TEST_CASE("many equal products carry into a word of their own") {
  // The lowest bit of the product is the last of a word: 2^23 of it need a fourth one.
  const double factor = std::ldexp(0x1.fffffffffffffp0, 1);
  const double other = std::ldexp(0x1.fffffffffffffp0, 2);
  Superaccumulator accumulator;
  constexpr std::uint64_t kCount = (std::uint64_t{1} << 23) + 12345;
  int shift = 0;
  // 2148 - 52 - 52 + 3 places up from the lowest bit, and on to the end of the word.
  while ((2047 + shift) % 64 != 63) ++shift;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    accumulator.add_product(std::ldexp(factor, shift), -other);
  }
  MpfrReal due(160);
  mpfr_set_d(due.get(), std::ldexp(factor, shift), MPFR_RNDN);
  mpfr_mul_d(due.get(), due.get(), -other, MPFR_RNDN);
  mpfr_mul_ui(due.get(), due.get(), kCount, MPFR_RNDN);
  CHECK(is_rounded_to_odd(accumulator.sum(), due));
  mpfr_abs(due.get(), due.get(), MPFR_RNDN);
  CHECK(is_rounded_to_odd(accumulator.magnitudes(), due));
}

TEST_CASE("sums of any products are exact, whatever was added before") {
  std::mt19937_64 random(23);
  Superaccumulator accumulator;
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::pair<double, double>> products;
    const std::size_t n = 1 + random() % 40;
    const bool near = round % 2 == 0;
    const auto number = [&] {
      const std::uint64_t field = near ? 1000 + random() % 50 : random() % 2047;
      return std::bit_cast<double>((random() & 0x800fffffffffffffu) | field << 52);
    };
    for (std::size_t i = 0; i < n; ++i) products.push_back({number(), number()});
    // Some of them taken back again, so that the leading words cancel.
    for (std::size_t i = 0; i < n / 2; ++i)
      products.push_back({-products[i].first, products[i].second});
    REQUIRE(agrees(accumulator, products));
  }
}

}  // namespace
}  // namespace assay::oracle
