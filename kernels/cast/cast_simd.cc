#include "kernels/cast/cast.h"

#include <cstring>

#include "kernels/cast/cast_call.h"

// AVX3_DL is only generated on request.
#ifndef HWY_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cast/cast_simd.cc"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

// After foreach_target.h, which includes this file once per target.
#include "kernels/cast/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay::cast {
namespace HWY_NAMESPACE {

// A step converts as many elements as the wider of the two formats has lanes in a full vector.
using Wide32 = hn::ScalableTag<std::uint32_t>;
using Wide64 = hn::ScalableTag<std::uint64_t>;
using Half16 = hn::Rebind<std::uint16_t, Wide32>;
using Half32 = hn::Rebind<std::uint32_t, Wide64>;
using Quarter16 = hn::Rebind<std::uint16_t, Wide64>;

// Each step: the tag of its input, the tag of its output, and the conversion of one vector.
struct F32ToF64 {
  using In = Half32;
  using Out = Wide64;
  static HWY_INLINE hn::Vec<Out> step(hn::Vec<In> v) {
    return widen_lanes<F32, F64>(Out(), hn::PromoteTo(Out(), v));
  }
};
struct F32ToBF16 {
  using In = Wide32;
  using Out = Half16;
  static HWY_INLINE hn::Vec<Out> step(hn::Vec<In> v) {
    return patterns_16(Out(), narrow_lanes<F32, BF16>(In(), v));
  }
};
struct F32ToF16 {
  using In = Wide32;
  using Out = Half16;
  static HWY_INLINE hn::Vec<Out> step(hn::Vec<In> v) { return f16_from_f32(In(), v); }
};
struct F64ToF32 {
  using In = Wide64;
  using Out = Half32;
  static HWY_INLINE hn::Vec<Out> step(hn::Vec<In> v) {
    return hn::TruncateTo(Out(), narrow_lanes<F64, F32>(In(), v));
  }
};
template <class Destination>
struct F64ToHalf {
  using In = Wide64;
  using Out = Quarter16;
  static HWY_INLINE hn::Vec<Out> step(hn::Vec<In> v) {
    const Half32 d32;
    return patterns_16(Out(), narrow_lanes<F64High, Destination>(d32, odd_upper_halves(d32, v)));
  }
};
using F64ToBF16 = F64ToHalf<BF16>;
using F64ToF16 = F64ToHalf<F16>;
struct BF16ToF32 {
  using In = Half16;
  using Out = Wide32;
  static HWY_INLINE hn::Vec<Out> step(hn::Vec<In> v) {
    return widen_lanes<BF16, F32>(Out(), hn::PromoteTo(Out(), v));
  }
};
struct BF16ToF64 {
  using In = Quarter16;
  using Out = Wide64;
  static HWY_INLINE hn::Vec<Out> step(hn::Vec<In> v) {
    return widen_lanes<BF16, F64>(Out(), hn::PromoteTo(Out(), hn::PromoteTo(Half32(), v)));
  }
};
struct BF16ToF16 {
  using In = Half16;
  using Out = Half16;
  static HWY_INLINE hn::Vec<Out> step(hn::Vec<In> v) {
    const Wide32 d32;
    return f16_from_f32(d32, widen_lanes<BF16, F32>(d32, hn::PromoteTo(d32, v)));
  }
};
struct F16ToF32 {
  using In = Half16;
  using Out = Wide32;
  static HWY_INLINE hn::Vec<Out> step(hn::Vec<In> v) { return f32_from_f16(Out(), v); }
};
struct F16ToF64 {
  using In = Quarter16;
  using Out = Wide64;
  static HWY_INLINE hn::Vec<Out> step(hn::Vec<In> v) {
    return widen_lanes<F16, F64>(Out(), hn::PromoteTo(Out(), hn::PromoteTo(Half32(), v)));
  }
};
struct F16ToBF16 {
  using In = Half16;
  using Out = Half16;
  static HWY_INLINE hn::Vec<Out> step(hn::Vec<In> v) {
    const Wide32 d32;
    return patterns_16(Out(), narrow_lanes<F32, BF16>(d32, f32_from_f16(d32, v)));
  }
};
struct U32ToF32 {
  using In = Half32;
  using Out = Half32;
  static HWY_INLINE hn::Vec<Out> step(hn::Vec<In> v) {
    const Wide64 d64;
    return hn::TruncateTo(Out(), f32_from_u32_lanes(d64, hn::PromoteTo(d64, v)));
  }
};
struct U32ToF64 {
  using In = Half32;
  using Out = Wide64;
  static HWY_INLINE hn::Vec<Out> step(hn::Vec<In> v) {
    return f64_from_u32_lanes(Out(), hn::PromoteTo(Out(), v));
  }
};
struct F32ToU32 {
  using In = Wide32;
  using Out = Wide32;
  static HWY_INLINE hn::Vec<Out> step(hn::Vec<In> v) { return to_u32_lanes<F32>(In(), v); }
};
struct F64ToU32 {
  using In = Wide64;
  using Out = Half32;
  static HWY_INLINE hn::Vec<Out> step(hn::Vec<In> v) {
    return hn::TruncateTo(Out(), to_u32_lanes<F64>(In(), v));
  }
};

template <class Step>
void loop(const std::byte* in, std::byte* out, std::size_t n) {
  using In = hn::TFromD<typename Step::In>;
  using Out = hn::TFromD<typename Step::Out>;
  const typename Step::In d_in;
  const typename Step::Out d_out;
  const std::size_t lanes = hn::Lanes(d_in);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto v = hn::LoadU(d_in, reinterpret_cast<const In*>(in + i * sizeof(In)));
    hn::StoreU(Step::step(v), d_out, reinterpret_cast<Out*>(out + i * sizeof(Out)));
  }
  if (i == n) return;
  // The remainder goes through the same vector code, in buffers of one vector, so that nothing
  // outside the tensors is read or written.
  HWY_ALIGN In padded_in[hn::MaxLanes(d_in)] = {};
  HWY_ALIGN Out padded_out[hn::MaxLanes(d_out)];
  std::memcpy(padded_in, in + i * sizeof(In), (n - i) * sizeof(In));
  hn::Store(Step::step(hn::Load(d_in, padded_in)), d_out, padded_out);
  std::memcpy(out + i * sizeof(Out), padded_out, (n - i) * sizeof(Out));
}

// The steps under the names that ASSAY_CASTS pairs.
using step_f32_f64 = F32ToF64;
using step_f32_bf16 = F32ToBF16;
using step_f32_f16 = F32ToF16;
using step_f64_f32 = F64ToF32;
using step_f64_bf16 = F64ToBF16;
using step_f64_f16 = F64ToF16;
using step_bf16_f32 = BF16ToF32;
using step_bf16_f64 = BF16ToF64;
using step_bf16_f16 = BF16ToF16;
using step_f16_f32 = F16ToF32;
using step_f16_f64 = F16ToF64;
using step_f16_bf16 = F16ToBF16;
using step_u32_f32 = U32ToF32;
using step_u32_f64 = U32ToF64;
using step_f32_u32 = F32ToU32;
using step_f64_u32 = F64ToU32;

// The name comes from the target's own code, so that a wrong dispatch shows.
#define ASSAY_DEFINE(source, destination, source_dtype, destination_dtype)              \
  KernelStatus source##_to_##destination(KernelCall& call) {                            \
    return run_cast(call, Dtype::source_dtype, Dtype::destination_dtype,                \
                    hwy::TargetName(HWY_TARGET), &loop<step_##source##_##destination>); \
  }
ASSAY_CASTS(ASSAY_DEFINE)
#undef ASSAY_DEFINE

}  // namespace HWY_NAMESPACE
}  // namespace assay::cast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace assay {

namespace cast {
namespace {

#define ASSAY_EXPORT(source, destination, source_dtype, destination_dtype) \
  HWY_EXPORT(source##_to_##destination);
ASSAY_CASTS(ASSAY_EXPORT)
#undef ASSAY_EXPORT

/// The functions of the target that Highway's dispatch state names at the moment.
CastVariants chosen_casts(std::string name) {
#define ASSAY_POINTER(source, destination, source_dtype, destination_dtype) \
  &HWY_DYNAMIC_DISPATCH(source##_to_##destination),
  return {std::move(name), {ASSAY_CASTS(ASSAY_POINTER)}};
#undef ASSAY_POINTER
}

}  // namespace
}  // namespace cast

std::vector<CastVariants> simd_casts() {
  std::vector<CastVariants> all;
  // Highway lists targets wide to narrow.
  const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  for (auto target = targets.rbegin(); target != targets.rend(); ++target) {
    if ((*target & kEmulatedTargets) != 0) continue;
    hwy::SetSupportedTargetsForTest(*target);
    hwy::GetChosenTarget().Update(*target);
    all.push_back(cast::chosen_casts(hwy::TargetName(*target)));
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return all;
}

}  // namespace assay

#endif  // HWY_ONCE
