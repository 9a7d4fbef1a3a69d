// Compensated sums: every answer is the right one, at every instruction-set level, and on ordinary
// data there is one.
#include "oracles/sum/compensated_dot.h"

#include <cmath>
#include <limits>
#include <vector>

#include "contracts/testing/catch.h"
#include "oracles/cast_measure.h"
#include "oracles/codec.h"
#include "oracles/instruction_level.h"
#include "oracles/sum/dot_lanes.h"
#include "oracles/sum/wide_real.h"
#include "oracles/testing/sums.h"

namespace assay::oracle {
namespace {

using testing::kFloatingDtypes;
using testing::SumKind;
using testing::SumMaker;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Values {
  std::vector<double> a;
  std::vector<double> b;
};

Values values_of(const testing::Factors& factors, Dtype dtype) {
  Values values;
  for (const Bits bits : factors.x) values.a.push_back(to_double(bits, dtype));
  for (const Bits bits : factors.weight) values.b.push_back(to_double(bits, dtype));
  return values;
}

/// The exact numbers, to compare with.
struct Exact {
  MpfrReal sum{128};
  MpfrReal magnitudes{128};
  Bits rounded = 0;

  Exact(const Values& values, Dtype dtype) {
    Superaccumulator accumulator;
    for (std::size_t i = 0; i < values.a.size(); ++i) {
      accumulator.add_product(values.a[i], values.b[i]);
    }
    MpfrReal scratch(kWidePrecision);
    set(sum, accumulator.sum(), scratch);
    set(magnitudes, accumulator.magnitudes(), scratch);
    Encoder encoder(dtype);
    rounded = mpfr_zero_p(sum.get()) ? 0 : encoder.nearest_even(sum);
  }
};

/// Whether `due` lies in high + low ± bound, up to what 128 bits cannot show.
bool encloses(const BoundedSum& sum, MpfrReal& due) {
  if (!std::isfinite(sum.high) || !std::isfinite(sum.low) || !std::isfinite(sum.bound)) return true;
  MpfrReal off(2400);
  mpfr_set_d(off.get(), sum.high, MPFR_RNDN);
  mpfr_add_d(off.get(), off.get(), sum.low, MPFR_RNDN);
  mpfr_sub(off.get(), due.get(), off.get(), MPFR_RNDN);
  MpfrReal room(2400);
  mpfr_set(room.get(), due.get(), MPFR_RNDN);
  mpfr_mul_2si(room.get(), room.get(), -127, MPFR_RNDN);
  mpfr_abs(room.get(), room.get(), MPFR_RNDN);
  mpfr_add_d(room.get(), room.get(), sum.bound, MPFR_RNDN);
  return mpfr_cmpabs(off.get(), room.get()) <= 0;
}

TEST_CASE("what compensated sums answer is right, for every kind of sum and format") {
  for (const Dtype dtype : kFloatingDtypes) {
    SumMaker maker(dtype, 29);
    const bool exact_products = dtype != Dtype::kF64;
    for (const SumKind kind : testing::kSumKinds) {
      int answered = 0;
      constexpr int kRounds = 600;
      for (int round = 0; round < kRounds; ++round) {
        CAPTURE(traits(dtype).name, static_cast<int>(kind), round);
        const std::size_t n = 2 + static_cast<std::size_t>(round) % 97;
        const Values values = values_of(maker.make(kind, n), dtype);
        Exact exact(values, dtype);
        const std::size_t terms = values.a.size();
        const BoundedSum sum =
            compensated_dot(values.a.data(), values.b.data(), terms, exact_products);
        const BoundedSum magnitudes =
            compensated_magnitudes(values.a.data(), values.b.data(), terms, exact_products);
        REQUIRE(encloses(sum, exact.sum));
        REQUIRE(encloses(magnitudes, exact.magnitudes));
        if (const auto bits = nearest_even(sum, dtype)) {
          ++answered;
          REQUIRE(*bits == exact.rounded);
        }
        if (const auto nearest = nearest_double(sum)) {
          REQUIRE(*nearest == mpfr_get_d(exact.sum.get(), MPFR_RNDN));
        }
        if (const auto upward = upward_double(magnitudes)) {
          REQUIRE(*upward == mpfr_get_d(exact.magnitudes.get(), MPFR_RNDU));
        }
      }
      CAPTURE(traits(dtype).name, static_cast<int>(kind), answered);
      if (kind == SumKind::kWellScaled) CHECK(answered >= kRounds * 99 / 100);
    }
  }
}

TEST_CASE("every instruction-set level keeps its bound") {
  std::vector<const DotTable*> tables = {&baseline::kDot};
#if defined(ASSAY_X86_64_LEVELS)
  if (best_instruction_level() >= InstructionLevel::kX86_64V3) tables.push_back(&x86_64_v3::kDot);
  if (best_instruction_level() >= InstructionLevel::kX86_64V4) tables.push_back(&x86_64_v4::kDot);
#endif
  SumMaker maker(Dtype::kF64, 31);
  for (const DotTable* const table : tables) {
    for (const SumKind kind : {SumKind::kWellScaled, SumKind::kCancelling, SumKind::kNearTie}) {
      for (std::size_t n = 2; n < 200; ++n) {
        const Values values = values_of(maker.make(kind, n), Dtype::kF64);
        const std::size_t terms = values.a.size();
        const DotParts parts = table->dot(values.a.data(), values.b.data(), terms);
        Exact exact(values, Dtype::kF64);
        BoundedSum sum;
        sum.high = parts.sum;
        sum.low = parts.errors;
        sum.bound = 2 * (2 * static_cast<double>(terms) + 31) * 0x1p-53 * parts.error_magnitudes +
                    8 * static_cast<double>(terms) * 0x1p-1074;
        CAPTURE(static_cast<int>(kind), n);
        REQUIRE(encloses(sum, exact.sum));
      }
    }
  }
}

TEST_CASE("what overflows on the way, or is not finite, has no answer") {
  const double most = std::numeric_limits<double>::max();
  const std::vector<double> huge = {most, most, -most};
  const std::vector<double> ones = {1, 1, 1};
  const BoundedSum sum = compensated_dot(huge.data(), ones.data(), huge.size(), false);
  CHECK_FALSE(nearest_double(sum).has_value());
  CHECK_FALSE(nearest_even(sum, Dtype::kF64).has_value());
  CHECK_FALSE(nearest_even(sum, Dtype::kF32).has_value());
  const double infinite[] = {kInfinity};
  CHECK_FALSE(nearest_double(compensated_dot(infinite, ones.data(), 1, true)).has_value());
  CHECK_FALSE(upward_double(compensated_magnitudes(infinite, ones.data(), 1, true)).has_value());
}

TEST_CASE("a bound as large as the sum leaves no answer") {
  for (const double bound : {0x1p-52, 1.0, 2.0, 0x1p60}) {
    CAPTURE(bound);
    CHECK_FALSE(nearest_double({1, 0, bound}).has_value());
    CHECK_FALSE(upward_double({1, 0, bound}).has_value());
    CHECK_FALSE(nearest_even({1, 0, bound * 0x1p29}, Dtype::kF32).has_value());
  }
}

TEST_CASE("a number that lies too near to where rounding changes has no answer") {
  // Between 1 and the next number of binary64, and as far off as the bound says.
  CHECK_FALSE(nearest_double({1, 0x1p-53, 0x1p-120}).has_value());
  CHECK(nearest_double({1, 0x1p-53 + 0x1p-100, 0x1p-120}) == std::optional(1 + 0x1p-52));
  CHECK(nearest_double({1, 0x1p-53, 0}) == std::optional(1.0));
  // Half way between numbers of binary32: a tie where it is exact, else unknown.
  const double tie = 1 + 0x1p-24;
  CHECK(nearest_even({tie, 0, 0}, Dtype::kF32) == std::optional<Bits>(0x3f800000));
  CHECK_FALSE(nearest_even({tie, 0, 0x1p-150}, Dtype::kF32).has_value());
  CHECK(nearest_even({tie, 0x1p-70, 0x1p-90}, Dtype::kF32) == std::nullopt);
  CHECK(nearest_even({tie + 0x1p-51, -0x1p-80, 0x1p-90}, Dtype::kF32) ==
        std::optional<Bits>(0x3f800001));
  // Zero, or something that rounds to a zero of some sign.
  CHECK_FALSE(nearest_double({0, 0, 0x1p-1074}).has_value());
  CHECK_FALSE(nearest_even({0, 0, 0x1p-1074}, Dtype::kF32).has_value());
  CHECK(nearest_even({-0x1p-200, 0, 0x1p-300}, Dtype::kF32) == std::optional<Bits>(0x80000000));
  CHECK(nearest_even({-0.0, 0, 0}, Dtype::kF32) == std::optional<Bits>(0));
  // Upwards, a bit beyond a number is the next.
  CHECK(upward_double({1, 0x1p-200, 0}) == std::optional(1 + 0x1p-52));
  CHECK(upward_double({1, -0x1p-200, 0}) == std::optional(1.0));
  CHECK_FALSE(upward_double({1, 0, 0x1p-200}).has_value());
}

}  // namespace
}  // namespace assay::oracle
