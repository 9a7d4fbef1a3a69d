// F16C: VCVTPS2PH with the rounding of its immediate, to nearest even, and VCVTPH2PS.
#include <immintrin.h>

#include "kernels/adapters/cpu_gate.h"
#include "kernels/adapters/element_wise.h"

namespace {
using namespace assay_adapters;

/// Rounds by the immediate, whatever MXCSR says.
constexpr int kNearestEven = _MM_FROUND_TO_NEAREST_INT;

void narrow_4(const float* from, std::uint16_t* to, std::int64_t count) {
  in_blocks<4>(from, to, count, [](const float* x, std::uint16_t* y) {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(y), _mm_cvtps_ph(_mm_loadu_ps(x), kNearestEven));
  });
}

void narrow_8(const float* from, std::uint16_t* to, std::int64_t count) {
  in_blocks<8>(from, to, count, [](const float* x, std::uint16_t* y) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(y),
                     _mm256_cvtps_ph(_mm256_loadu_ps(x), kNearestEven));
  });
}

void widen_4(const std::uint16_t* from, float* to, std::int64_t count) {
  in_blocks<4>(from, to, count, [](const std::uint16_t* x, float* y) {
    _mm_storeu_ps(y, _mm_cvtph_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(x))));
  });
}

void widen_8(const std::uint16_t* from, float* to, std::int64_t count) {
  in_blocks<8>(from, to, count, [](const std::uint16_t* x, float* y) {
    _mm256_storeu_ps(y, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x))));
  });
}

constexpr assay_kernel kKernels[] = {
    cast_row<F32, F16, narrow_4>("x86::f16c::cast_f32_to_f16", "VCVTPS2PH.128"),
    cast_row<F32, F16, narrow_8>("x86::f16c::cast_f32_to_f16", "VCVTPS2PH.256"),
    cast_row<F16, F32, widen_4>("x86::f16c::cast_f16_to_f32", "VCVTPH2PS.128"),
    cast_row<F16, F32, widen_8>("x86::f16c::cast_f16_to_f32", "VCVTPH2PS.256"),
};
}  // namespace

const assay_kernel_list adapter_kernels = list_of(kKernels);
