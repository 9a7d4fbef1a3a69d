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

using D32 = hn::ScalableTag<std::uint32_t>;
using D64 = hn::ScalableTag<std::uint64_t>;
using Half16 = hn::Rebind<std::uint16_t, D32>;
using Half32 = hn::Rebind<std::uint32_t, D64>;

// A step converts, without looking at the rest of the tensors, as many elements as it says; `in`
// and `out` may have any address. Most load one vector and store one.
template <class InTag, class OutTag, hn::Vec<OutTag> (*kConvert)(hn::Vec<InTag>)>
struct PerVector {
  using In = hn::TFromD<InTag>;
  using Out = hn::TFromD<OutTag>;
  static constexpr std::size_t kMost = hn::MaxLanes(InTag());
  static HWY_INLINE std::size_t elements() { return hn::Lanes(InTag()); }
  static HWY_INLINE void step(const In* in, Out* out) {
    hn::StoreU(kConvert(hn::LoadU(InTag(), in)), OutTag(), out);
  }
};

// Casts from f64, by halves: two vectors in, one out.
template <class OutTag, hn::Vec<OutTag> (*kConvert)(Halves<D32>)>
struct FromF64 {
  using In = std::uint64_t;
  using Out = hn::TFromD<OutTag>;
  static constexpr std::size_t kMost = hn::MaxLanes(D32());
  static HWY_INLINE std::size_t elements() { return hn::Lanes(D32()); }
  static HWY_INLINE void step(const In* in, Out* out) {
    hn::StoreU(kConvert(load_halves(D32(), in)), OutTag(), out);
  }
};

// Casts to f64 that go over f32, by halves: one vector in, two out.
template <class InTag, hn::Vec<D32> (*kToF32)(hn::Vec<InTag>)>
struct ToF64 {
  using In = hn::TFromD<InTag>;
  using Out = std::uint64_t;
  static constexpr std::size_t kMost = hn::MaxLanes(D32());
  static HWY_INLINE std::size_t elements() { return hn::Lanes(D32()); }
  static HWY_INLINE void step(const In* in, Out* out) {
    store_halves(D32(), f64_from_f32(D32(), kToF32(hn::LoadU(InTag(), in))), out);
  }
};

HWY_INLINE hn::Vec<D32> itself(hn::Vec<D32> v) {
  return v;
}
HWY_INLINE hn::Vec<D32> f32_from_bf16(hn::Vec<Half16> v) {
  return widen_lanes<BF16, F32>(D32(), hn::PromoteTo(D32(), v));
}
HWY_INLINE hn::Vec<D32> f32_from_f16(hn::Vec<Half16> v) {
  return f32_from_f16(D32(), v);
}
HWY_INLINE hn::Vec<Half16> bf16_from_f32(hn::Vec<D32> v) {
  return patterns_16(Half16(), narrow_lanes<F32, BF16>(D32(), v));
}
HWY_INLINE hn::Vec<Half16> f16_from_f32(hn::Vec<D32> v) {
  return f16_from_f32(D32(), v);
}
HWY_INLINE hn::Vec<Half16> f16_from_bf16(hn::Vec<Half16> v) {
  return f16_from_f32(f32_from_bf16(v));
}
HWY_INLINE hn::Vec<Half16> bf16_from_f16(hn::Vec<Half16> v) {
  return bf16_from_f32(f32_from_f16(v));
}
HWY_INLINE hn::Vec<D32> f32_from_f64(Halves<D32> halves) {
  return f32_from_f64(D32(), halves);
}
template <class Destination>
HWY_INLINE hn::Vec<Half16> half_from_f64(Halves<D32> halves) {
  return patterns_16(Half16(),
                     narrow_lanes<F64High, Destination>(D32(), odd_upper_halves(D32(), halves)));
}
#if ASSAY_HWY_AVX512
using U32 = D32;
HWY_INLINE hn::Vec<D32> f32_from_u32(hn::Vec<D32> v) {
  constexpr int kNearestEven = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  return hn::Vec<D32>{_mm512_castps_si512(_mm512_cvt_roundepu32_ps(v.raw, kNearestEven))};
}
#else
using U32 = Half32;
HWY_INLINE hn::Vec<Half32> f32_from_u32(hn::Vec<Half32> v) {
  return hn::TruncateTo(Half32(), f32_from_u32_lanes(D64(), hn::PromoteTo(D64(), v)));
}
#endif
HWY_INLINE hn::Vec<D64> f64_from_u32(hn::Vec<Half32> v) {
#if ASSAY_HWY_AVX512
  return hn::Vec<D64>{_mm512_castpd_si512(_mm512_cvtepu32_pd(v.raw))};
#else
  return f64_from_u32_lanes(D64(), hn::PromoteTo(D64(), v));
#endif
}
HWY_INLINE hn::Vec<D32> u32_from_f32(hn::Vec<D32> v) {
  return u32_from_f32(D32(), v);
}
HWY_INLINE hn::Vec<D32> u32_from_f64(Halves<D32> halves) {
  return u32_from_f64(D32(), halves);
}

#if ASSAY_HWY_AVX512
// Between f32 and f64 the instructions of AVX-512 that convert are fastest. Their rounding is their
// own, but a flush mode changes what is subnormal in f32: there, the integer code converts.
// `kFlush` is the mode's bit of MXCSR: flush-to-zero for results, denormals-are-zero for operands.
template <class Fast, class Integer, unsigned kFlush>
struct UnlessFlushing {
  using WithoutFlush = Fast;
  using WithFlush = Integer;
  static bool flushes() { return (_mm_getcsr() & kFlush) != 0; }
};
constexpr unsigned kFlushToZero = 0x8000;
constexpr unsigned kDenormalsAreZero = 0x0040;

struct F64ToF32 {
  using In = std::uint64_t;
  using Out = std::uint32_t;
  static constexpr std::size_t kMost = 8;
  static HWY_INLINE std::size_t elements() { return kMost; }
  static HWY_INLINE void step(const In* in, Out* out) {
    constexpr int kNearestEven = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    _mm256_storeu_ps(reinterpret_cast<float*>(out),
                     _mm512_cvt_roundpd_ps(_mm512_loadu_pd(in), kNearestEven));
  }
};

struct F32ToF64 {
  using In = std::uint32_t;
  using Out = std::uint64_t;
  static constexpr std::size_t kMost = 8;
  static HWY_INLINE std::size_t elements() { return kMost; }
  static HWY_INLINE void step(const In* in, Out* out) {
    const __m256 values = _mm256_loadu_ps(reinterpret_cast<const float*>(in));
    _mm512_storeu_pd(out, _mm512_cvt_roundps_pd(values, _MM_FROUND_NO_EXC));
  }
};
#endif

template <class Step>
void convert(const std::byte* in, std::byte* out, std::size_t n) {
  using In = typename Step::In;
  using Out = typename Step::Out;
  const std::size_t elements = Step::elements();
  std::size_t i = 0;
  // Two steps a turn: of the shortest ones the loop itself would take a third of the time.
  for (; i + 2 * elements <= n; i += 2 * elements) {
    Step::step(reinterpret_cast<const In*>(in + i * sizeof(In)),
               reinterpret_cast<Out*>(out + i * sizeof(Out)));
    Step::step(reinterpret_cast<const In*>(in + (i + elements) * sizeof(In)),
               reinterpret_cast<Out*>(out + (i + elements) * sizeof(Out)));
  }
  for (; i + elements <= n; i += elements) {
    Step::step(reinterpret_cast<const In*>(in + i * sizeof(In)),
               reinterpret_cast<Out*>(out + i * sizeof(Out)));
  }
  if (i == n) return;
  // The remainder goes through the same vector code, in buffers of one step, so that nothing
  // outside the tensors is read or written.
  HWY_ALIGN In padded_in[Step::kMost] = {};
  HWY_ALIGN Out padded_out[Step::kMost];
  std::memcpy(padded_in, in + i * sizeof(In), (n - i) * sizeof(In));
  Step::step(padded_in, padded_out);
  std::memcpy(out + i * sizeof(Out), padded_out, (n - i) * sizeof(Out));
}

template <class Step>
void loop(const std::byte* in, std::byte* out, std::size_t n) {
  if constexpr (requires { typename Step::WithFlush; }) {
    return Step::flushes() ? loop<typename Step::WithFlush>(in, out, n)
                           : loop<typename Step::WithoutFlush>(in, out, n);
  } else {
    return convert<Step>(in, out, n);
  }
}

// The steps under the names that ASSAY_CASTS pairs.
#if ASSAY_HWY_AVX512
using step_f32_f64 = UnlessFlushing<F32ToF64, ToF64<D32, itself>, kDenormalsAreZero>;
using step_f64_f32 = UnlessFlushing<F64ToF32, FromF64<D32, f32_from_f64>, kFlushToZero>;
#else
using step_f32_f64 = ToF64<D32, itself>;
using step_f64_f32 = FromF64<D32, f32_from_f64>;
#endif
using step_f32_bf16 = PerVector<D32, Half16, bf16_from_f32>;
using step_f32_f16 = PerVector<D32, Half16, f16_from_f32>;
using step_f64_bf16 = FromF64<Half16, half_from_f64<BF16>>;
using step_f64_f16 = FromF64<Half16, half_from_f64<F16>>;
using step_bf16_f32 = PerVector<Half16, D32, f32_from_bf16>;
using step_bf16_f64 = ToF64<Half16, f32_from_bf16>;
using step_bf16_f16 = PerVector<Half16, Half16, f16_from_bf16>;
using step_f16_f32 = PerVector<Half16, D32, f32_from_f16>;
using step_f16_f64 = ToF64<Half16, f32_from_f16>;
using step_f16_bf16 = PerVector<Half16, Half16, bf16_from_f16>;
using step_u32_f32 = PerVector<U32, U32, f32_from_u32>;
using step_u32_f64 = PerVector<Half32, D64, f64_from_u32>;
using step_f32_u32 = PerVector<D32, D32, u32_from_f32>;
using step_f64_u32 = FromF64<D32, u32_from_f64>;

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

#include "kernels/simd_targets.h"

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
  for_each_simd_target([&](const char* name) { all.push_back(cast::chosen_casts(name)); });
  return all;
}

}  // namespace assay

#endif  // HWY_ONCE
