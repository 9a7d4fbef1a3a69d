// The conversions of a vector of elements, once per Highway target. Each function takes bit
// patterns in the lanes of `d` and returns bit patterns in lanes of the same width, a narrower
// format's right-aligned.
//
// Highway's own conversions of bf16, and those of f16 below AVX2, truncate or lose infinities and
// NaNs in version 1.0.3 (and flush subnormals on AVX3_SPR in 1.2), so the lanes are converted by
// integer instructions, as convert.h does with one element. Exceptions, none of which depends on
// the rounding mode or on the flush modes:
//  - f32 to f16 and f16 to f32 by F16C where a target has it: the rounding is part of the
//    instruction, subnormal f16 are never flushed, and subnormal f32 become zero anyway. All 2^32
//    and 2^16 inputs agree with convert.h.
//  - u32 to f32 and f64, and f32 to u32, by the conversions of AVX-512, which take their rounding
//    from the instruction itself. No operand or result of theirs is a subnormal that a flush mode
//    changes. (Of those between f32 and f64 some are: cast_simd.cc.)
//  - Small integers to f64 or f32 by writing them into the fraction of a power of two and
//    subtracting that power. The difference is exact and never subnormal; of a zero, whose sign
//    the rounding mode chooses, the sign is cleared.

// Highway includes this file once per target.
#if defined(ASSAY_KERNELS_CAST_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_KERNELS_CAST_LANES_INL_H_
#undef ASSAY_KERNELS_CAST_LANES_INL_H_
#else
#define ASSAY_KERNELS_CAST_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/cast/format.h"
#include "kernels/highway_compat.h"

HWY_BEFORE_NAMESPACE();
namespace assay::cast {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Lanes where a > b, for values below half of the lane's range: signed comparison is the one that
/// every instruction set has.
template <class D, class V>
HWY_INLINE hn::Mask<D> small_greater(D d, V a, V b) {
  const hn::RebindToSigned<D> di;
  return hn::RebindMask(d, hn::Gt(hn::BitCast(di, a), hn::BitCast(di, b)));
}

/// min(a, b), for the same values.
template <class D, class V>
HWY_INLINE V small_min(D d, V a, V b) {
  return hn::IfThenElse(small_greater(d, a, b), b, a);
}

/// 32-bit lanes that hold 16-bit patterns, as 16-bit lanes. A demotion, which saturates and so
/// changes nothing here, because Highway 1.0.3 truncates a 256-bit vector wrongly on AVX3_DL: it
/// calls vpermb with data and indices exchanged.
template <class D16, class V32>
HWY_INLINE hn::Vec<D16> patterns_16(D16 d16, V32 patterns) {
  const hn::Rebind<std::int32_t, D16> di32;
  return hn::DemoteTo(d16, hn::BitCast(di32, patterns));
}

/// `significand` without its `guard` + 1 trailing bits, as round_last_bit() of convert.h.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V shift_and_round(D d, V significand, V guard) {
  const V one = hn::Set(d, hn::TFromD<D>{1});
  const V q = hn::Shr(significand, guard);
  const V sticky = hn::IfThenZeroElse(hn::Eq(hn::Shl(q, guard), significand), one);
  const V up = hn::Or(hn::And(hn::ShiftRight<1>(q), one), sticky);
  return hn::ShiftRight<1>(hn::Add(q, up));
}

/// As narrow_gradually() of convert.h; anything for lanes that are not to be narrowed gradually.
template <class Source, class Destination, class D, class V = hn::Vec<D>>
HWY_INLINE V narrow_gradually_lanes(D d, V magnitude) {
  using Word = hn::TFromD<D>;
  using Pair = Narrowing<Source, Destination>;
  const V exponent = hn::ShiftRight<Source::kFractionBits>(magnitude);
  const V last = hn::Set(d, Word{Pair::kLeastNormal + Pair::kDropped - 1});
  const V guard = hn::And(hn::Sub(last, exponent), hn::Set(d, Word{Source::kWidth - 1}));
  const V significand = hn::Or(hn::And(magnitude, hn::Set(d, Source::kFractionMask)),
                               hn::Set(d, Word{1} << Source::kFractionBits));
  return shift_and_round(d, significand, guard);
}

/// As narrow() of convert.h. Results below the least normal number take shifts by a variable count,
/// which the older instruction sets do not have, so they are only worked out in vectors with any.
template <class Source, class Destination, class D, class V = hn::Vec<D>>
HWY_INLINE V narrow_lanes(D d, V bits) {
  using Word = hn::TFromD<D>;
  using Pair = Narrowing<Source, Destination>;
  static_assert(sizeof(Word) == sizeof(typename Source::Word));
  const V infinity = hn::Set(d, Word{Destination::kInfinity});
  const V magnitude = hn::And(bits, hn::Set(d, Source::kMagnitudeMask));
  const V odd = hn::And(hn::ShiftRight<Pair::kDropped>(bits), hn::Set(d, Word{1}));
  const V below_half = hn::Set(d, (Word{1} << (Pair::kDropped - 1)) - 1);
  const auto is_nan = small_greater(d, magnitude, hn::Set(d, Source::kInfinity));
  if constexpr (Pair::kSameExponents) {
    // The sign stays where it is: no carry of a number, infinity being the greatest, reaches it.
    const V rounded = hn::ShiftRight<Pair::kDropped>(hn::Add(hn::Add(bits, below_half), odd));
    const V nan =
        hn::Or(hn::ShiftRight<Pair::kDropped>(bits), hn::Set(d, Word{Destination::kQuietBit}));
    return hn::IfThenElse(is_nan, nan, rounded);
  } else {
    const V sign = hn::ShiftRight<Source::kWidth - Destination::kWidth>(
        hn::And(bits, hn::Set(d, Source::kSignMask)));
    constexpr Word kRebias = Word{Source::kBias - Destination::kBias} << Source::kFractionBits;
    const V rebased = hn::Sub(magnitude, hn::Set(d, kRebias));
    V rounded = hn::ShiftRight<Pair::kDropped>(hn::Add(hn::Add(rebased, below_half), odd));
    rounded = small_min(d, rounded, infinity);
    const auto below_normal = small_greater(d, hn::Set(d, Word{Pair::kNormal}), magnitude);
    const auto vanishes = small_greater(d, hn::Set(d, Word{Pair::kLeastKept}), magnitude);
    rounded = hn::IfThenZeroElse(below_normal, rounded);
    const auto gradual = hn::AndNot(vanishes, below_normal);
    if (HWY_UNLIKELY(!hn::AllFalse(d, gradual))) {
      rounded = hn::IfThenElse(gradual, narrow_gradually_lanes<Source, Destination>(d, magnitude),
                               rounded);
    }
    const V nan = hn::Or(
        hn::Set(d, Word{Destination::kInfinity | Destination::kQuietBit}),
        hn::ShiftRight<Pair::kDropped>(hn::And(magnitude, hn::Set(d, Source::kFractionMask))));
    return hn::Or(hn::IfThenElse(is_nan, nan, rounded), sign);
  }
}

/// The integer part of numbers given by their leading 32 bits, the first of which has the weight of
/// the number's power of two, saturated, and 0 for NaN. `bits` and
/// `exponent` (biased) are those of format Source.
template <class Source, class D32, class V = hn::Vec<D32>>
HWY_INLINE V integer_lanes(D32 d32, V bits, V exponent, V significand) {
  const V shift = hn::And(hn::Sub(hn::Set(d32, std::uint32_t{Source::kBias + 31}), exponent),
                          hn::Set(d32, 31u));
  const V truncated = hn::Shr(significand, shift);
  const auto above = small_greater(d32, exponent, hn::Set(d32, std::uint32_t{Source::kBias + 31}));
  const auto below = small_greater(d32, hn::Set(d32, std::uint32_t{Source::kBias}), exponent);
  // Negative, or NaN: as a signed number below zero or above infinity.
  const auto too_high = small_greater(d32, bits, hn::Set(d32, Source::kInfinity));
  const auto negative = small_greater(d32, hn::Zero(d32), bits);
  V result = hn::IfThenElse(above, hn::Set(d32, 0xffffffffu), truncated);
  result = hn::IfThenZeroElse(below, result);
  return hn::IfThenZeroElse(hn::Or(too_high, negative), result);
}

/// f32 to u32, as truncate_f32() of convert.h.
template <class D32, class V = hn::Vec<D32>>
HWY_INLINE V u32_from_f32(D32 d32, V bits) {
#if ASSAY_HWY_AVX512
  (void)d32;
  // Of what is above the range the instruction makes all ones. NaNs and what has a sign are, as
  // integers, above infinity.
  const __mmask16 counts = _mm512_cmple_epu32_mask(bits.raw, _mm512_set1_epi32(F32::kInfinity));
  return V{
      _mm512_maskz_cvtt_roundps_epu32(counts, _mm512_castsi512_ps(bits.raw), _MM_FROUND_NO_EXC)};
#else
  const V exponent =
      hn::ShiftRight<F32::kFractionBits>(hn::And(bits, hn::Set(d32, F32::kMagnitudeMask)));
  const V significand =
      hn::Or(hn::ShiftLeft<31 - F32::kFractionBits>(bits), hn::Set(d32, F32::kSignMask));
  return integer_lanes<F32>(d32, bits, exponent, significand);
#endif
}

/// The upper and lower halves of as many f64 as a vector has 32-bit lanes, in order. Two lanes of
/// 32 bits are worth one of 64 to every integer instruction, and some exist for no other width.
template <class D32>
struct Halves {
  hn::Vec<D32> upper;
  hn::Vec<D32> lower;
};
#if HWY_TARGET == HWY_SCALAR  // one lane, and none of the operations on pairs of vectors
template <class D32>
HWY_INLINE Halves<D32> load_halves(D32 d32, const std::uint64_t* in) {
  return {hn::Set(d32, static_cast<std::uint32_t>(*in >> 32)),
          hn::Set(d32, static_cast<std::uint32_t>(*in))};
}
template <class D32>
HWY_INLINE void store_halves(D32 /*d32*/, Halves<D32> halves, std::uint64_t* out) {
  *out = std::uint64_t{hn::GetLane(halves.upper)} << 32 | hn::GetLane(halves.lower);
}
#else
template <class D32>
HWY_INLINE Halves<D32> load_halves(D32 d32, const std::uint64_t* in) {
  const auto* words = reinterpret_cast<const std::uint32_t*>(in);
  const auto first = hn::LoadU(d32, words);
  const auto second = hn::LoadU(d32, words + hn::Lanes(d32));
  return {hn::ConcatOdd(d32, second, first), hn::ConcatEven(d32, second, first)};
}
template <class D32>
HWY_INLINE void store_halves(D32 d32, Halves<D32> halves, std::uint64_t* out) {
  hn::StoreInterleaved2(halves.lower, halves.upper, d32, reinterpret_cast<std::uint32_t*>(out));
}
#endif

/// The upper halves, rounded to odd (see F64High).
template <class D32, class V = hn::Vec<D32>>
HWY_INLINE V odd_upper_halves(D32 d32, Halves<D32> halves) {
  const auto exact = hn::Eq(halves.lower, hn::Zero(d32));
  return hn::Or(halves.upper, hn::IfThenZeroElse(exact, hn::Set(d32, 1u)));
}

/// The leading 32 bits of f64 significands, rounded to odd.
template <class D32, class V = hn::Vec<D32>>
HWY_INLINE V odd_significands(D32 d32, Halves<D32> halves) {
  constexpr int kUp = 31 - F64High::kFractionBits;
  const V leading = hn::Or(hn::Or(hn::ShiftLeft<kUp>(halves.upper), hn::Set(d32, 0x80000000u)),
                           hn::ShiftRight<32 - kUp>(halves.lower));
  const auto exact = hn::Eq(hn::ShiftLeft<kUp>(halves.lower), hn::Zero(d32));
  return hn::Or(leading, hn::IfThenZeroElse(exact, hn::Set(d32, 1u)));
}

/// f64 to f32, as narrow() of convert.h.
template <class D32, class V = hn::Vec<D32>>
HWY_INLINE V f32_from_f64(D32 d32, Halves<D32> halves) {
  using Pair = Narrowing<F64, F32>;
  constexpr int kUp = 32 - Pair::kDropped;  // bits of the result that the lower half holds
  constexpr std::uint32_t kBelowHalf = (1u << (Pair::kDropped - 1)) - 1;
  constexpr std::uint32_t kNormal = Pair::kNormal >> 32;
  constexpr std::uint32_t kLeastKept = Pair::kLeastKept >> 32;
  constexpr std::uint32_t kRebias = std::uint32_t{F64::kBias - F32::kBias} << F32::kFractionBits;
  const V infinity = hn::Set(d32, F32::kInfinity);
  const V magnitude = hn::And(halves.upper, hn::Set(d32, F64High::kMagnitudeMask));
  const V sign = hn::And(halves.upper, hn::Set(d32, F64High::kSignMask));
  // The carry of rounding what is dropped of the lower half. The upper bits of the exponent fall
  // out of the shift, and rebasing it brings a normal result's exponent into its 8 bits.
  const V kept =
      hn::Or(hn::ShiftLeft<kUp>(magnitude), hn::ShiftRight<Pair::kDropped>(halves.lower));
  const V odd = hn::And(kept, hn::Set(d32, 1u));
  const V dropped = hn::And(halves.lower, hn::Set(d32, (1u << Pair::kDropped) - 1));
  const V carry =
      hn::ShiftRight<Pair::kDropped>(hn::Add(hn::Add(dropped, hn::Set(d32, kBelowHalf)), odd));
  V rounded = hn::Add(hn::Sub(kept, hn::Set(d32, kRebias)), carry);
  // From 2^(emax+1) on.
  constexpr std::uint32_t kTooLarge = std::uint32_t{F64::kBias + F32::kBias + 1}
                                      << F64High::kFractionBits;
  rounded =
      hn::IfThenElse(small_greater(d32, magnitude, hn::Set(d32, kTooLarge - 1)), infinity, rounded);
  const auto below_normal = small_greater(d32, hn::Set(d32, kNormal), magnitude);
  const auto vanishes = small_greater(d32, hn::Set(d32, kLeastKept), magnitude);
  rounded = hn::IfThenZeroElse(below_normal, rounded);
  const auto gradual = hn::AndNot(vanishes, below_normal);
  if (HWY_UNLIKELY(!hn::AllFalse(d32, gradual))) {
    // As narrow_gradually() does, on significands of 32 bits: rounding to odd first changes nothing
    // where at least two more bits are dropped, and here at least 9 are.
    const V significand = odd_significands(d32, halves);
    const V exponent = hn::ShiftRight<F64High::kFractionBits>(magnitude);
    constexpr std::uint32_t kLast = Pair::kLeastNormal + (31 - F32::kFractionBits) - 1;
    const V guard = hn::And(hn::Sub(hn::Set(d32, kLast), exponent), hn::Set(d32, 31u));
    rounded = hn::IfThenElse(gradual, shift_and_round(d32, significand, guard), rounded);
  }
  const V nan = hn::Or(hn::Set(d32, F32::kInfinity | F32::kQuietBit),
                       hn::And(kept, hn::Set(d32, F32::kFractionMask)));
  const V odd_magnitude =
      hn::And(odd_upper_halves(d32, halves), hn::Set(d32, F64High::kMagnitudeMask));
  const auto is_nan = small_greater(d32, odd_magnitude, hn::Set(d32, F64High::kInfinity));
  return hn::Or(hn::IfThenElse(is_nan, nan, rounded), sign);
}

/// f32 to f64. Exact.
template <class D32, class V = hn::Vec<D32>>
HWY_INLINE Halves<D32> f64_from_f32(D32 d32, V bits) {
  using Pair = Widening<F32, F64>;
  constexpr int kDown = 32 - Pair::kAppended;
  constexpr std::uint32_t kRebias = std::uint32_t{Pair::kRebias} << F64High::kFractionBits;
  const V magnitude = hn::And(bits, hn::Set(d32, F32::kMagnitudeMask));
  const V sign = hn::And(bits, hn::Set(d32, F32::kSignMask));
  Halves<D32> result{hn::Add(hn::ShiftRight<kDown>(magnitude), hn::Set(d32, kRebias)),
                     hn::ShiftLeft<Pair::kAppended>(magnitude)};
  const auto above_finite = small_greater(d32, magnitude, hn::Set(d32, F32::kInfinity - 1));
  const auto is_nan = small_greater(d32, magnitude, hn::Set(d32, F32::kInfinity));
  result.upper =
      hn::Or(result.upper, hn::IfThenElseZero(above_finite, hn::Set(d32, F64High::kInfinity)));
  result.upper =
      hn::Or(result.upper, hn::IfThenElseZero(is_nan, hn::Set(d32, F64::kQuietBit >> 32)));
  const auto is_subnormal = small_greater(d32, hn::Set(d32, F32::kMinNormal), magnitude);
  if (HWY_UNLIKELY(!hn::AllFalse(d32, is_subnormal))) {
    // The magnitude counts steps of 2^-149. In the fraction of 2^23 it is an integer to be had
    // above that power: exactly, and as a normal number or zero.
    const hn::RebindToFloat<D32> df32;
    const V power =
        hn::Set(d32, std::uint32_t{F32::kBias + F32::kFractionBits} << F32::kFractionBits);
    const V steps = hn::And(hn::BitCast(d32, hn::Sub(hn::BitCast(df32, hn::Or(magnitude, power)),
                                                     hn::BitCast(df32, power))),
                            hn::Set(d32, F32::kMagnitudeMask));
    constexpr std::uint32_t kOfSteps =
        std::uint32_t{Pair::kRebias + F32::kMinExponent - F32::kFractionBits}
        << F64High::kFractionBits;
    const V upper =
        hn::IfThenZeroElse(hn::Eq(magnitude, hn::Zero(d32)),
                           hn::Add(hn::ShiftRight<kDown>(steps), hn::Set(d32, kOfSteps)));
    result.upper = hn::IfThenElse(is_subnormal, upper, result.upper);
    result.lower =
        hn::IfThenElse(is_subnormal, hn::ShiftLeft<Pair::kAppended>(steps), result.lower);
  }
  result.upper = hn::Or(result.upper, sign);
  return result;
}

/// f64 to u32, as truncate_f64() of convert.h.
template <class D32, class V = hn::Vec<D32>>
HWY_INLINE V u32_from_f64(D32 d32, Halves<D32> halves) {
  const V exponent = hn::ShiftRight<F64High::kFractionBits>(
      hn::And(halves.upper, hn::Set(d32, F64High::kMagnitudeMask)));
  // As they are: rounded to odd, an integer of 32 bits with a fraction would get its last bit set.
  constexpr int kUp = 31 - F64High::kFractionBits;
  const V significand = hn::Or(hn::Or(hn::ShiftLeft<kUp>(halves.upper), hn::Set(d32, 0x80000000u)),
                               hn::ShiftRight<32 - kUp>(halves.lower));
  return integer_lanes<F64High>(d32, odd_upper_halves(d32, halves), exponent, significand);
}

/// As widen() of convert.h; `bits` are right-aligned in lanes of Destination's width.
template <class Source, class Destination, class D, class V = hn::Vec<D>>
HWY_INLINE V widen_lanes(D d, V bits) {
  using Word = hn::TFromD<D>;
  using Pair = Widening<Source, Destination>;
  static_assert(sizeof(Word) == sizeof(typename Destination::Word));
  const V magnitude = hn::And(bits, hn::Set(d, Word{Source::kMagnitudeMask}));
  const auto is_nan = small_greater(d, magnitude, hn::Set(d, Word{Source::kInfinity}));
  const V quiet = hn::IfThenElseZero(is_nan, hn::Set(d, Word{Destination::kQuietBit}));
  if constexpr (Pair::kSameExponents) {
    return hn::Or(hn::ShiftLeft<Pair::kAppended>(bits), quiet);
  } else {
    const V sign = hn::ShiftLeft<Destination::kWidth - Source::kWidth>(
        hn::And(bits, hn::Set(d, Word{Source::kSignMask})));
    V result = hn::ShiftLeft<Pair::kAppended>(magnitude);
    constexpr Word kRebias = Word{Pair::kRebias} << Destination::kFractionBits;
    result = hn::Add(result, hn::Set(d, kRebias));
    const auto special = small_greater(d, magnitude, hn::Set(d, Word{Source::kInfinity - 1}));
    result = hn::Or(result, hn::IfThenElseZero(special, hn::Set(d, Word{Destination::kInfinity})));
    // Subnormal: the magnitude counts steps of 2^(emin - fraction bits). In the fraction of the
    // power of two whose last place is such a step, it is the number to be had above that power.
    constexpr int kPower =
        Source::kMinExponent - Source::kFractionBits + Destination::kFractionBits;
    const hn::RebindToFloat<D> df;
    const V power = hn::Set(d, Word{kPower + Destination::kBias} << Destination::kFractionBits);
    const V difference =
        hn::BitCast(d, hn::Sub(hn::BitCast(df, hn::Or(magnitude, power)), hn::BitCast(df, power)));
    const V subnormal = hn::And(difference, hn::Set(d, Destination::kMagnitudeMask));
    const auto is_subnormal = small_greater(d, hn::Set(d, Word{Source::kMinNormal}), magnitude);
    result = hn::IfThenElse(is_subnormal, subnormal, result);
    return hn::Or(hn::Or(result, quiet), sign);
  }
}

/// 32-bit integers in 64-bit lanes, as f64. Exact.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V f64_from_u32_lanes(D d, V value) {
  const hn::RebindToFloat<D> df;
  const V power = hn::Set(d, std::uint64_t{F64::kBias + F64::kFractionBits} << F64::kFractionBits);
  const V difference =
      hn::BitCast(d, hn::Sub(hn::BitCast(df, hn::Or(value, power)), hn::BitCast(df, power)));
  return hn::And(difference, hn::Set(d, F64::kMagnitudeMask));
}

/// 32-bit integers in 64-bit lanes, as f32: the exact f64, rounded once.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V f32_from_u32_lanes(D d, V value) {
  constexpr int kDropped = F64::kFractionBits - F32::kFractionBits;
  constexpr std::uint64_t kBelowHalf = (std::uint64_t{1} << (kDropped - 1)) - 1;
  constexpr std::uint64_t kRebias = std::uint64_t{F64::kBias - F32::kBias} << F32::kFractionBits;
  const V exact = f64_from_u32_lanes(d, value);
  const V odd = hn::And(hn::ShiftRight<kDropped>(exact), hn::Set(d, std::uint64_t{1}));
  const V rounded = hn::ShiftRight<kDropped>(hn::Add(hn::Add(exact, hn::Set(d, kBelowHalf)), odd));
  // The results are 0 and 1 up to 2^32: nothing subnormal, nothing that overflows.
  return hn::IfThenZeroElse(hn::Eq(exact, hn::Zero(d)), hn::Sub(rounded, hn::Set(d, kRebias)));
}

/// f32 to f16, in 16-bit lanes.
template <class D32>
HWY_INLINE hn::Vec<hn::Rebind<std::uint16_t, D32>> f16_from_f32(D32 d32, hn::Vec<D32> bits) {
  const hn::Rebind<std::uint16_t, D32> d16;
#if ASSAY_HWY_F16C
  const hn::Rebind<hwy::float16_t, D32> df16;
  const hn::RebindToFloat<D32> df32;
  (void)d32;
  return hn::BitCast(d16, hn::DemoteTo(df16, hn::BitCast(df32, bits)));
#else
  return patterns_16(d16, narrow_lanes<F32, F16>(d32, bits));
#endif
}

/// f16 in 16-bit lanes to f32.
template <class D32>
HWY_INLINE hn::Vec<D32> f32_from_f16(D32 d32, hn::Vec<hn::Rebind<std::uint16_t, D32>> bits) {
#if ASSAY_HWY_F16C
  const hn::Rebind<hwy::float16_t, D32> df16;
  const hn::RebindToFloat<D32> df32;
  return hn::BitCast(d32, hn::PromoteTo(df32, hn::BitCast(df16, bits)));
#else
  return widen_lanes<F16, F32>(d32, hn::PromoteTo(d32, bits));
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace assay::cast
HWY_AFTER_NAMESPACE();

#endif  // per target
