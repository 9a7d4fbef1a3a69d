// Laws that every variant of every built-in cast keeps, and that the oracles keep as well.
#include <algorithm>
#include <cstring>

#include "audit/properties/bit_patterns.h"
#include "audit/properties/testing/property.h"
#include "audit/worker/runner.h"
#include "contracts/measure.h"
#include "contracts/testing/catch.h"
#include "kernels/cast/cast.h"
#include "kernels/registry.h"
#include "oracles/cast_measure.h"
#include "oracles/cast_oracle.h"

namespace assay::properties {
namespace {

const Registry& registry() {
  static const Registry kernels(cast_kernels());
  return kernels;
}

/// One variant of a cast, element by element.
class Cast {
 public:
  Cast(const Kernel& kernel, const KernelVariant& variant)
      : operation_{kernel.inputs[0], kernel.outputs[0],
                   oracle::natural_rounding(kernel.inputs[0], kernel.outputs[0])},
        runner_(kernel, variant, log_),
        name_(kernel.entry_point + " " + variant.name) {}

  Bits operator()(Bits input) {
    alignas(64) std::uint64_t in[8] = {};
    alignas(64) std::uint64_t out[8] = {};
    oracle::store(in, 0, operation_.from, input);
    RC_ASSERT(runner_.call(in, out, 1) == CallFault::kNone);
    return oracle::load(out, 0, operation_.to);
  }

  CastRunner& runner() { return runner_; }
  const EnvironmentLog& log() const { return log_; }
  const oracle::CastOperation& operation() const { return operation_; }
  const DtypeTraits& from() const { return traits(operation_.from); }
  const DtypeTraits& to() const { return traits(operation_.to); }
  const std::string& name() const { return name_; }

  /// Numbers for which the cast has a result: for integers those in range.
  bool has_result(Bits input) const {
    if (from().is_nan(input)) return false;
    if (to().is_floating()) return true;
    const double value = oracle::to_double(input, operation_.from);
    return value >= 0 && value <= 4294967295.0;
  }

 private:
  oracle::CastOperation operation_;
  EnvironmentLog log_;
  CastRunner runner_;
  std::string name_;
};

template <typename Law>
void for_every_cast(const std::string& law, Law holds_for) {
  std::size_t casts = 0;
  for (const Kernel& kernel : registry().kernels()) {
    for (const KernelVariant& variant : kernel.variants) {
      Cast cast(kernel, variant);
      const PatternSource source(cast.operation());
      holds(cast.name() + ": " + law, [&] { holds_for(cast, source); });
      ++casts;
    }
  }
  CHECK(casts >= 16);
}

/// A neighbour up to three steps away, or any other pattern.
Pattern partner(const Pattern& of, const PatternSource& source) {
  const std::uint64_t choice = *rc::gen::inRange<std::uint64_t>(0, 8);
  const Pattern other = *patterns(source);
  if (choice >= 6) return other;
  const DtypeTraits& format = traits(of.dtype);
  const Bits moved = (of.bits + choice - 2) & format.all_mask();
  return {moved, of.dtype};
}

TEST_CASE("casts are monotone on the ordered line") {
  for_every_cast("monotone", [](Cast& cast, const PatternSource& source) {
    const Pattern a = *patterns(source);
    const Pattern b = partner(a, source);
    RC_PRE(cast.has_result(a.bits) && cast.has_result(b.bits));
    const bool in_order = order_key(a.bits, a.dtype) <= order_key(b.bits, b.dtype);
    const Bits low = in_order ? a.bits : b.bits;
    const Bits high = in_order ? b.bits : a.bits;
    const Dtype to = cast.to().dtype;
    RC_ASSERT(order_key(cast(low), to) <= order_key(cast(high), to));
  });
}

TEST_CASE("casts between floating formats are odd") {
  for_every_cast("odd", [](Cast& cast, const PatternSource& source) {
    if (!cast.from().is_floating() || !cast.to().is_floating()) return;
    const Pattern a = *patterns(source);
    const Bits result = cast(a.bits);
    const Bits mirrored = cast(a.bits ^ cast.from().sign_mask());
    if (cast.from().is_nan(a.bits)) {
      RC_ASSERT(cast.to().is_nan(result) && cast.to().is_nan(mirrored));
    } else {
      RC_ASSERT(mirrored == (result ^ cast.to().sign_mask()));
    }
  });
}

TEST_CASE("casts give what the oracle says, up to the bits of NaNs") {
  for_every_cast("equals the oracle", [](Cast& cast, const PatternSource& source) {
    oracle::ExactCast exact(cast.operation());
    const Pattern a = *patterns(source);
    if (!cast.has_result(a.bits) && !cast.to().is_floating()) return;
    const Bits due = exact(a.bits);
    const Bits got = cast(a.bits);
    if (cast.to().is_nan(due)) {
      RC_ASSERT(cast.to().is_nan(got));
    } else {
      RC_ASSERT(got == due);
    }
  });
}

TEST_CASE("the fast oracle is MPFR's to the bit, NaNs and all") {
  for (const Kernel& kernel : registry().kernels()) {
    const Cast cast(kernel, kernel.variants.front());
    const PatternSource source(cast.operation());
    const oracle::CastOracle fast(cast.operation());
    oracle::ExactCast exact(cast.operation());
    holds(kernel.entry_point + ": fast oracle", [&] {
      const Pattern a = *patterns(source);
      RC_ASSERT(fast.expect_one(a.bits) == exact(a.bits));
    });
  }
}

/// A cast and the cast back, in variants of one name.
template <typename Law>
void for_every_round_trip(const std::string& law, Law holds_for) {
  std::size_t trips = 0;
  for (const Kernel& there : registry().kernels()) {
    const Dtype from = there.inputs[0];
    const Dtype to = there.outputs[0];
    if (oracle::natural_rounding(from, to) != Rounding::kExact) continue;
    for (const Kernel& back : registry().kernels()) {
      if (back.inputs[0] != to || back.outputs[0] != from) continue;
      for (const KernelVariant& variant : there.variants) {
        const KernelVariant* same = back.variant(variant.name);
        if (same == nullptr) continue;
        Cast widen(there, variant);
        Cast narrow(back, *same);
        const PatternSource source(widen.operation());
        holds(widen.name() + " and back: " + law, [&] { holds_for(widen, narrow, source); });
        ++trips;
      }
    }
  }
  CHECK(trips >= 6);
}

TEST_CASE("widening and narrowing again changes nothing") {
  for_every_round_trip("identity", [](Cast& widen, Cast& narrow, const PatternSource& source) {
    const Pattern a = *patterns(source);
    const Bits back = narrow(widen(a.bits));
    if (widen.from().is_nan(a.bits)) {
      RC_ASSERT(widen.from().is_nan(back));
    } else {
      RC_ASSERT(back == a.bits);
    }
  });
}

TEST_CASE("what lies between two widened neighbours narrows to one of them, in order") {
  for_every_round_trip("faithful", [](Cast& widen, Cast& narrow, const PatternSource& source) {
    const Pattern a = *patterns(source);
    RC_PRE(widen.from().is_finite(a.bits));
    const std::int64_t key = order_key(a.bits, a.dtype);
    const Bits next = bits_of_key(key + 1, a.dtype);
    RC_PRE(widen.from().is_finite(next) && order_key(next, a.dtype) > key);
    const Dtype wide = widen.to().dtype;
    const std::int64_t low = order_key(widen(a.bits), wide);
    const std::int64_t high = order_key(widen(next), wide);
    RC_ASSERT(low < high);
    const auto gap = static_cast<std::uint64_t>(high - low);
    const std::uint64_t r = *rc::gen::arbitrary<std::uint64_t>();
    const Bits between = bits_of_key(low + static_cast<std::int64_t>(r % (gap + 1)), wide);
    RC_PRE(narrow.has_result(between));
    const Bits result = narrow(between);
    RC_ASSERT(result == a.bits || result == next);
  });
}

/// A row of inputs of one cast.
std::vector<Pattern> row_of(std::size_t n, const PatternSource& source) {
  return *rc::gen::container<std::vector<Pattern>>(n, patterns(source));
}

TEST_CASE("a result is the same alone and in company, at every length, offset and lane") {
  for_every_cast("same in company", [](Cast& cast, const PatternSource& source) {
    const auto n = *rc::gen::inRange<std::size_t>(1, 140);
    const auto in_lines = *rc::gen::inRange<std::size_t>(0, 4);
    const auto out_lines = *rc::gen::inRange<std::size_t>(0, 4);
    const std::vector<Pattern> inputs = row_of(n, source);
    struct alignas(64) Line {
      unsigned char bytes[64];
    };
    std::vector<Line> in(n / 8 + 6);
    std::vector<Line> out(n / 8 + 6);
    for (std::size_t i = 0; i < n; ++i) {
      oracle::store(&in[in_lines], i, cast.operation().from, inputs[i].bits);
    }
    RC_ASSERT(cast.runner().call(&in[in_lines], &out[out_lines], n) == CallFault::kNone);
    for (std::size_t i = 0; i < n; ++i) {
      RC_ASSERT(oracle::load(&out[out_lines], i, cast.operation().to) == cast(inputs[i].bits));
    }
    RC_ASSERT(cast.log().changes() == 0u);
  });
}

}  // namespace
}  // namespace assay::properties
