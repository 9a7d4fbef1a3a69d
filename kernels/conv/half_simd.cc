// The convolutions in bf16 and f16 on vectors: the arithmetic of half.h in lanes that are wide
// enough to hold what it rounds.

#include "kernels/conv/conv.h"
#include "kernels/conv/conv_call.h"

// AVX3_DL is only generated on request.
#ifndef HWY_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/half_simd.cc"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include <cstring>

// After foreach_target.h, which includes this file once per target.
#include "kernels/cast/lanes-inl.h"
#include "kernels/conv/tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay::conv {
namespace HWY_NAMESPACE {

namespace lanes = cast::HWY_NAMESPACE;
using cast::BF16;
using cast::F16;
using cast::F32;
using cast::F64;

/// Stores the 16-bit pattern of each lane, NaNs as the canonical one, at any alignment.
template <class Format, class D, class V = hn::Vec<D>>
HWY_INLINE void store_patterns(D d, V patterns, std::uint16_t* words) {
  using Word = hn::TFromD<D>;
  HWY_ALIGN Word wide[hn::MaxLanes(D())];
  hn::Store(patterns, d, wide);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    auto bits = static_cast<std::uint16_t>(wide[i]);
    if (Format::kTraits.is_nan(bits)) bits = Format::kInfinity | Format::kQuietBit;
    std::memcpy(reinterpret_cast<std::byte*>(words) + i * sizeof(bits), &bits, sizeof(bits));
  }
}

/// `exact`, values of format Wide, rounded to Format: any value.
template <class Wide, class Format, class D, class V = hn::Vec<D>>
HWY_NOINLINE V rounded_with_care(D d, V exact) {
  const hn::RebindToUnsigned<D> bits;
  const auto patterns = lanes::narrow_lanes<Wide, Format>(bits, hn::BitCast(bits, exact));
  return hn::BitCast(d, lanes::widen_lanes<Format, Wide>(bits, patterns));
}

/// The same. Numbers that stay normal and finite in Format, and zeros, are rounded in place: the
/// carry of the fraction runs into the exponent. The rest is rare.
template <class Wide, class Format, class D, class V = hn::Vec<D>>
HWY_INLINE V rounded_in_lanes(D d, V exact) {
  using Word = typename Wide::Word;
  constexpr int kDropped = Wide::kFractionBits - Format::kFractionBits;
  constexpr Word kHalf = Word{1} << (kDropped - 1);
  constexpr Word kLeast = Word{Wide::kBias + Format::kMinExponent} << Wide::kFractionBits;
  constexpr Word kTop = Word{Wide::kBias + Format::kBias} << Wide::kFractionBits;
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, exact);
  const auto magnitude = hn::And(bits, hn::Set(du, Wide::kMagnitudeMask));
  const auto below = lanes::small_greater(du, hn::Set(du, kLeast), magnitude);
  const auto above = lanes::small_greater(du, magnitude, hn::Set(du, kTop));
  const auto nonzero = lanes::small_greater(du, magnitude, hn::Zero(du));
  if (HWY_UNLIKELY(!hn::AllFalse(du, hn::Or(above, hn::And(below, nonzero))))) {
    return rounded_with_care<Wide, Format>(d, exact);
  }
  const auto odd = hn::And(hn::ShiftRight<kDropped>(bits), hn::Set(du, Word{1}));
  const auto carried = hn::Add(hn::Add(bits, hn::Set(du, kHalf - 1)), odd);
  return hn::BitCast(d, hn::And(carried, hn::Set(du, static_cast<Word>(~(2 * kHalf - 1)))));
}

/// f16 in lanes of f32, which hold a product of two f16 exactly: it has 22 bits and is no less than
/// 2^-48. A sum that they do not hold exactly, because it needs more than 24 bits, has a greater
/// term a of some power of two 2^e and a lesser one of at most 2^(e-12) - 2^(e-23). The midpoints
/// next to a are 2^(e-11) away from it, or 2^(e-12) just below a = 2^e, where f32's step is
/// 2^(e-24). So f32's rounding, in any direction, reaches no midpoint; half.h says the rest.
struct F16Lanes {
  using Word = std::uint16_t;
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  using D32 = hn::RebindToUnsigned<D>;
  using D16 = hn::Rebind<std::uint16_t, D>;
  static constexpr bool kDeinterleaves = false;
  static constexpr int kBlockVectors = 1;
  static constexpr int kSingleVectors = 1;

  static HWY_INLINE V value(hn::Vec<D16> patterns) {
    return hn::BitCast(D(), lanes::f32_from_f16(D32(), patterns));
  }
  static HWY_INLINE V rounded(V exact) {
#if ASSAY_HWY_F16C
    return value(lanes::f16_from_f32(D32(), hn::BitCast(D32(), exact)));
#else
    return rounded_in_lanes<F32, F16>(D(), exact);
#endif
  }

  static HWY_INLINE V load(const Word* words) {
    return value(hn::LoadU(D16(), words));
  }
  static HWY_INLINE V broadcast(Word word) {
    return value(hn::Set(D16(), word));
  }
  static HWY_INLINE V add(V a, V b) {
    const V sum = hn::Add(a, b);
    return rounded(hn::IfThenZeroElse(hn::Eq(sum, hn::Zero(D())), sum));
  }
  static HWY_INLINE V multiply_add(V sum, V a, V b) {
    return add(sum, rounded(hn::Mul(a, b)));
  }
  static HWY_INLINE void store(V sums, Word* words) {
    const auto patterns = lanes::f16_from_f32(D32(), hn::BitCast(D32(), sums));
    store_patterns<F16>(D32(), hn::PromoteTo(D32(), patterns), words);
  }
};

/// bf16 in lanes of f64. Products and sums of bf16 may be subnormal in f32, and there the caller's
/// flush modes would have a say.
struct BF16Lanes {
  using Word = std::uint16_t;
  using D = hn::ScalableTag<double>;
  using V = hn::Vec<D>;
  using D64 = hn::RebindToUnsigned<D>;
  using D32 = hn::Rebind<std::uint32_t, D>;
  using D16 = hn::Rebind<std::uint16_t, D>;
  using V64 = hn::Vec<D64>;
  static constexpr bool kDeinterleaves = false;
  static constexpr int kBlockVectors = 1;
  static constexpr int kSingleVectors = 1;

  static HWY_INLINE V value(hn::Vec<D16> patterns) {
    const V64 wide = hn::PromoteTo(D64(), hn::PromoteTo(D32(), patterns));
    return hn::BitCast(D(), lanes::widen_lanes<BF16, F64>(D64(), wide));
  }

  static HWY_INLINE V rounded(V exact) { return rounded_in_lanes<F64, BF16>(D(), exact); }

  static HWY_INLINE V load(const Word* words) { return value(hn::LoadU(D16(), words)); }
  static HWY_INLINE V broadcast(Word word) { return value(hn::Set(D16(), word)); }
  static HWY_INLINE V add(V a, V b) {
    const V sum = hn::Add(a, b);
    return rounded(hn::IfThenZeroElse(hn::Eq(sum, hn::Zero(D())), sum));
  }
  static HWY_INLINE V multiply_add(V sum, V a, V b) { return add(sum, rounded(hn::Mul(a, b))); }
  static HWY_INLINE void store(V sums, Word* words) {
    const V64 patterns = lanes::narrow_lanes<F64, BF16>(D64(), hn::BitCast(D64(), sums));
    store_patterns<BF16>(D64(), patterns, words);
  }
};

// Arithmetic under the names that the tables of conv.h use.
using f16 = F16Lanes;
using bf16 = BF16Lanes;

// The name comes from the target's own code, so that a wrong dispatch shows.
#define ASSAY_DEFINE(operation, format, dtype)                                      \
  KernelStatus operation##_##format(KernelCall& call) {                             \
    return run(call, &check_##operation, Dtype::dtype, hwy::TargetName(HWY_TARGET), \
               &convolve<format>);                                                  \
  }
ASSAY_HALF_CONVS(ASSAY_DEFINE)
#undef ASSAY_DEFINE

}  // namespace HWY_NAMESPACE
}  // namespace assay::conv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "kernels/simd_targets.h"

namespace assay {

namespace conv {
namespace {

#define ASSAY_EXPORT(operation, format, dtype) HWY_EXPORT(operation##_##format);
ASSAY_HALF_CONVS(ASSAY_EXPORT)
#undef ASSAY_EXPORT

/// The functions of the target that Highway's dispatch state names at the moment.
std::vector<KernelFunction> chosen_functions() {
#define ASSAY_POINTER(operation, format, dtype) &HWY_DYNAMIC_DISPATCH(operation##_##format),
  return {ASSAY_HALF_CONVS(ASSAY_POINTER)};
#undef ASSAY_POINTER
}

}  // namespace
}  // namespace conv

std::vector<FamilyVariant> half_simd_convs() {
  std::vector<FamilyVariant> all;
  for_each_simd_target([&](const char* name) { all.push_back({name, conv::chosen_functions()}); });
  return all;
}

}  // namespace assay

#endif  // HWY_ONCE
