// The fast measures against MPFR's.
#include "oracles/cast_measure.h"

#include <bit>
#include <cmath>
#include <limits>

#include "contracts/measure.h"
#include "contracts/testing/catch.h"
#include "oracles/certificate.h"
#include "oracles/codec.h"
#include "oracles/testing/patterns.h"

namespace assay::oracle {
namespace {

TEST_CASE("to_double is exact for every pattern of 8 and 16 bits and for shapes of wider formats") {
  for (const DtypeTraits& format : kDtypes) {
    if (format.dtype == Dtype::kI64) continue;  // not exact, as documented
    MpfrReal real(kDecodePrecision);
    std::vector<Bits> inputs;
    if (format.width <= 16) {
      for (Bits bits = 0; bits <= format.all_mask(); ++bits) inputs.push_back(bits);
    } else {
      inputs = testing::patterns(format.dtype, 12, 4);
    }
    std::uint64_t wrong = 0;
    for (const Bits raw : inputs) {
      const Bits bits = raw & format.all_mask();
      const double got = to_double(bits, format.dtype);
      if (format.is_nan(bits)) {
        wrong += !std::isnan(got) || std::signbit(got) != format.is_negative(bits);
        continue;
      }
      decode(bits, format.dtype, real);
      wrong += std::bit_cast<Bits>(got) != std::bit_cast<Bits>(mpfr_get_d(real.get(), MPFR_RNDN));
    }
    CAPTURE(format.name);
    CHECK(wrong == 0);
  }
}

/// Results near `due`, and some far from it.
std::vector<Bits> results_around(Bits due, Dtype dtype) {
  std::vector<Bits> results;
  const std::int64_t key = order_key(due, dtype);
  for (const std::int64_t offset : {-1000, -3, -2, -1, 0, 1, 2, 3, 1000}) {
    if (dtype == Dtype::kU32 && (key + offset < 0 || key + offset > 0xffffffff)) continue;
    results.push_back(bits_of_key(key + offset, dtype));
  }
  if (traits(dtype).is_floating()) {
    results.push_back(0);
    results.push_back(traits(dtype).max_finite());
    results.push_back(traits(dtype).infinity() | traits(dtype).sign_mask());
  }
  return results;
}

TEST_CASE("the fast ULP error is MPFR's, exactly within a binade, closely elsewhere") {
  constexpr double kUnit = std::numeric_limits<double>::epsilon();
  for (const CastOperation& cast : certified_casts()) {
    ExactCast exact(cast);
    std::uint64_t wrong = 0;
    std::uint64_t far_off = 0;
    std::uint64_t compared = 0;
    for (const Bits raw : testing::patterns(cast.from, 4, 5)) {
      const Bits input = raw & traits(cast.from).all_mask();
      if (!traits(cast.from).is_finite(input)) continue;
      const Bits due = exact(input);
      const double value = to_double(input, cast.from);
      for (const Bits got : results_around(due, cast.to)) {
        if (traits(cast.to).is_nan(got)) continue;
        ++compared;
        const double fast = fast_ulp_error(input, got, cast);
        const double slow = exact.ulp_error(input, got);
        const double result = to_double(got, cast.to);
        // By Sterbenz, a difference of numbers within a factor of two is exact; so is any between
        // formats whose bits fit one binary64 together.
        const bool near = std::fabs(result) <= 2 * std::fabs(value) &&
                          std::fabs(value) <= 2 * std::fabs(result) &&
                          std::signbit(result) == std::signbit(value);
        if (near || result == 0 || std::isinf(result)) {
          // An error below the least double is rounded once by both, differently.
          wrong += fast != slow && slow >= 0x1p-1000;
        } else {
          far_off += std::fabs(fast - slow) > 2 * kUnit * slow;
        }
      }
    }
    CAPTURE(cast_name(cast));
    CHECK(wrong == 0);
    CHECK(far_off == 0);
    CHECK(compared > 1000);
  }
}

TEST_CASE("correct rounding to nearest is never more than half a unit off") {
  for (const CastOperation& cast : certified_casts()) {
    const CastOracle oracle(cast);
    double most = 0;
    for (const Bits raw : testing::patterns(cast.from, 8, 6)) {
      const Bits input = raw & traits(cast.from).all_mask();
      const Bits due = oracle.expect_one(input);
      if (!traits(cast.from).is_finite(input) || !traits(cast.to).is_finite(due)) continue;
      // Truncation saturates outside of the integer range, which is no rounding.
      if (cast.to == Dtype::kU32 && std::fabs(to_double(input, cast.from)) >= 0x1p32) continue;
      if (cast.to == Dtype::kU32 && to_double(input, cast.from) <= -1) continue;
      most = std::fmax(most, fast_ulp_error(input, due, cast));
    }
    CAPTURE(cast_name(cast), most);
    switch (cast.rounding) {
      case Rounding::kExact:
        CHECK(most == 0);
        break;
      case Rounding::kNearestEven:
        CHECK(most == 0.5);
        break;
      case Rounding::kTowardZero:
        CHECK(most > 0.5);
        CHECK(most < 1);
        break;
    }
  }
}

TEST_CASE("the fast ULP error at powers of two, zero, infinity and among subnormals") {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr CastOperation cast{Dtype::kF32, Dtype::kF16, Rounding::kNearestEven};
  CHECK(fast_ulp_error(0x3f800000, 0x3bff, cast) == 0.5);
  CHECK(fast_ulp_error(0x3f800000, 0x3c01, cast) == 1);
  CHECK(fast_ulp_error(0x00000000, 0x0000, cast) == 0);
  CHECK(fast_ulp_error(0x00000000, 0x8000, cast) == 0);
  CHECK(fast_ulp_error(0x00000000, 0x0002, cast) == 2);
  CHECK(fast_ulp_error(0x33000000, 0x0001, cast) == 0.5);
  CHECK(fast_ulp_error(0x00000001, 0x0000, cast) == 0x1p-125);
  CHECK(fast_ulp_error(0x3f800000, 0x7c00, cast) == infinite);
  CHECK(fast_ulp_error(0x7f800000, 0x7c00, cast) == 0);
  CHECK(fast_ulp_error(0x7f800000, 0x7bff, cast) == infinite);
}

}  // namespace
}  // namespace assay::oracle
