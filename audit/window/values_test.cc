// Each family of values is what its comment in values.h says, in every format.
#include "audit/window/values.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "audit/window/testing/reading.h"
#include "audit/window/truth.h"
#include "contracts/testing/catch.h"
#include "oracles/cast_exact.h"

namespace assay::window {
namespace {

constexpr std::array<Dtype, 4> kFormats = {Dtype::kF32, Dtype::kF64, Dtype::kBF16, Dtype::kF16};

/// The value of a finite pattern; exact on x86-64, where a long double holds every format.
long double value(Bits bits, Dtype dtype) {
  const DtypeTraits& format = traits(dtype);
  const auto exponent = static_cast<int>((bits & format.infinity()) >> format.fraction_bits());
  const auto fraction = static_cast<long double>(bits & format.fraction_mask());
  const int scale = std::max(exponent, 1) - format.bias() - format.fraction_bits();
  const long double hidden = exponent == 0 ? 0 : std::ldexp(1.0L, format.fraction_bits());
  const long double magnitude = std::ldexp(hidden + fraction, scale);
  return format.is_negative(bits) ? -magnitude : magnitude;
}

/// A convolution of two channels, 3x3, or a pooling of 2x2.
Geometry geometry_of(const Operation& operation) {
  Geometry geometry;
  geometry.extents.in_channels = 2;
  geometry.extents.out_channels = operation.is_sum() ? 4 : 2;
  geometry.extents.image = {8, 9};
  geometry.extents.kernel = operation.is_sum() ? Pair{3, 3} : Pair{2, 2};
  geometry.bias = operation.takes_bias;
  REQUIRE(complete(operation, geometry));
  return geometry;
}

Tensors drawn(const Operation& operation, Family family, std::uint64_t seed) {
  return make_tensors(operation, {geometry_of(operation), family, seed});
}

const Operation& simple(Dtype dtype) {
  return testing::operation("conv2d_simple", dtype);
}
const Operation& pooling(Dtype dtype) {
  return testing::operation("max_pool2d", dtype);
}

template <class Holds>
std::size_t count(const std::vector<Bits>& values, Holds holds) {
  return static_cast<std::size_t>(std::count_if(values.begin(), values.end(), holds));
}

template <class Holds>
bool all(const std::vector<Bits>& values, Holds holds) {
  return std::all_of(values.begin(), values.end(), holds);
}

TEST_CASE("integers have the patterns that the oracle gives them", "[window]") {
  for (const Dtype dtype : kFormats) {
    oracle::ExactCast exact({Dtype::kI64, dtype, oracle::natural_rounding(Dtype::kI64, dtype)});
    const std::int64_t end = std::int64_t{1} << std::min(traits(dtype).precision, 16);
    for (std::int64_t n = 1 - end; n < end; ++n) {
      if (integer_bits(n, dtype) != exact(static_cast<Bits>(n))) {
        FAIL(traits(dtype).name << " " << n);
      }
    }
    const std::int64_t most = (std::int64_t{1} << traits(dtype).precision) - 1;
    CHECK(integer_bits(most, dtype) == exact(static_cast<Bits>(most)));
    CHECK(integer_bits(-most, dtype) == exact(static_cast<Bits>(-most)));
  }
}

TEST_CASE("tensors have the sizes of the call, and are those of their seed", "[window]") {
  const Operation& operation = testing::operation("conv2d", Dtype::kF32);
  const Geometry geometry = geometry_of(operation);
  for (const Family family : families(operation)) {
    INFO(to_string(family));
    const Tensors tensors = make_tensors(operation, {geometry, family, 5});
    CHECK(tensors.x.size() == 2 * 8 * 9);
    CHECK(tensors.weight.size() == 4 * 2 * 9);
    CHECK(tensors.bias.size() == 4);
    const auto inputs = tensors.inputs(operation, geometry);
    REQUIRE(inputs.size() == 3);
    CHECK((inputs[0] == &tensors.x && inputs[1] == &tensors.weight && inputs[2] == &tensors.bias));
    const Tensors again = make_tensors(operation, {geometry, family, 5});
    CHECK((again.x == tensors.x && again.weight == tensors.weight && again.bias == tensors.bias));
    if (family == Family::kOnes) continue;
    const Tensors other = make_tensors(operation, {geometry, family, 6});
    CHECK((other.x != tensors.x || other.weight != tensors.weight));
  }
  const Tensors pooled = drawn(pooling(Dtype::kF32), Family::kScaled, 1);
  CHECK(pooled.weight.empty());
  CHECK(pooled.inputs(pooling(Dtype::kF32), geometry_of(pooling(Dtype::kF32))).size() == 1);
}

TEST_CASE("the families of an operation are distinct and have names", "[window]") {
  for (const char* kernel : {"conv2d", "max_pool2d"}) {
    const std::vector<Family> list = families(testing::operation(kernel, Dtype::kF32));
    CHECK(list[0] == Family::kIntegers);
    CHECK(list[1] == Family::kScaled);
    std::set<std::string_view> names;
    for (const Family family : list) names.insert(to_string(family));
    CHECK(names.size() == list.size());
    CHECK(names.count(to_string(Family::kPair)) == 0);
  }
}

TEST_CASE("sums of small integers are exact in any order", "[window]") {
  for (const Dtype dtype : kFormats) {
    INFO(traits(dtype).name);
    const Operation& operation = simple(dtype);
    const Geometry geometry = geometry_of(operation);  // 18 products
    std::set<long double> seen;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Tensors tensors = drawn(operation, Family::kIntegers, seed);
      for (const Bits bits : tensors.x) seen.insert(value(bits, dtype));
      for (std::size_t r = 0; r < elements(output_shape(geometry)); ++r) {
        long double magnitudes = 0;
        for (const oracle::Term& term : terms(operation, geometry, r)) {
          const long double product =
              value(tensors.x[term.x], dtype) * value(tensors.weight[term.weight], dtype);
          CHECK(product == std::trunc(product));
          magnitudes += std::fabs(product);
        }
        // No partial sum in any order is larger, so every one is an integer that the format holds.
        CHECK(magnitudes <= std::ldexp(1.0L, traits(dtype).precision));
      }
    }
    CHECK(seen.count(0) == 1);
    CHECK(*seen.begin() == -*seen.rbegin());
    CHECK(seen.size() == static_cast<std::size_t>(2 * *seen.rbegin() + 1));
  }
}

TEST_CASE("well scaled numbers are around 1 and use every bit", "[window]") {
  for (const Dtype dtype : kFormats) {
    INFO(traits(dtype).name);
    const Tensors tensors = drawn(simple(dtype), Family::kScaled, 3);
    CHECK(all(tensors.x, [&](Bits b) { return std::fabs(value(b, dtype)) < 1; }));
    CHECK(count(tensors.x, [&](Bits b) { return std::fabs(value(b, dtype)) >= 0.25L; }) >
          tensors.x.size() / 2);
    Bits set = 0;
    Bits clear = 0;
    for (const Bits bits : tensors.x) {
      set |= bits;
      clear |= ~bits;
    }
    const Bits mask = traits(dtype).fraction_mask() | traits(dtype).sign_mask();
    CHECK((set & mask) == mask);
    CHECK((clear & mask) == mask);
  }
}

TEST_CASE("wide exponents lie far apart and no product leaves the range", "[window]") {
  for (const Dtype dtype : kFormats) {
    INFO(traits(dtype).name);
    const Tensors tensors = drawn(simple(dtype), Family::kWide, 3);
    int least = 1 << 20;
    int most = -least;
    for (const Bits bits : tensors.x) {
      least = std::min(least, std::ilogb(value(bits, dtype)));
      most = std::max(most, std::ilogb(value(bits, dtype)));
    }
    // Further than a significand reaches; of F16, whose exponents reach no further, as far as goes.
    CHECK(most - least >= std::min(3 * traits(dtype).precision, 8));
    CHECK(2 * (most + 1) < traits(dtype).max_exponent);
  }
}

TEST_CASE("cancelling sums lose about half of their digits", "[window]") {
  for (const Dtype dtype : kFormats) {
    INFO(traits(dtype).name);
    const Operation& operation = simple(dtype);
    const Geometry geometry = geometry_of(operation);
    const Tensors tensors = drawn(operation, Family::kCancelling, 2);
    TruthSource source(operation, geometry, tensors);
    const std::size_t results = elements(output_shape(geometry));
    std::size_t large = 0;
    for (std::size_t r = 0; r < results; ++r) {
      const Truth truth = source.truth(r);
      CHECK(truth.finite);
      CHECK(truth.bounded);
      large += truth.condition > std::ldexp(1.0, traits(dtype).precision / 2 - 1) ? 1 : 0;
    }
    CHECK(large > results / 2);
  }
}

TEST_CASE("subnormal cases have operands or products below the normal range", "[window]") {
  for (const Dtype dtype : kFormats) {
    INFO(traits(dtype).name);
    const DtypeTraits& format = traits(dtype);
    const Operation& operation = simple(dtype);
    const Geometry geometry = geometry_of(operation);
    std::size_t of_operands = 0;
    std::size_t of_products = 0;
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
      const Tensors tensors = drawn(operation, Family::kSubnormal, seed);
      const auto subnormal = [&](Bits b) { return format.is_subnormal(b) || format.is_zero(b); };
      if (all(tensors.x, subnormal)) {
        CHECK(count(tensors.x, [&](Bits b) { return format.is_subnormal(b); }) > 100);
        ++of_operands;
        continue;
      }
      CHECK(all(tensors.x, [&](Bits b) { return !subnormal(b) && format.is_finite(b); }));
      std::size_t products = 0;
      std::size_t below = 0;
      std::size_t vanishing = 0;
      for (std::size_t r = 0; r < elements(output_shape(geometry)); ++r) {
        for (const oracle::Term& term : terms(operation, geometry, r)) {
          // A product of two 53-bit significands is rounded here, its exponent is not.
          const long double product =
              value(tensors.x[term.x], dtype) * value(tensors.weight[term.weight], dtype);
          ++products;
          below += std::ilogb(product) < format.min_exponent ? 1 : 0;
          vanishing += std::ilogb(product) < format.min_exponent - format.precision + 1 ? 1 : 0;
        }
      }
      CHECK(below > products / 2);
      CHECK(vanishing < products / 2);
      ++of_products;
    }
    CHECK(of_operands >= 3);
    CHECK(of_products >= 3);
    // Nothing is multiplied in a pooling: there are the operands only.
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
      const Tensors tensors = drawn(pooling(dtype), Family::kSubnormal, seed);
      CHECK(count(tensors.x, [&](Bits b) { return format.is_subnormal(b); }) > 100);
    }
  }
}

TEST_CASE("partial sums overflow where the exact sum does not", "[window]") {
  for (const char* kernel : {"conv2d", "conv2d_simple", "conv_transpose2d"}) {
    for (const Dtype dtype : kFormats) {
      if (std::string(kernel) != "conv2d_simple" && traits(dtype).width == 16) continue;
      INFO(kernel << " " << traits(dtype).name);
      const DtypeTraits& format = traits(dtype);
      const Operation& operation = testing::operation(kernel, dtype);
      const Geometry geometry = geometry_of(operation);
      std::size_t shown = 0;
      std::size_t kept = 0;
      const std::size_t results = elements(output_shape(geometry));
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Tensors tensors = drawn(operation, Family::kOverflowing, seed);
        CHECK(all(tensors.x, [&](Bits b) { return format.is_finite(b); }));
        CHECK(all(tensors.weight, [&](Bits b) { return format.is_finite(b); }));
        TruthSource source(operation, geometry, tensors);
        for (std::size_t r = 0; r < results; ++r) {
          const Truth truth = source.truth(r);
          CHECK(truth.finite);
          const bool whole = format.is_finite(truth.exact);
          shown += whole && !format.is_finite(truth.model) ? 1 : 0;
          kept += whole && format.is_finite(truth.model) ? 1 : 0;
        }
      }
      CHECK(shown > results / 4);  // of four times as many
      CHECK(kept > 0);
    }
  }
}

TEST_CASE("one element is special, or some are infinite, of the operand that is named",
          "[window]") {
  for (const Dtype dtype : kFormats) {
    INFO(traits(dtype).name);
    const DtypeTraits& format = traits(dtype);
    const auto special = [&](Bits b) { return !format.is_finite(b); };
    std::size_t nans = 0;
    std::size_t infinities = 0;
    std::size_t many = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const Tensors image = drawn(simple(dtype), Family::kSpecialInImage, seed);
      const auto infinite = [&](Bits b) { return format.is_infinite(b); };
      CHECK((count(image.x, special) == 1 || count(image.x, special) == count(image.x, infinite)));
      CHECK(count(image.weight, special) == 0);
      CHECK(count(image.weight, [&](Bits b) { return format.is_zero(b); }) > 3);
      many += count(image.x, infinite) > 5 ? 1 : 0;
      const Tensors weight = drawn(simple(dtype), Family::kSpecialInWeight, seed);
      CHECK(count(weight.x, special) == 0);
      CHECK((count(weight.weight, special) == 1 ||
             count(weight.weight, special) == count(weight.weight, infinite)));
      CHECK(count(weight.x, [&](Bits b) { return format.is_zero(b); }) > 10);
      nans += count(weight.weight, [&](Bits b) { return format.is_nan(b); });
      infinities += count(image.x, [&](Bits b) { return format.is_infinite(b); });
    }
    CHECK(nans > 5);
    CHECK(infinities > 5);
    CHECK(many > 5);
  }
}

TEST_CASE("signed zeros are of both signs, with tiny and small numbers", "[window]") {
  for (const Dtype dtype : kFormats) {
    INFO(traits(dtype).name);
    const DtypeTraits& format = traits(dtype);
    const Tensors tensors = drawn(simple(dtype), Family::kSignedZeros, 4);
    CHECK(count(tensors.x, [&](Bits b) { return b == 0; }) > 20);
    CHECK(count(tensors.x, [&](Bits b) { return b == format.sign_mask(); }) > 20);
    CHECK(count(tensors.x, [&](Bits b) { return (b & format.magnitude_mask()) == 1; }) > 5);
    CHECK(count(tensors.x,
                [&](Bits b) { return (b & format.magnitude_mask()) == format.min_normal(); }) > 5);
    CHECK(count(tensors.x, [&](Bits b) { return (b & format.magnitude_mask()) == format.one(); }) >
          5);
  }
}

TEST_CASE("ones are ones, and weights one step more in every other case", "[window]") {
  for (const Dtype dtype : kFormats) {
    const Bits one = traits(dtype).one();
    std::size_t plain = 0;
    std::size_t more = 0;
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
      const Tensors tensors = drawn(simple(dtype), Family::kOnes, seed);
      CHECK(all(tensors.x, [&](Bits b) { return b == one; }));
      plain += all(tensors.weight, [&](Bits b) { return b == one; }) ? 1 : 0;
      more += all(tensors.weight, [&](Bits b) { return b == one + 1; }) ? 1 : 0;
    }
    CHECK(plain + more == 16);
    CHECK(plain > 2);
    CHECK(more > 2);
  }
  // A bias of half a step of 1: what it does to a sum of ones shows where it is added.
  const Operation& operation = testing::operation("conv2d", Dtype::kF32);
  const Tensors tensors = drawn(operation, Family::kOnes, 1);
  CHECK(all(tensors.bias, [](Bits b) { return value(b, Dtype::kF32) == std::ldexp(1.0L, -24); }));
}

TEST_CASE("families of any pattern, of negative numbers, of NaNs and of the lowest", "[window]") {
  for (const Dtype dtype : kFormats) {
    INFO(traits(dtype).name);
    const DtypeTraits& format = traits(dtype);
    const Operation& operation = pooling(dtype);
    const Bits lowest = format.max_finite() | format.sign_mask();
    const Bits infinity = format.infinity() | format.sign_mask();
    const auto nan = [&](Bits b) { return format.is_nan(b); };

    const std::vector<Bits> any = drawn(operation, Family::kBits, 1).x;
    CHECK(std::set<Bits>(any.begin(), any.end()).size() > any.size() * 9 / 10);
    CHECK(count(any, [&](Bits b) { return format.is_negative(b); }) > any.size() / 3);
    CHECK(all(any, [&](Bits b) { return (b & ~format.all_mask()) == 0; }));

    const std::vector<Bits> negative = drawn(operation, Family::kNegative, 1).x;
    CHECK(all(negative, [&](Bits b) { return format.is_negative(b) && !format.is_nan(b); }));
    CHECK(count(negative, [&](Bits b) { return b == infinity; }) > 5);
    CHECK(count(negative, [&](Bits b) { return b == format.sign_mask(); }) > 5);

    const std::vector<Bits> nans = drawn(operation, Family::kNans, 1).x;
    CHECK(count(nans, nan) > nans.size() / 2);
    CHECK(count(nans, nan) < nans.size());
    CHECK(count(nans, [&](Bits b) { return nan(b) && format.is_quiet(b); }) > 10);
    CHECK(count(nans, [&](Bits b) { return nan(b) && !format.is_quiet(b); }) > 10);
    CHECK(count(nans, [&](Bits b) { return nan(b) && format.is_negative(b); }) > 10);

    const std::vector<Bits> low = drawn(operation, Family::kLowest, 1).x;
    CHECK(all(low, [&](Bits b) { return b == infinity || b == lowest || nan(b); }));
    CHECK(count(low, [&](Bits b) { return b == infinity; }) > low.size() / 3);
    CHECK(count(low, [&](Bits b) { return b == lowest; }) > 5);
    CHECK(count(low, nan) > 5);
  }
}

TEST_CASE("a pair fills a tensor in turn", "[window]") {
  const Operation& operation = pooling(Dtype::kF16);
  const std::vector<Bits> x = drawn(operation, Family::kPair, 0x7e01fc00).x;
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == (i % 2 == 0 ? 0x7e01 : 0xfc00));
}

}  // namespace
}  // namespace assay::window
