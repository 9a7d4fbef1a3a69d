// Generators of bit patterns for RapidCheck.
//
// RapidCheck's own floating-point generators make no NaN, no infinity, no subnormal and no minus
// zero. These draw the bits: first a class by weight, then a pattern of that class.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <ostream>
#include <vector>

#include "contracts/dtype.h"
#include "oracles/boundaries.h"
#include "oracles/cast_exact.h"

namespace assay::properties {

/// A bit pattern and the format that it belongs to; shown in hex and as a value.
struct Pattern {
  Bits bits = 0;
  Dtype dtype = Dtype::kF32;
};

inline void showValue(const Pattern& pattern, std::ostream& out) {
  out << hex(pattern.bits, pattern.dtype) << " = "
      << oracle::value_text(pattern.bits, pattern.dtype);
}

/// `kTie`: a rounding boundary of the destination, or one pattern beside it. Integers have zeros,
/// normals (every bit length) and ties.
enum class PatternClass : std::uint8_t { kZero, kSubnormal, kNormal, kTie, kInfinity, kNan };
inline constexpr std::size_t kPatternClasses = 6;

/// How often each class is drawn, in 16ths.
inline constexpr std::array<unsigned, kPatternClasses> kWeights = {1, 3, 5, 5, 1, 1};

/// Patterns simpler than `bits`, the simplest first: zero, then with one set bit less, then with
/// one set bit moved to a lower free place. Each has fewer bits set, or as many and is a smaller
/// number, so that shrinking ends.
inline std::vector<Bits> simpler_patterns(Bits bits) {
  std::vector<Bits> simpler;
  if (bits == 0) return simpler;
  simpler.push_back(0);
  for (int bit = 63; bit >= 0; --bit) {
    const Bits here = Bits{1} << bit;
    if ((bits & here) != 0 && bits != here) simpler.push_back(bits ^ here);
  }
  for (int bit = 63; bit > 0; --bit) {
    const Bits here = Bits{1} << bit;
    if ((bits & here) == 0) continue;
    for (int lower = 0; lower < bit; ++lower) {
      const Bits there = Bits{1} << lower;
      if ((bits & there) == 0) simpler.push_back((bits ^ here) | there);
    }
  }
  return simpler;
}

/// `pattern` with its shrinks.
inline rc::Shrinkable<Pattern> shrinking(Pattern pattern) {
  return rc::shrinkable::shrinkRecur(pattern, [](const Pattern& from) {
    std::vector<Pattern> simpler;
    for (const Bits bits : simpler_patterns(from.bits)) simpler.push_back({bits, from.dtype});
    return rc::seq::fromContainer(std::move(simpler));
  });
}

/// Inputs of a cast.
class PatternSource {
 public:
  explicit PatternSource(oracle::CastOperation operation)
      : from_(traits(operation.from)), ties_(groups(operation)) {}

  /// A pattern of one class. Classes that the format or the cast does not have give normals.
  Bits draw(PatternClass kind, rc::Random& random) const {
    if (kind == PatternClass::kTie && !ties_.empty()) return draw_tie(random);
    if (!from_.is_floating()) {
      if (kind == PatternClass::kZero) return 0;
      const Bits top = Bits{1} << (random.next() % static_cast<unsigned>(from_.width));
      return top | (random.next() & (top - 1));
    }
    const Bits sign = random.next() % 2 == 0 ? 0 : from_.sign_mask();
    const Bits fraction = draw_fraction(random);
    switch (kind) {
      case PatternClass::kZero:
        return sign;
      case PatternClass::kSubnormal:
        return sign | (fraction == 0 ? 1 : fraction);
      case PatternClass::kInfinity:
        return sign | from_.infinity();
      case PatternClass::kNan:
        return sign | from_.infinity() | (fraction == 0 ? 1 : fraction);
      case PatternClass::kNormal:
      case PatternClass::kTie:
        break;
    }
    const Bits fields = (from_.infinity() >> from_.fraction_bits()) - 1;
    return sign | (1 + random.next() % fields) << from_.fraction_bits() | fraction;
  }

  /// A pattern of a class chosen by weight.
  Bits draw(rc::Random& random) const {
    std::uint64_t ticket = random.next() % 16;
    std::size_t kind = 0;
    while (ticket >= kWeights[kind]) ticket -= kWeights[kind++];
    return draw(static_cast<PatternClass>(kind), random);
  }

  Dtype dtype() const { return from_.dtype; }

 private:
  /// Casts of 16-bit sources to each other have no description of their boundaries, and are tested
  /// exhaustively elsewhere.
  static std::vector<oracle::BoundaryGroup> groups(oracle::CastOperation operation) {
    if (traits(operation.from).width == 16) return {};
    return oracle::boundary_groups(operation);
  }

  /// Random, sparse or nearly full.
  Bits draw_fraction(rc::Random& random) const {
    const Bits few = Bits{1} << (random.next() % 64) | Bits{1} << (random.next() % 64);
    const std::uint64_t shape = random.next() % 3;
    return (shape == 0 ? random.next() : shape == 1 ? few : ~few) & from_.fraction_mask();
  }

  Bits draw_tie(rc::Random& random) const {
    const oracle::BoundaryGroup& group = ties_[random.next() % ties_.size()];
    const Bits tie = group.first + random.next() % group.count * group.step;
    const Bits sign = from_.is_floating() && random.next() % 2 == 0 ? from_.sign_mask() : 0;
    return (tie + random.next() % 3 - 1) | sign;
  }

  const DtypeTraits& from_;
  std::vector<oracle::BoundaryGroup> ties_;
};

/// Inputs of a cast, of every class by weight. `source` must outlive the generator.
inline rc::Gen<Pattern> patterns(const PatternSource& source) {
  return [&source](const rc::Random& random, int /*size*/) {
    rc::Random here = random;
    return shrinking({source.draw(here), source.dtype()});
  };
}

/// The same of one class.
inline rc::Gen<Pattern> patterns(const PatternSource& source, PatternClass kind) {
  return [&source, kind](const rc::Random& random, int /*size*/) {
    rc::Random here = random;
    return shrinking({source.draw(kind, here), source.dtype()});
  };
}

}  // namespace assay::properties
