// Steps of single casts, against values worked out by hand.
#include "oracles/cast_steps.h"

#include <algorithm>

#include "contracts/measure.h"
#include "contracts/testing/catch.h"

namespace assay::oracle {
namespace {

constexpr CastOperation kToHalf{Dtype::kF64, Dtype::kF16, Rounding::kNearestEven};
constexpr CastOperation kToInteger{Dtype::kF32, Dtype::kU32, Rounding::kTowardZero};

std::optional<Bits> by(const CastSteps& steps, std::string_view rule) {
  const auto found = std::ranges::find(steps.rounded, rule, &RoundedResult::rule);
  if (found == steps.rounded.end()) return std::nullopt;
  return found->bits;
}

TEST_CASE("a tie lies on the midpoint, and only its two nearest roundings differ") {
  // 1 + 2^-11, halfway between 1 and 1 + 2^-10.
  const CastSteps steps = cast_steps(kToHalf, 0x3ff0020000000000);
  CHECK(steps.is_finite);
  CHECK_FALSE(steps.representable);
  CHECK(steps.exact == "1.00048828125 (0x1.002p+0)");
  CHECK(steps.midpoint == "1.00048828125 (0x1.002p+0)");
  CHECK(steps.below == Bits{0x3c00});
  CHECK(steps.above == Bits{0x3c01});
  CHECK(steps.side == 0);
  CHECK(by(steps, "to nearest, ties to even") == Bits{0x3c00});
  CHECK(by(steps, "to nearest, ties away from zero") == Bits{0x3c01});
  CHECK(by(steps, "toward zero") == Bits{0x3c00});
  CHECK(by(steps, "up") == Bits{0x3c01});
  CHECK_FALSE(by(steps, "subnormals flushed to zero"));
}

TEST_CASE("just above a tie, rounding over f32 loses what decides") {
  // 1 + 2^-11 + 2^-40: f32 rounds it to the tie.
  const CastSteps steps = cast_steps(kToHalf, 0x3ff0020000001000);
  CHECK(steps.side > 0);
  CHECK(by(steps, "to nearest, ties to even") == Bits{0x3c01});
  CHECK(by(steps, "to nearest even over f32, rounded twice") == Bits{0x3c00});
}

TEST_CASE("negative numbers mirror positive ones") {
  const CastSteps steps = cast_steps(kToHalf, 0xbff0020000000001);
  CHECK(steps.below == Bits{0xbc01});
  CHECK(steps.above == Bits{0xbc00});
  CHECK(steps.side < 0);
  CHECK(by(steps, "to nearest, ties away from zero") == Bits{0xbc01});
  CHECK(by(steps, "toward zero") == Bits{0xbc00});
  CHECK(by(steps, "away from zero") == Bits{0xbc01});
  CHECK(by(steps, "down") == Bits{0xbc01});
}

TEST_CASE("next to the range's end the midpoint is where infinity begins") {
  const CastSteps tie = cast_steps(kToHalf, 0x40effe0000000000);  // 65520
  CHECK(tie.midpoint == "6.552e+04 (0x1.ffep+15)");
  CHECK(tie.side == 0);
  CHECK(tie.below == Bits{0x7bff});
  CHECK(tie.above == Bits{0x7c00});
  CHECK(by(tie, "to nearest, ties to even") == Bits{0x7c00});
  CHECK(by(tie, "toward zero") == Bits{0x7bff});
  CHECK(by(tie, "saturated to the largest finite number") == Bits{0x7bff});
  const CastSteps under = cast_steps(kToHalf, 0xc0effdffffffffff);
  CHECK(under.side > 0);
  CHECK(under.below == Bits{0xfc00});
  CHECK(under.above == Bits{0xfbff});
  CHECK(by(under, "to nearest, ties to even") == Bits{0xfbff});
  CHECK_FALSE(by(under, "saturated to the largest finite number"));
}

TEST_CASE("below the least subnormal lie a zero of the input's sign and the least subnormal") {
  const CastSteps steps = cast_steps(kToHalf, 0xbe60000000000000);  // -2^-25
  CHECK(steps.above == Bits{0x8000});
  CHECK(steps.below == Bits{0x8001});
  CHECK(steps.side == 0);
  CHECK(by(steps, "to nearest, ties to even") == Bits{0x8000});
  CHECK(by(steps, "to nearest, ties away from zero") == Bits{0x8001});
  const CastSteps subnormal = cast_steps(kToHalf, 0x3e70000000000000);  // 2^-24
  CHECK(subnormal.representable);
  CHECK(subnormal.below == Bits{0x0001});
  CHECK(subnormal.above == Bits{0x0001});
  CHECK(subnormal.midpoint.empty());
  CHECK(by(subnormal, "subnormals flushed to zero") == Bits{0});
}

TEST_CASE("zeros keep their sign, NaNs and infinities have no neighbours") {
  CHECK(cast_steps(kToHalf, 0x8000000000000000).below == Bits{0x8000});
  for (const Bits bits : {Bits{0x7ff0000000000000}, Bits{0x7ff8000000000000}}) {
    const CastSteps steps = cast_steps(kToHalf, bits);
    CHECK_FALSE(steps.is_finite);
    CHECK_FALSE(steps.below);
    CHECK(steps.rounded.empty());
  }
}

TEST_CASE("integers: fractions lie between two, and beyond the range there is only one side") {
  const CastSteps half = cast_steps(kToInteger, 0x40200000);  // 2.5
  CHECK(half.below == Bits{2});
  CHECK(half.above == Bits{3});
  CHECK(half.midpoint == "2.5 (0x1.4p+1)");
  CHECK(by(half, "to nearest, ties to even") == Bits{2});
  CHECK(by(half, "to nearest, ties away from zero") == Bits{3});
  const CastSteps beyond = cast_steps(kToInteger, 0x4f800000);  // 2^32
  CHECK(beyond.below == Bits{0xffffffff});
  CHECK_FALSE(beyond.above);
  CHECK(by(beyond, "toward zero, modulo a power of two") == Bits{0});
  CHECK(by(beyond, "the pattern that x86 gives for an invalid conversion") == Bits{0x80000000});
  const CastSteps negative = cast_steps(kToInteger, 0xbfc00000);  // -1.5
  CHECK_FALSE(negative.below);
  CHECK(negative.above == Bits{0});
  CHECK(by(negative, "toward zero, modulo a power of two") == Bits{0xffffffff});
}

TEST_CASE("neighbours enclose every value, and are one step apart") {
  const CastOperation operation{Dtype::kF16, Dtype::kBF16, Rounding::kNearestEven};
  ExactCast exact(operation);
  for (Bits input = 0; input < 0x10000; ++input) {
    if (!traits(Dtype::kF16).is_finite(input)) continue;
    const CastSteps steps = cast_steps(operation, input);
    CAPTURE(input);
    REQUIRE((steps.below && steps.above));
    const std::uint64_t apart = *ulp_distance(*steps.below, *steps.above, Dtype::kBF16);
    REQUIRE(apart == (steps.representable ? 0 : 1));
    const Bits correct = exact(input);
    REQUIRE((correct == *steps.below || correct == *steps.above));
    if (steps.side != 0) REQUIRE(correct == (steps.side > 0 ? *steps.above : *steps.below));
  }
}

}  // namespace
}  // namespace assay::oracle
