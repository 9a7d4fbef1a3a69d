// The conversions of one element, on bit patterns: no rounding mode and no flush mode has a say.
// Most is integer arithmetic; where an instruction for floating-point numbers is used, the comment
// says why nothing can influence it.
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

/// Whether a < b, as a mask of all bits, for values below 2^31: by a subtraction, since plain
/// x86-64 compares 64-bit lanes not at all and 32-bit lanes as signed numbers only.
constexpr std::uint32_t below_mask(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(a - b) >> 31);
}

/// narrows_gradually() from f64 to f32, as a mask that is zero or not.
constexpr std::uint32_t f64_narrows_gradually_to_f32(std::uint64_t bits) {
  using Pair = Narrowing<F64, F32>;
  constexpr std::uint32_t kNormal = Pair::kNormal >> 32;
  constexpr std::uint32_t kLeastKept = Pair::kLeastKept >> 32;
  const std::uint32_t magnitude = static_cast<std::uint32_t>(bits >> 32) & F64High::kMagnitudeMask;
  return below_mask(magnitude, kNormal) & ~below_mask(magnitude, kLeastKept);
}

/// narrow_to_normal() from f64 to f32, in 32-bit arithmetic on the two halves: vectors hold twice
/// as many of those.
constexpr std::uint32_t f32_from_normal_f64(std::uint64_t bits) {
  using Pair = Narrowing<F64, F32>;
  constexpr int kUp = 32 - Pair::kDropped;  // bits of the result that the lower half holds
  constexpr std::uint32_t kBelowHalf = (1u << (Pair::kDropped - 1)) - 1;
  constexpr std::uint32_t kNormal = Pair::kNormal >> 32;
  constexpr std::uint32_t kRebias = std::uint32_t{F64::kBias - F32::kBias} << F32::kFractionBits;
  constexpr std::uint32_t kTooLarge = std::uint32_t{F64::kBias + F32::kBias + 1}
                                      << F64High::kFractionBits;
  const auto lower = static_cast<std::uint32_t>(bits);
  const auto upper = static_cast<std::uint32_t>(bits >> 32);
  const std::uint32_t magnitude = upper & F64High::kMagnitudeMask;
  // The upper bits of the exponent fall out of the shift; rebasing brings a normal result's
  // exponent into its 8 bits. The carry is that of rounding what is dropped of the lower half.
  const std::uint32_t kept = (magnitude << kUp) | (lower >> Pair::kDropped);
  const std::uint32_t dropped = lower & ((1u << Pair::kDropped) - 1);
  const std::uint32_t carry = (dropped + kBelowHalf + (kept & 1)) >> Pair::kDropped;
  const std::uint32_t normal = below_mask(kNormal - 1, magnitude);
  const std::uint32_t too_large = below_mask(kTooLarge - 1, magnitude);
  std::uint32_t result = (kept - kRebias + carry) & normal & ~too_large;
  result |= F32::kInfinity & too_large;
  // Rounded to odd, the upper half of a NaN is above that of infinity.
  const std::uint32_t odd = magnitude | ((lower | (0u - lower)) >> 31);
  const std::uint32_t nan = below_mask(F64High::kInfinity, odd);
  result |= (F32::kQuietBit | (kept & F32::kFractionMask)) & nan;
  return result | (upper & F32::kSignMask);
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

/// Whether widen_finite() does not give the result: the least and the greatest exponent field.
template <class Source, class Destination>
constexpr bool widens_specially(typename Source::Word bits) {
  using Word = typename Source::Word;
  const Word magnitude = static_cast<Word>(bits & Source::kMagnitudeMask);
  return static_cast<Word>(magnitude - Source::kMinNormal) >=
         static_cast<Word>(Source::kInfinity - Source::kMinNormal);
}

/// widen() for normal numbers: a shift and an addition, which compilers vectorise.
template <class Source, class Destination>
constexpr typename Destination::Word widen_finite(typename Source::Word bits) {
  using Word = typename Destination::Word;
  using Pair = Widening<Source, Destination>;
  const Word magnitude = static_cast<Word>(bits & Source::kMagnitudeMask);
  const Word sign = static_cast<Word>(static_cast<Word>(bits & Source::kSignMask)
                                      << (Destination::kWidth - Source::kWidth));
  constexpr Word kRebias = static_cast<Word>(Pair::kRebias) << Destination::kFractionBits;
  return static_cast<Word>((static_cast<Word>(magnitude << Pair::kAppended) + kRebias) | sign);
}

/// Converts to Destination, which holds every value of Source. Exact.
template <class Source, class Destination>
constexpr typename Destination::Word widen(typename Source::Word bits) {
  using Word = typename Destination::Word;
  using Pair = Widening<Source, Destination>;
  if (!widens_specially<Source, Destination>(bits)) {
    return widen_finite<Source, Destination>(bits);
  }
  const Word magnitude = static_cast<Word>(bits & Source::kMagnitudeMask);
  const Word sign = static_cast<Word>(static_cast<Word>(bits & Source::kSignMask)
                                      << (Destination::kWidth - Source::kWidth));
  Word result = static_cast<Word>(magnitude << Pair::kAppended);
  if (magnitude >= Source::kInfinity) {
    // The fraction stays at its top; a NaN becomes quiet.
    result |= Destination::kInfinity;
    result |= magnitude > Source::kInfinity ? Destination::kQuietBit : Word{0};
  } else if constexpr (!Pair::kSameExponents) {
    if (magnitude != 0) {  // the leading bit becomes the hidden one
      constexpr int kHidden = Destination::kWidth - 1 - Source::kFractionBits;
      const int up = std::countl_zero(magnitude) - kHidden;
      const Word field = static_cast<Word>(Pair::kRebias) - static_cast<Word>(up);
      result = static_cast<Word>(result << up) + (field << Destination::kFractionBits);
    }
  }
  return static_cast<Word>(result | sign);
}

/// The f64 of an unsigned integer: exact. 2^52 + value has the value in its lowest fraction bits,
/// and taking 2^52 away again is exact in any rounding mode, but for the sign of a zero, which the
/// mask makes positive. No subnormal number takes part, so no flush mode has a say either.
constexpr std::uint64_t f64_from_u32(std::uint32_t value) {
  constexpr std::uint64_t kTwo52 = std::uint64_t{F64::kBias + 52} << F64::kFractionBits;
  const double shifted = std::bit_cast<double>(kTwo52 | value);
  return std::bit_cast<std::uint64_t>(shifted - std::bit_cast<double>(kTwo52)) &
         F64::kMagnitudeMask;
}

/// The f32 of an unsigned integer, rounded to nearest even: the f64 is exact, so rounding it is the
/// only rounding, and it is a normal number far from f32's limits, or zero.
constexpr std::uint32_t f32_from_u32(std::uint32_t value) {
  constexpr int kDropped = F64::kFractionBits - F32::kFractionBits;
  constexpr std::uint64_t kRebias = std::uint64_t{F64::kBias - F32::kBias} << F64::kFractionBits;
  constexpr std::uint64_t kBelowHalf = (std::uint64_t{1} << (kDropped - 1)) - 1;
  const std::uint64_t exact = f64_from_u32(value);
  const std::uint64_t odd = (exact >> kDropped) & 1;
  const auto rounded = static_cast<std::uint32_t>((exact - kRebias + kBelowHalf + odd) >> kDropped);
  return choose(value == 0, 0u, rounded);
}

/// Truncates toward zero; saturates outside the domain, NaN gives 0. Below 2^63 the language's
/// conversion of f64 to a signed integer is defined, truncates whatever the rounding mode, and
/// gives 0 for a subnormal flushed or not.
constexpr std::uint32_t truncate_f64(std::uint64_t bits) {
  constexpr std::uint64_t kTwo32 = std::uint64_t{F64::kBias + 32} << F64::kFractionBits;
  const std::uint64_t in_range = choose(bits < kTwo32, bits, std::uint64_t{0});
  const auto truncated =
      static_cast<std::uint32_t>(static_cast<std::int64_t>(std::bit_cast<double>(in_range)));
  const std::uint32_t saturated = choose(bits < kTwo32, truncated, 0xffffffffu);
  return choose(bits > F64::kInfinity, 0u, saturated);  // negative, or NaN
}

/// The same for f32, by a conversion to 32 bits, which plain x86-64 has for vectors. It goes to
/// 2^31; from there to 2^32 there is a single exponent.
constexpr std::uint32_t truncate_f32(std::uint32_t bits) {
  constexpr std::uint32_t kTwo31 = std::uint32_t{F32::kBias + 31} << F32::kFractionBits;
  constexpr std::uint32_t kTwo32 = std::uint32_t{F32::kBias + 32} << F32::kFractionBits;
  const std::uint32_t small = choose(bits < kTwo31, bits, 0u);
  const auto truncated =
      static_cast<std::uint32_t>(static_cast<std::int32_t>(std::bit_cast<float>(small)));
  const std::uint32_t large =
      ((bits & F32::kFractionMask) << (31 - F32::kFractionBits)) | 0x80000000u;
  const std::uint32_t in_range = choose(bits < kTwo31, truncated, large);
  const std::uint32_t saturated = choose(bits < kTwo32, in_range, 0xffffffffu);
  return choose(bits > F32::kInfinity, 0u, saturated);  // negative, or NaN
}

}  // namespace assay::cast
