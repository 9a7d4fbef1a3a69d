// AVX512-FP16: VCVTPS2PHX, VCVTPH2PSX, VCVTPD2PH and VCVTPH2PD.
#include <immintrin.h>

#include "kernels/adapters/cpu_gate.h"
#include "kernels/adapters/element_wise.h"

namespace {
using namespace assay_adapters;

void f32_to_f16(const float* from, std::uint16_t* to, std::int64_t count) {
  in_blocks<16>(from, to, count, [](const float* x, std::uint16_t* y) {
    const __m256h bits = _mm512_cvtxps_ph(_mm512_loadu_ps(x));
    std::memcpy(y, &bits, 16 * sizeof(*y));
  });
}

void f16_to_f32(const std::uint16_t* from, float* to, std::int64_t count) {
  in_blocks<16>(from, to, count, [](const std::uint16_t* x, float* y) {
    __m256h bits;
    std::memcpy(&bits, x, 16 * sizeof(*x));
    _mm512_storeu_ps(y, _mm512_cvtxph_ps(bits));
  });
}

void f64_to_f16(const double* from, std::uint16_t* to, std::int64_t count) {
  in_blocks<8>(from, to, count, [](const double* x, std::uint16_t* y) {
    const __m128h bits = _mm512_cvtpd_ph(_mm512_loadu_pd(x));
    std::memcpy(y, &bits, 8 * sizeof(*y));
  });
}

void f16_to_f64(const std::uint16_t* from, double* to, std::int64_t count) {
  in_blocks<8>(from, to, count, [](const std::uint16_t* x, double* y) {
    __m128h bits;
    std::memcpy(&bits, x, 8 * sizeof(*x));
    _mm512_storeu_pd(y, _mm512_cvtph_pd(bits));
  });
}

constexpr assay_kernel kKernels[] = {
    cast_row<F32, F16, f32_to_f16>("x86::avx512_fp16::cast_f32_to_f16", "VCVTPS2PHX"),
    cast_row<F16, F32, f16_to_f32>("x86::avx512_fp16::cast_f16_to_f32", "VCVTPH2PSX"),
    cast_row<F64, F16, f64_to_f16>("x86::avx512_fp16::cast_f64_to_f16", "VCVTPD2PH"),
    cast_row<F16, F64, f16_to_f64>("x86::avx512_fp16::cast_f16_to_f64", "VCVTPH2PD"),
};
}  // namespace

const assay_kernel_list adapter_kernels = list_of(kKernels);
