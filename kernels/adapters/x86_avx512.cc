// AVX-512F's conversions between unsigned integers of 32 bits and binary32 and binary64:
// VCVTTPS2UDQ, VCVTTPD2UDQ, VCVTUDQ2PS, VCVTUDQ2PD.
#include <immintrin.h>

#include "kernels/adapters/cpu_gate.h"
#include "kernels/adapters/element_wise.h"

namespace {
using namespace assay_adapters;

void f32_to_u32(const float* from, std::uint32_t* to, std::int64_t count) {
  in_blocks<16>(from, to, count, [](const float* x, std::uint32_t* y) {
    _mm512_storeu_si512(y, _mm512_cvttps_epu32(_mm512_loadu_ps(x)));
  });
}

void f64_to_u32(const double* from, std::uint32_t* to, std::int64_t count) {
  in_blocks<8>(from, to, count, [](const double* x, std::uint32_t* y) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(y), _mm512_cvttpd_epu32(_mm512_loadu_pd(x)));
  });
}

void u32_to_f32(const std::uint32_t* from, float* to, std::int64_t count) {
  in_blocks<16>(from, to, count, [](const std::uint32_t* x, float* y) {
    _mm512_storeu_ps(y, _mm512_cvtepu32_ps(_mm512_loadu_si512(x)));
  });
}

void u32_to_f64(const std::uint32_t* from, double* to, std::int64_t count) {
  in_blocks<8>(from, to, count, [](const std::uint32_t* x, double* y) {
    _mm512_storeu_pd(y,
                     _mm512_cvtepu32_pd(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x))));
  });
}

constexpr assay_kernel kKernels[] = {
    cast_row<F32, U32, f32_to_u32>("x86::avx512::cast_f32_to_u32", "VCVTTPS2UDQ"),
    cast_row<F64, U32, f64_to_u32>("x86::avx512::cast_f64_to_u32", "VCVTTPD2UDQ"),
    cast_row<U32, F32, u32_to_f32>("x86::avx512::cast_u32_to_f32", "VCVTUDQ2PS"),
    cast_row<U32, F64, u32_to_f64>("x86::avx512::cast_u32_to_f64", "VCVTUDQ2PD"),
};
}  // namespace

const assay_kernel_list adapter_kernels = list_of(kKernels);
