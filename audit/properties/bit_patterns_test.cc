// The generators themselves: they make what they say, and shrink to the simplest pattern.
#include "audit/properties/bit_patterns.h"

#include <cstdlib>
#include <map>
#include <set>

#include "audit/properties/testing/property.h"
#include "contracts/testing/catch.h"

namespace assay::properties {
namespace {

oracle::CastOperation cast(Dtype from, Dtype to) {
  return {from, to, oracle::natural_rounding(from, to)};
}

PatternClass class_of(Bits bits, const DtypeTraits& format) {
  if (format.is_zero(bits)) return PatternClass::kZero;
  if (format.is_nan(bits)) return PatternClass::kNan;
  if (format.is_infinite(bits)) return PatternClass::kInfinity;
  if (format.is_subnormal(bits)) return PatternClass::kSubnormal;
  return PatternClass::kNormal;
}

TEST_CASE("each class gives patterns of that class, in both signs") {
  for (const Dtype from : {Dtype::kF64, Dtype::kF32, Dtype::kF16, Dtype::kBF16}) {
    const DtypeTraits& format = traits(from);
    const PatternSource source(cast(from, from == Dtype::kF16 ? Dtype::kBF16 : Dtype::kF16));
    rc::Random random(1);
    for (const PatternClass kind :
         {PatternClass::kZero, PatternClass::kSubnormal, PatternClass::kNormal,
          PatternClass::kInfinity, PatternClass::kNan}) {
      bool negative = false;
      bool positive = false;
      for (int i = 0; i < 500; ++i) {
        const Bits bits = source.draw(kind, random);
        CAPTURE(format.name, hex(bits, from));
        REQUIRE(bits <= format.all_mask());
        REQUIRE(class_of(bits, format) == kind);
        negative = negative || format.is_negative(bits);
        positive = positive || !format.is_negative(bits);
      }
      CHECK(negative);
      CHECK(positive);
    }
  }
}

TEST_CASE("ties are boundaries of the destination, or one pattern beside them") {
  for (const auto& [from, to] : {std::pair{Dtype::kF64, Dtype::kF16},
                                 {Dtype::kF32, Dtype::kBF16},
                                 {Dtype::kU32, Dtype::kF32},
                                 {Dtype::kF32, Dtype::kU32}}) {
    const PatternSource source(cast(from, to));
    const std::vector<oracle::BoundaryGroup> groups = oracle::boundary_groups(cast(from, to));
    const Bits mask =
        traits(from).is_floating() ? traits(from).magnitude_mask() : traits(from).all_mask();
    rc::Random random(2);
    std::set<int> offsets;
    for (int i = 0; i < 500; ++i) {
      const Bits magnitude = source.draw(PatternClass::kTie, random) & mask;
      bool found = false;
      for (const int offset : {-1, 0, 1}) {
        const Bits boundary = magnitude - static_cast<Bits>(offset);
        for (const oracle::BoundaryGroup& group : groups) {
          if (boundary < group.first || (boundary - group.first) % group.step != 0) continue;
          if ((boundary - group.first) / group.step >= group.count) continue;
          found = true;
          offsets.insert(offset);
        }
      }
      CAPTURE(hex(magnitude, from));
      REQUIRE(found);
    }
    CHECK(offsets.size() == 3);
  }
}

TEST_CASE("the weighted generator makes every class about as often as its weight says") {
  const PatternSource source(cast(Dtype::kF32, Dtype::kF16));
  const rc::Gen<Pattern> generator = patterns(source);
  constexpr int kDraws = 16000;
  std::map<PatternClass, int> seen;
  rc::Random random(3);
  for (int i = 0; i < kDraws; ++i) {
    const Pattern pattern = generator(random.split(), 100).value();
    ++seen[class_of(pattern.bits, traits(Dtype::kF32))];
  }
  // Ties of f16 are normal binary32 numbers.
  const auto near = [&](PatternClass kind, int sixteenths) {
    CAPTURE(static_cast<int>(kind), seen[kind]);
    CHECK(seen[kind] > kDraws * sixteenths / 16 * 8 / 10);
    CHECK(seen[kind] < kDraws * sixteenths / 16 * 12 / 10);
  };
  near(PatternClass::kZero, 1);
  near(PatternClass::kSubnormal, 3);
  near(PatternClass::kNormal, 10);
  near(PatternClass::kInfinity, 1);
  near(PatternClass::kNan, 1);
}

TEST_CASE("integers have zeros and every bit length") {
  const PatternSource source(cast(Dtype::kU32, Dtype::kF64));
  rc::Random random(4);
  std::set<int> lengths;
  for (int i = 0; i < 4000; ++i)
    lengths.insert(static_cast<int>(std::bit_width(source.draw(random))));
  CHECK(lengths.size() == 33);
}

TEST_CASE("shrinks are simpler, so that shrinking ends") {
  rc::Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Bits bits = random.next() >> (random.next() % 64);
    for (const Bits simpler : simpler_patterns(bits)) {
      const int fewer = std::popcount(bits) - std::popcount(simpler);
      REQUIRE((fewer > 0 || (fewer == 0 && simpler < bits)));
    }
  }
  CHECK(simpler_patterns(0).empty());
}

/// The pattern that RapidCheck shrinks a failure of "no pattern is `wrong`" to, as it shows it.
template <typename Predicate>
std::string simplest(const PatternSource& source, Predicate wrong) {
  const Outcome outcome = outcome_of("none is wrong", rc::detail::toProperty([&] {
                                       const Pattern pattern = *patterns(source);
                                       RC_ASSERT(!wrong(pattern.bits));
                                     }));
  CHECK_FALSE(outcome.holds);
  const std::size_t at = outcome.message.find("0x");
  return outcome.message.substr(at, outcome.message.find('\n', at) - at);
}

TEST_CASE("shrinking reaches the simplest pattern, shown in hex and as a value") {
  const DtypeTraits& f32 = traits(Dtype::kF32);
  const PatternSource source(cast(Dtype::kF32, Dtype::kF16));
  CHECK(simplest(source, [](Bits) { return true; }) == "0x00000000 = 0");
  CHECK(simplest(source, [&](Bits bits) { return f32.is_nan(bits); }) ==
        "0x7f800001 = nan (signalling, payload 0x1)");
  CHECK(simplest(source, [&](Bits bits) { return f32.is_infinite(bits); }) == "0x7f800000 = inf");
  CHECK(simplest(source, [&](Bits bits) { return f32.is_subnormal(bits); }).substr(0, 10) ==
        "0x00000001");
  CHECK(simplest(source, [&](Bits bits) { return f32.is_negative(bits); }) == "0x80000000 = -0");
  CHECK(simplest(source, [&](Bits bits) {
          return f32.is_negative(bits) && f32.is_subnormal(bits);
        }).substr(0, 10) == "0x80000001");
}

TEST_CASE("the default parameters are spelt as RapidCheck reads them") {
  const rc::detail::TestParams params = rc::detail::configFromString(kDefaultParameters).testParams;
  CHECK(params.seed == 20261130);
  CHECK(params.maxSuccess == 300);
}

TEST_CASE("a failing property says how to repeat it, and does so") {
  const PatternSource source(cast(Dtype::kF64, Dtype::kF32));
  const rc::detail::Property property = rc::detail::toProperty([&] {
    const Pattern pattern = *patterns(source);
    RC_ASSERT(std::popcount(pattern.bits) < 20);
  });
  const Outcome first = outcome_of("few bits", property);
  CHECK_FALSE(first.holds);
  CHECK(first.message.find("few bits") == 0);
  CHECK(first.message.find("RC_PARAMS=\"" + parameters() + "\"") != std::string::npos);
  CHECK(outcome_of("few bits", property).message == first.message);
  CHECK(outcome_of("anything", rc::detail::toProperty([&] { *patterns(source); })).holds);
}

}  // namespace
}  // namespace assay::properties
