// The exact cast against facts worked out by hand, and against public fault reports.
#include "oracles/cast_exact.h"

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "contracts/testing/catch.h"
#include "oracles/testing/patterns.h"

namespace assay::oracle {
namespace {

constexpr Dtype f64 = Dtype::kF64;
constexpr Dtype f32 = Dtype::kF32;
constexpr Dtype f16 = Dtype::kF16;
constexpr Dtype bf16 = Dtype::kBF16;
constexpr Dtype u32 = Dtype::kU32;

Bits cast(Dtype from, Dtype to, Bits input) {
  return ExactCast({from, to, natural_rounding(from, to)})(input);
}

struct Fact {
  Dtype from;
  Dtype to;
  Bits input;
  Bits due;
};

// A floating result's sign follows its input's, so these are checked with the sign bit set too.
constexpr Fact kFacts[] = {
    // Inputs that libraries have rounded twice, or whose low bits they dropped.
    {f64, f16, 0x3f0ffbfffffffffc, 0x03ff},
    {f64, f16, 0x409ffdffffff0000, 0x67ff},
    {f64, f16, 0x40eeedfff0068db9, 0x7bbb},
    {f64, f16, 0x3ffffffffd60e94f, 0x4000},
    {f64, f16, 0x4010000000000000, 0x4400},
    {f64, bf16, 0x3ff0100000001000, 0x3f81},
    {f32, f16, 0x33c00000, 0x0002},
    {f32, f16, 0x3f801008, 0x3c01},
    {f32, bf16, 0x3e89ccd5, 0x3e8a},
    {f32, bf16, 0x00400000, 0x0040},
    {f64, bf16, 0x37a0000000000000, 0x0001},
    {f16, f32, 0x0001, 0x33800000},
    // Ties of both parities, and their neighbours.
    {f32, f16, 0x34200000, 0x0002},
    {f32, f16, 0x34600000, 0x0004},
    {f32, f16, 0x40001000, 0x4000},
    {f32, f16, 0x40003000, 0x4002},
    {f32, f16, 0x40000fff, 0x4000},
    {f32, f16, 0x40001001, 0x4001},
    {f32, bf16, 0x3f808000, 0x3f80},
    {f32, bf16, 0x3f818000, 0x3f82},
    {f32, bf16, 0x3f807fff, 0x3f80},
    {f32, bf16, 0x3f808001, 0x3f81},
    {f64, f32, 0x3ff0000010000000, 0x3f800000},
    {f64, f32, 0x3ff0000030000000, 0x3f800002},
    {f64, f32, 0x3ff0000010000001, 0x3f800001},
    {f64, f32, 0x3ff000000fffffff, 0x3f800000},
    {f64, f16, 0x3ff0020000000000, 0x3c00},
    {f64, f16, 0x3ff0060000000000, 0x3c02},
    {f64, f16, 0x3ff0020000000001, 0x3c01},
    // The overflow thresholds.
    {f32, f16, 0x477fefff, 0x7bff},
    {f32, f16, 0x477ff000, 0x7c00},
    {f32, f16, 0x477fffff, 0x7c00},
    {f32, f16, 0x47800000, 0x7c00},
    {f64, f16, 0x40effdffffffffff, 0x7bff},
    {f64, f16, 0x40effe0000000000, 0x7c00},
    {f32, bf16, 0x7f7f7fff, 0x7f7f},
    {f32, bf16, 0x7f7f8000, 0x7f80},
    {f32, bf16, 0x7f7fffff, 0x7f80},
    {f64, bf16, 0x47efefffffffffff, 0x7f7f},
    {f64, bf16, 0x47eff00000000000, 0x7f80},
    {f64, f32, 0x47efffffefffffff, 0x7f7fffff},
    {f64, f32, 0x47effffff0000000, 0x7f800000},
    {f64, f32, 0x7fefffffffffffff, 0x7f800000},
    {bf16, f16, 0x477f, 0x7bf8},
    {bf16, f16, 0x4780, 0x7c00},
    // Half the least subnormal, and its neighbours.
    {f32, f16, 0x32ffffff, 0x0000},
    {f32, f16, 0x33000000, 0x0000},
    {f32, f16, 0x33000001, 0x0001},
    {f64, f16, 0x3e5fffffffffffff, 0x0000},
    {f64, f16, 0x3e60000000000000, 0x0000},
    {f64, f16, 0x3e60000000000001, 0x0001},
    {f32, bf16, 0x00007fff, 0x0000},
    {f32, bf16, 0x00008000, 0x0000},
    {f32, bf16, 0x00008001, 0x0001},
    {f64, bf16, 0x3790000000000000, 0x0000},
    {f64, bf16, 0x3790000000000001, 0x0001},
    {f64, f32, 0x3690000000000000, 0x00000000},
    {f64, f32, 0x3690000000000001, 0x00000001},
    {f64, f32, 0x36a8000000000000, 0x00000002},
    {f64, f32, 0x0000000000000001, 0x00000000},
    // The step from the subnormals to the least normal number, and the carry into an exponent.
    {f32, f16, 0x387fdfff, 0x03ff},
    {f32, f16, 0x387fe000, 0x0400},
    {f32, bf16, 0x007f8000, 0x0080},
    {f64, f16, 0x3fffffffffffffff, 0x4000},
    {bf16, f16, 0x3300, 0x0000},
    {bf16, f16, 0x3301, 0x0001},
    {f16, bf16, 0x3fff, 0x4000},
    {f16, f64, 0x03ff, 0x3f0ff80000000000},
    {bf16, f32, 0x0001, 0x00010000},
    {bf16, f64, 0x0001, 0x37a0000000000000},
    {f32, f64, 0x00000001, 0x36a0000000000000},
    // Infinities and zeros.
    {f64, f16, 0x7ff0000000000000, 0x7c00},
    {f64, bf16, 0x7ff0000000000000, 0x7f80},
    {f64, f32, 0x7ff0000000000000, 0x7f800000},
    {f16, f64, 0x7c00, 0x7ff0000000000000},
    {f64, f16, 0x0000000000000000, 0x0000},
    {f16, f32, 0x0000, 0x00000000},
    // NaN: sign kept, quiet bit set, the payload's top kept.
    {f32, bf16, 0x7f800001, 0x7fc0},
    {f32, bf16, 0x7fffffff, 0x7fff},
    {f32, bf16, 0x7fa00000, 0x7fe0},
    {f64, f16, 0x7ff0000000000001, 0x7e00},
    {f64, f16, 0x7ff8040000000000, 0x7e01},
    {f16, f32, 0x7c01, 0x7fc02000},
    {bf16, f16, 0x7f81, 0x7e08},
};

TEST_CASE("exact casts give the results of known facts, in both signs") {
  for (const Fact& fact : kFacts) {
    CAPTURE(traits(fact.from).name, traits(fact.to).name, hex(fact.input, fact.from));
    CHECK(cast(fact.from, fact.to, fact.input) == fact.due);
    CHECK(cast(fact.from, fact.to, fact.input | traits(fact.from).sign_mask()) ==
          (fact.due | traits(fact.to).sign_mask()));
  }
}

TEST_CASE("exact casts to and from integers give the results of known facts") {
  constexpr Fact facts[] = {
      // Rounded once, not through a signed or half-wide number.
      {u32, f32, 0xfffdff7e, 0x4f7ffdff},
      {u32, f32, 0xfffcff7d, 0x4f7ffcff},
      {u32, f32, 0xc0000141, 0x4f400001},
      {u32, f32, 0x80000000, 0x4f000000},
      {u32, f32, 0x01000001, 0x4b800000},
      {u32, f32, 0x01000003, 0x4b800002},
      {u32, f32, 0xffffff7f, 0x4f7fffff},
      {u32, f32, 0xffffff80, 0x4f800000},
      {u32, f32, 0, 0},
      {u32, f64, 0xffffffff, 0x41efffffffe00000},
      // Truncated; outside of the range the nearest end, by convention; NaN gives 0.
      {f32, u32, 0x3f7fffff, 0},
      {f32, u32, 0x3f800000, 1},
      {f32, u32, 0x4f7fffff, 0xffffff00},
      {f32, u32, 0x4f800000, 0xffffffff},
      {f32, u32, 0x7f800000, 0xffffffff},
      {f32, u32, 0xff800000, 0},
      {f32, u32, 0xbf7fffff, 0},
      {f32, u32, 0xc0000000, 0},
      {f32, u32, 0x7fc00001, 0},
      {f32, u32, 0x80000000, 0},
      {f64, u32, 0x41efffffffe00000, 0xffffffff},
      {f64, u32, 0x41efffffffdfffff, 0xfffffffe},
      {f64, u32, 0x41efffffffffffff, 0xffffffff},
      {f64, u32, 0x3fefffffffffffff, 0},
      {f64, u32, 0xbfffffffffffffff, 0},
      {f64, u32, 0xfff8000000000000, 0},
  };
  for (const Fact& fact : facts) {
    CAPTURE(traits(fact.from).name, traits(fact.to).name, hex(fact.input, fact.from));
    CHECK(cast(fact.from, fact.to, fact.input) == fact.due);
  }
}

TEST_CASE("narrowing 16-bit sources and widening agree with the compiler's exact conversions") {
  const auto hardware = [](Bits bits) {  // bfloat16 is the upper half of a binary32
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  };
  ExactCast to_f32({bf16, f32, Rounding::kExact});
  ExactCast to_f64({bf16, f64, Rounding::kExact});
  ExactCast back({f32, bf16, Rounding::kNearestEven});
  for (Bits bits = 0; bits <= 0xffff; ++bits) {
    if (traits(bf16).is_nan(bits)) continue;
    const double value = hardware(bits);
    CAPTURE(bits);
    REQUIRE(to_f32(bits) == bits << 16);
    REQUIRE(to_f64(bits) == std::bit_cast<Bits>(value));
    REQUIRE(back(to_f32(bits)) == bits);
  }
}

TEST_CASE("binary64 to binary32 agrees with the compiler's conversion in round-to-nearest") {
  ExactCast exact({f64, f32, Rounding::kNearestEven});
  for (const Bits bits : testing::patterns(f64, 30, 2)) {
    if (traits(f64).is_nan(bits)) continue;
    volatile double wide = std::bit_cast<double>(bits);
    const auto narrow = static_cast<float>(wide);
    CAPTURE(hex(bits, f64));
    REQUIRE(exact(bits) == std::bit_cast<std::uint32_t>(narrow));
  }
}

TEST_CASE("the natural rounding of a cast is exact only where every value fits") {
  CHECK(natural_rounding(f16, f32) == Rounding::kExact);
  CHECK(natural_rounding(bf16, f32) == Rounding::kExact);
  CHECK(natural_rounding(u32, f64) == Rounding::kExact);
  CHECK(natural_rounding(u32, f32) == Rounding::kNearestEven);
  CHECK(natural_rounding(f16, bf16) == Rounding::kNearestEven);
  CHECK(natural_rounding(bf16, f16) == Rounding::kNearestEven);
  CHECK(natural_rounding(f64, f32) == Rounding::kNearestEven);
  CHECK(natural_rounding(f32, u32) == Rounding::kTowardZero);
}

TEST_CASE("casts that the oracle does not know are refused") {
  CHECK_THROWS_AS(ExactCast({f32, Dtype::kI32, Rounding::kTowardZero}), std::invalid_argument);
  CHECK_THROWS_AS(ExactCast({f32, u32, Rounding::kNearestEven}), std::invalid_argument);
  CHECK_THROWS_AS(ExactCast({f32, f16, Rounding::kTowardZero}), std::invalid_argument);
}

TEST_CASE("representable values are those that come back") {
  ExactCast to_f16({f32, f16, Rounding::kNearestEven});
  CHECK(to_f16.representable(0x3f800000));
  CHECK(to_f16.representable(0x33800000));
  CHECK(to_f16.representable(0xff800000));
  CHECK_FALSE(to_f16.representable(0x3f801000));
  CHECK_FALSE(to_f16.representable(0x33000000));
  CHECK_FALSE(to_f16.representable(0x47800000));
  CHECK_FALSE(to_f16.representable(0x7fc00000));
  ExactCast to_u32({f64, u32, Rounding::kTowardZero});
  CHECK(to_u32.representable(std::bit_cast<Bits>(4294967295.0)));
  CHECK(to_u32.representable(std::bit_cast<Bits>(-0.0)));
  CHECK_FALSE(to_u32.representable(std::bit_cast<Bits>(0.5)));
  CHECK_FALSE(to_u32.representable(std::bit_cast<Bits>(-1.0)));
  CHECK_FALSE(to_u32.representable(std::bit_cast<Bits>(4294967296.0)));
}

struct ErrorRow {
  Dtype from;
  Dtype to;
  Bits input;
  Bits got;
  double ulp;
  double absolute;
};

TEST_CASE("errors at powers of two, at zero, among subnormals and at infinity") {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr ErrorRow rows[] = {
      // At 1 the spacing is 2^-10, upward and downward: a step down is half of it.
      {f32, f16, 0x3f800000, 0x3c00, 0, 0},
      {f32, f16, 0x3f800000, 0x3c01, 1, 0x1p-10},
      {f32, f16, 0x3f800000, 0x3bff, 0.5, 0x1p-11},
      {f32, f16, 0x3f7fffff, 0x3c00, 0x1p-13, 0x1p-24},
      {f32, f16, 0x3f801000, 0x3c00, 0.5, 0x1p-11},
      {f32, f16, 0x3f801000, 0x3c01, 0.5, 0x1p-11},
      // At zero and below the least subnormal: units of 2^-24.
      {f32, f16, 0x00000000, 0x0000, 0, 0},
      {f32, f16, 0x00000000, 0x8000, 0, 0},
      {f32, f16, 0x00000000, 0x0003, 3, 0x3p-24},
      {f32, f16, 0x33000000, 0x0000, 0.5, 0x1p-25},
      {f32, f16, 0x33000000, 0x0001, 0.5, 0x1p-25},
      {f32, f16, 0x33c00000, 0x0001, 0.5, 0x1p-25},
      {f32, f16, 0x387fe000, 0x03ff, 0.5, 0x1p-25},
      {f32, f16, 0x33800000, 0x8001, 2, 0x1p-23},
      {f32, f16, 0x47800000, 0x7c00, infinite, infinite},
      {f32, f16, 0x47800000, 0x7bff, 0.5, 32},
      {f64, f32, 0x3ff0000010000000, 0x3f800001, 0.5, 0x1p-24},
      // Units that no double holds.
      {f64, f32, 0x36a0000000000000, 0x00000000, 1, 0x1p-149},
      {f64, f32, 0x0000000000000001, 0x00000000, 0x1p-925, 0x1p-1074},
      // Integers count in ones.
      {f32, u32, 0x40200000, 2, 0.5, 0.5},
      {f32, u32, 0x40200000, 5, 2.5, 2.5},
      {u32, f32, 0x01000001, 0x4b800000, 0.5, 1},
  };
  for (const ErrorRow& row : rows) {
    ExactCast exact({row.from, row.to, natural_rounding(row.from, row.to)});
    CAPTURE(traits(row.from).name, traits(row.to).name, hex(row.input, row.from),
            hex(row.got, row.to));
    CHECK(exact.ulp_error(row.input, row.got) == row.ulp);
    CHECK(exact.absolute_error(row.input, row.got) == row.absolute);
  }
}

TEST_CASE("relative errors are against the exact value") {
  ExactCast exact({f32, f16, Rounding::kNearestEven});
  CHECK(exact.relative_error(0x40000000, 0x4000) == 0);
  CHECK(exact.relative_error(0x40000000, 0x4200) == 0.5);
  CHECK(exact.relative_error(0xc0000000, 0x4000) == 2);
  CHECK(exact.relative_error(0x33000000, 0x0000) == 1);
  CHECK(exact.relative_error(0x00000000, 0x8000) == 0);
  CHECK(std::isinf(exact.relative_error(0x00000000, 0x0001)));
  CHECK(std::isinf(exact.relative_error(0x47800000, 0x7c00)));
}

}  // namespace
}  // namespace assay::oracle
