// AVX512-BF16: VCVTNEPS2BF16 in its three widths.
#include <immintrin.h>

#include "kernels/adapters/cpu_gate.h"
#include "kernels/adapters/element_wise.h"

namespace {
using namespace assay_adapters;

// The vectors of bfloat16 are types of their own, which compilers know under different names; the
// bits are what is stored.
void narrow_4(const float* from, std::uint16_t* to, std::int64_t count) {
  in_blocks<4>(from, to, count, [](const float* x, std::uint16_t* y) {
    const auto bits = _mm_cvtneps_pbh(_mm_loadu_ps(x));
    std::memcpy(y, &bits, 4 * sizeof(*y));
  });
}

void narrow_8(const float* from, std::uint16_t* to, std::int64_t count) {
  in_blocks<8>(from, to, count, [](const float* x, std::uint16_t* y) {
    const auto bits = _mm256_cvtneps_pbh(_mm256_loadu_ps(x));
    std::memcpy(y, &bits, 8 * sizeof(*y));
  });
}

void narrow_16(const float* from, std::uint16_t* to, std::int64_t count) {
  in_blocks<16>(from, to, count, [](const float* x, std::uint16_t* y) {
    const auto bits = _mm512_cvtneps_pbh(_mm512_loadu_ps(x));
    std::memcpy(y, &bits, 16 * sizeof(*y));
  });
}

constexpr assay_kernel kKernels[] = {
    cast_row<F32, BF16, narrow_4>("x86::avx512_bf16::cast_f32_to_bf16", "VCVTNEPS2BF16.128"),
    cast_row<F32, BF16, narrow_8>("x86::avx512_bf16::cast_f32_to_bf16", "VCVTNEPS2BF16.256"),
    cast_row<F32, BF16, narrow_16>("x86::avx512_bf16::cast_f32_to_bf16", "VCVTNEPS2BF16.512"),
};
}  // namespace

const assay_kernel_list adapter_kernels = list_of(kKernels);
