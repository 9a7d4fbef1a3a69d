// x86-64's own conversions between binary32 and binary64: CVTPS2PD, CVTSS2SD, CVTPD2PS, CVTSD2SS.
#include <emmintrin.h>

#include "kernels/adapters/element_wise.h"

namespace {
using namespace assay_adapters;

void widen_packed(const float* from, double* to, std::int64_t count) {
  in_blocks<2>(from, to, count, [](const float* x, double* y) {
    double two[1];
    std::memcpy(two, x, sizeof(two));
    _mm_storeu_pd(y, _mm_cvtps_pd(_mm_castpd_ps(_mm_load_sd(two))));
  });
}

void widen_scalar(const float* from, double* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    _mm_store_sd(to + i, _mm_cvtss_sd(_mm_setzero_pd(), _mm_load_ss(from + i)));
  }
}

void narrow_packed(const double* from, float* to, std::int64_t count) {
  in_blocks<2>(from, to, count, [](const double* x, float* y) {
    const __m128d two = _mm_castps_pd(_mm_cvtpd_ps(_mm_loadu_pd(x)));
    std::memcpy(y, &two, 2 * sizeof(float));
  });
}

void narrow_scalar(const double* from, float* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    _mm_store_ss(to + i, _mm_cvtsd_ss(_mm_setzero_ps(), _mm_load_sd(from + i)));
  }
}

constexpr assay_kernel kKernels[] = {
    cast_row<F32, F64, widen_scalar>("x86::sse2::cast_f32_to_f64", "CVTSS2SD"),
    cast_row<F32, F64, widen_packed>("x86::sse2::cast_f32_to_f64", "CVTPS2PD"),
    cast_row<F64, F32, narrow_scalar>("x86::sse2::cast_f64_to_f32", "CVTSD2SS"),
    cast_row<F64, F32, narrow_packed>("x86::sse2::cast_f64_to_f32", "CVTPD2PS"),
};
constexpr assay_kernel_list kList = list_of(kKernels);
}  // namespace

const assay_kernel_list* assay_kernel_table() {
  return &kList;
}
