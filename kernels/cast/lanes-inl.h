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

/// As narrow() of convert.h.
template <class Source, class Destination, class D, class V = hn::Vec<D>>
HWY_INLINE V narrow_lanes(D d, V bits) {
  using Word = hn::TFromD<D>;
  using Pair = Narrowing<Source, Destination>;
  static_assert(sizeof(Word) == sizeof(typename Source::Word));
  const V one = hn::Set(d, Word{1});
  const V infinity = hn::Set(d, Word{Destination::kInfinity});
  const V magnitude = hn::And(bits, hn::Set(d, Source::kMagnitudeMask));
  const V sign = hn::ShiftRight<Source::kWidth - Destination::kWidth>(
      hn::And(bits, hn::Set(d, Source::kSignMask)));
  V rounded;
  if constexpr (Pair::kSameExponents) {
    const V odd = hn::And(hn::ShiftRight<Pair::kDropped>(magnitude), one);
    const V below_half = hn::Set(d, (Word{1} << (Pair::kDropped - 1)) - 1);
    rounded = hn::ShiftRight<Pair::kDropped>(hn::Add(hn::Add(magnitude, below_half), odd));
  } else {
    const V exponent = hn::ShiftRight<Source::kFractionBits>(magnitude);
    const V clipped = small_min(d, exponent, hn::Set(d, Word{Pair::kLeastNormal}));
    const V guard =
        small_min(d, hn::Sub(hn::Set(d, Word{Pair::kLeastNormal + Pair::kDropped - 1}), clipped),
                  hn::Set(d, Word{Pair::kAllGone - 1}));
    const V significand = hn::Or(hn::And(magnitude, hn::Set(d, Source::kFractionMask)),
                                 hn::Set(d, Word{1} << Source::kFractionBits));
    const V q = hn::Shr(significand, guard);
    const V sticky = hn::IfThenZeroElse(hn::Eq(hn::Shl(q, guard), significand), one);
    const V up = hn::Or(hn::And(hn::ShiftRight<1>(q), one), sticky);
    const V field = hn::ShiftLeft<Destination::kFractionBits>(hn::Sub(exponent, clipped));
    rounded = small_min(d, hn::Add(hn::ShiftRight<1>(hn::Add(q, up)), field), infinity);
  }
  const V nan =
      hn::Or(hn::Set(d, Word{Destination::kInfinity | Destination::kQuietBit}),
             hn::ShiftRight<Pair::kDropped>(hn::And(magnitude, hn::Set(d, Source::kFractionMask))));
  const auto is_nan = small_greater(d, magnitude, hn::Set(d, Source::kInfinity));
  return hn::Or(hn::IfThenElse(is_nan, nan, rounded), sign);
}

/// As widen() of convert.h; `bits` are right-aligned in lanes of Destination's width.
template <class Source, class Destination, class D, class V = hn::Vec<D>>
HWY_INLINE V widen_lanes(D d, V bits) {
  using Word = hn::TFromD<D>;
  using Pair = Widening<Source, Destination>;
  static_assert(sizeof(Word) == sizeof(typename Destination::Word));
  const V magnitude = hn::And(bits, hn::Set(d, Word{Source::kMagnitudeMask}));
  const V sign = hn::ShiftLeft<Destination::kWidth - Source::kWidth>(
      hn::And(bits, hn::Set(d, Word{Source::kSignMask})));
  V result = hn::ShiftLeft<Pair::kAppended>(magnitude);
  if constexpr (!Pair::kSameExponents) {
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
  }
  const auto is_nan = small_greater(d, magnitude, hn::Set(d, Word{Source::kInfinity}));
  const V quiet = hn::IfThenElseZero(is_nan, hn::Set(d, Word{Destination::kQuietBit}));
  return hn::Or(hn::Or(result, quiet), sign);
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

/// As to_u32() of convert.h.
template <class Source, class D, class V = hn::Vec<D>>
HWY_INLINE V to_u32_lanes(D d, V bits) {
  using Word = hn::TFromD<D>;
  static_assert(sizeof(Word) == sizeof(typename Source::Word));
  constexpr int kTop = Source::kWidth - 1;
  const V magnitude = hn::And(bits, hn::Set(d, Source::kMagnitudeMask));
  const V significand =
      hn::Or(hn::ShiftLeft<kTop - Source::kFractionBits>(magnitude), hn::Set(d, Source::kSignMask));
  const V exponent = hn::ShiftRight<Source::kFractionBits>(magnitude);
  const V shift = hn::And(hn::Sub(hn::Set(d, Word{Source::kBias + kTop}), exponent),
                          hn::Set(d, Word{Source::kWidth - 1}));
  const V truncated = hn::Shr(significand, shift);
  const auto above = small_greater(d, exponent, hn::Set(d, Word{Source::kBias + 31}));
  const auto below = small_greater(d, hn::Set(d, Word{Source::kBias}), exponent);
  const auto is_nan = small_greater(d, magnitude, hn::Set(d, Source::kInfinity));
  const auto positive = hn::Eq(magnitude, bits);
  V result = hn::IfThenElse(above, hn::Set(d, Word{0xffffffffu}), truncated);
  result = hn::IfThenZeroElse(below, result);
  result = hn::IfThenZeroElse(is_nan, result);
  return hn::IfThenElseZero(positive, result);
}

/// The upper halves of f64 lanes, rounded to odd (see F64High), as 32-bit lanes of `d32`.
template <class D32, class V64>
HWY_INLINE hn::Vec<D32> odd_upper_halves(D32 d32, V64 bits) {
  const auto upper = hn::TruncateTo(d32, hn::ShiftRight<32>(bits));
  const auto lower = hn::TruncateTo(d32, bits);
  const auto sticky = hn::IfThenZeroElse(hn::Eq(lower, hn::Zero(d32)), hn::Set(d32, 1u));
  return hn::Or(upper, sticky);
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
