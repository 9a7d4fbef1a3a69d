// The convolutions in f32 and f64 on vectors.

#include "kernels/conv/conv.h"
#include "kernels/conv/conv_call.h"

// AVX3_DL is only generated on request.
#ifndef HWY_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/conv_simd.cc"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include <limits>

// After foreach_target.h, which includes this file once per target.
#include "kernels/conv/tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay::conv {
namespace HWY_NAMESPACE {

template <class T>
struct NativeLanes {
  using Word = T;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr bool kDeinterleaves = true;
  // Eight sums fit beside factors and pixels in 16 registers; four hide the latency of an addition.
  static constexpr int kBlockVectors = 2;
  static constexpr int kSingleVectors = 4;

  static HWY_INLINE V load(const Word* words) { return hn::LoadU(D(), words); }
  static HWY_INLINE V broadcast(Word word) { return hn::Set(D(), word); }
  static HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
  static HWY_INLINE V multiply_add(V sum, V a, V b) { return hn::Add(sum, hn::Mul(a, b)); }
  static HWY_INLINE void store(V sums, Word* words) {
    const V nan = hn::Set(D(), std::numeric_limits<T>::quiet_NaN());
    hn::StoreU(hn::IfThenElse(hn::IsNaN(sums), nan, sums), D(), words);
  }
};

// Arithmetic under the names that the tables of conv.h use.
using f32 = NativeLanes<float>;
using f64 = NativeLanes<double>;

// The name comes from the target's own code, so that a wrong dispatch shows.
#define ASSAY_DEFINE(operation, format, dtype)                                      \
  KernelStatus operation##_##format(KernelCall& call) {                             \
    return run(call, &check_##operation, Dtype::dtype, hwy::TargetName(HWY_TARGET), \
               &convolve<format>);                                                  \
  }
ASSAY_WIDE_CONVS(ASSAY_DEFINE)
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
ASSAY_WIDE_CONVS(ASSAY_EXPORT)
#undef ASSAY_EXPORT

/// The functions of the target that Highway's dispatch state names at the moment.
std::vector<KernelFunction> chosen_functions() {
#define ASSAY_POINTER(operation, format, dtype) &HWY_DYNAMIC_DISPATCH(operation##_##format),
  return {ASSAY_WIDE_CONVS(ASSAY_POINTER)};
#undef ASSAY_POINTER
}

}  // namespace
}  // namespace conv

std::vector<FamilyVariant> wide_simd_convs() {
  std::vector<FamilyVariant> all;
  for_each_simd_target([&](const char* name) { all.push_back({name, conv::chosen_functions()}); });
  return all;
}

}  // namespace assay

#endif  // HWY_ONCE
