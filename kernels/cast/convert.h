// The conversions of one element, on bit patterns and in integer arithmetic throughout: no
// rounding mode, flush mode or exception mask has a say, and nothing traps.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "kernels/cast/format.h"

namespace assay::cast {

/// `condition ? yes : no`, by masks. Compilers turn some conditional expressions into branches, and
/// on data of mixed signs and exponents those are mispredicted all the time.
template <class Word>
constexpr Word choose(bool condition, Word yes, Word no) {
  const Word mask = static_cast<Word>(-static_cast<Word>(condition));
  return static_cast<Word>(no ^ ((yes ^ no) & mask));
}

/// Drops `guard + 1` trailing bits, the last of which `q` still holds (q = significand >> guard),
/// rounding to nearest, ties to even. `sticky`: whether one of the bits dropped before was set.
///
/// Adding 1 to q carries out of its last bit only where that bit is set, at half a step or above.
/// There it is due where a further bit is set or the kept part is odd.
template <class Word>
constexpr Word round_last_bit(Word q, bool sticky) {
  return static_cast<Word>((q + (((q >> 1) & 1) | static_cast<Word>(sticky))) >> 1);
}

/// The magnitude of a result below Destination's least normal number, from the bits of a source
/// that is not below half of Destination's least subnormal. One more bit is lost per exponent that
/// is missing.
template <class Source, class Destination>
constexpr typename Source::Word narrow_gradually(typename Source::Word magnitude) {
  using Word = typename Source::Word;
  using Pair = Narrowing<Source, Destination>;
  const int exponent = static_cast<int>(magnitude >> Source::kFractionBits);
  const int guard = Pair::kLeastNormal + Pair::kDropped - 1 - exponent;
  const Word significand = (magnitude & Source::kFractionMask) | (Word{1} << Source::kFractionBits);
  const Word q = static_cast<Word>(significand >> guard);
  return round_last_bit(q, static_cast<Word>(q << guard) != significand);
}

/// Whether a source rounds to a result between zero and Destination's least normal number, which
/// narrow_to_normal() does not give. Never where both formats have the same exponents.
template <class Source, class Destination>
constexpr bool narrows_gradually(typename Source::Word bits) {
  using Word = typename Source::Word;
  using Pair = Narrowing<Source, Destination>;
  if constexpr (Pair::kSameExponents) return false;
  const Word magnitude = bits & Source::kMagnitudeMask;
  return static_cast<Word>(magnitude - Pair::kLeastKept) < Pair::kNormal - Pair::kLeastKept;
}

/// narrow() for all other sources, without a branch and without a shift by a variable count, so
/// that compilers vectorise it.
template <class Source, class Destination>
constexpr typename Destination::Word narrow_to_normal(typename Source::Word bits) {
  using Word = typename Source::Word;
  using Pair = Narrowing<Source, Destination>;
  constexpr Word kInfinity = Destination::kInfinity;
  constexpr Word kBelowHalf = (Word{1} << (Pair::kDropped - 1)) - 1;
  const Word magnitude = bits & Source::kMagnitudeMask;
  const Word sign =
      static_cast<Word>((bits & Source::kSignMask) >> (Source::kWidth - Destination::kWidth));
  // The fields line up, once the exponent is rebased: the carry of the rounding runs from the
  // fraction into the exponent, and from the largest finite number into infinity.
  const Word odd = (magnitude >> Pair::kDropped) & 1;
  Word rounded;
  if constexpr (Pair::kSameExponents) {
    rounded = static_cast<Word>((magnitude + kBelowHalf + odd) >> Pair::kDropped);
  } else {
    constexpr Word kRebias = Word{Source::kBias - Destination::kBias} << Source::kFractionBits;
    rounded = static_cast<Word>((magnitude - kRebias + kBelowHalf + odd) >> Pair::kDropped);
    rounded = choose(rounded > kInfinity, kInfinity, rounded);
    rounded = choose(magnitude < Pair::kNormal, Word{0}, rounded);
  }
  const Word nan = static_cast<Word>(kInfinity | Destination::kQuietBit |
                                     ((magnitude & Source::kFractionMask) >> Pair::kDropped));
  const Word result = choose(magnitude > Source::kInfinity, nan, rounded);
  return static_cast<typename Destination::Word>(result | sign);
}

/// Rounds to Destination, which has fewer fraction bits and no wider exponent range.
template <class Source, class Destination>
constexpr typename Destination::Word narrow(typename Source::Word bits) {
  using Word = typename Destination::Word;
  if (!narrows_gradually<Source, Destination>(bits)) {
    return narrow_to_normal<Source, Destination>(bits);
  }
  const Word sign = (bits & Source::kSignMask) != 0 ? Destination::kSignMask : Word{0};
  const auto magnitude = narrow_gradually<Source, Destination>(bits & Source::kMagnitudeMask);
  return static_cast<Word>(static_cast<Word>(magnitude) | sign);
}

/// Converts to Destination, which holds every value of Source. Exact.
template <class Source, class Destination>
constexpr typename Destination::Word widen(typename Source::Word bits) {
  using Word = typename Destination::Word;
  using Pair = Widening<Source, Destination>;
  const Word magnitude = static_cast<Word>(bits & Source::kMagnitudeMask);
  const Word sign = static_cast<Word>(static_cast<Word>(bits & Source::kSignMask)
                                      << (Destination::kWidth - Source::kWidth));
  constexpr Word kRebias = static_cast<Word>(Pair::kRebias) << Destination::kFractionBits;
  Word result = static_cast<Word>(magnitude << Pair::kAppended) + kRebias;
  if constexpr (!Pair::kSameExponents) {
    // Infinity and NaN need the all-ones exponent, which is one more rebias away.
    result += magnitude >= Source::kInfinity ? kRebias : 0;
    if (magnitude < Source::kMinNormal) {
      // Subnormal: the leading bit becomes the hidden one. Zero has no leading bit.
      constexpr int kHidden = Destination::kWidth - 1 - Source::kFractionBits;
      const int up = std::countl_zero(static_cast<Word>(magnitude | 1)) - kHidden;
      const Word shifted = static_cast<Word>(magnitude << (Pair::kAppended + up));
      const Word field = (kRebias >> Destination::kFractionBits) - static_cast<Word>(up);
      result = magnitude == 0 ? 0 : shifted + (field << Destination::kFractionBits);
    }
  }
  const Word quiet = magnitude > Source::kInfinity ? Destination::kQuietBit : Word{0};
  return static_cast<Word>(result | quiet | sign);
}

/// Rounds an unsigned integer to Destination, to nearest even; exact where it fits.
template <class Destination>
constexpr typename Destination::Word from_u32(std::uint32_t value) {
  using Word = typename Destination::Word;
  constexpr int kSpare = Destination::kWidth - 32;
  const int leading = std::countl_zero(value | 1u);
  const Word normal = static_cast<Word>(value) << (kSpare + leading);
  // The hidden bit counts as 1 in the exponent field.
  const Word field = static_cast<Word>(Destination::kBias + 31 - leading - 1)
                     << Destination::kFractionBits;
  constexpr int kDropped = Destination::kWidth - 1 - Destination::kFractionBits;
  Word significand;
  if constexpr (Destination::kFractionBits >= 31) {
    significand = normal >> kDropped;
  } else {
    const Word odd = (normal >> kDropped) & 1;
    constexpr Word kBelowHalf = (Word{1} << (kDropped - 1)) - 1;
    // The sum may carry out of the word: round the shifted-out part alone.
    const Word carry = ((normal & ((Word{1} << kDropped) - 1)) + kBelowHalf + odd) >> kDropped;
    significand = (normal >> kDropped) + carry;
  }
  return choose<Word>(value == 0, 0, significand + field);
}

/// Truncates toward zero; saturates outside the domain, NaN gives 0.
template <class Source>
constexpr std::uint32_t to_u32(typename Source::Word bits) {
  using Word = typename Source::Word;
  constexpr int kOne = Source::kBias;
  constexpr int kLast = Source::kBias + 31;
  constexpr int kTop = Source::kWidth - 1;
  const Word magnitude = bits & Source::kMagnitudeMask;
  const int exponent = static_cast<int>(magnitude >> Source::kFractionBits);
  const Word significand = (magnitude << (kTop - Source::kFractionBits)) | Source::kSignMask;
  const int shift = (Source::kBias + kTop - exponent) & (Source::kWidth - 1);
  const std::uint32_t truncated = static_cast<std::uint32_t>(significand >> shift);
  const std::uint32_t saturated = choose(exponent > kLast, 0xffffffffu, truncated);
  const bool below_one = exponent < kOne;
  const bool negative_or_nan = bits > Source::kInfinity;
  return choose(below_one | negative_or_nan, 0u, saturated);
}

}  // namespace assay::cast
