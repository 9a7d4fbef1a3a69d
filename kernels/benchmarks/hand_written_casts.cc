#include "kernels/benchmarks/hand_written_casts.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace assay {

#if defined(__x86_64__)

namespace {

#define ASSAY_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

constexpr int kNearestEven = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;

// Pointers of the element's width, so that i counts elements.
template <typename Word>
const Word* words(const void* memory) {
  return static_cast<const Word*>(memory);
}
template <typename Word>
Word* words(void* memory) {
  return static_cast<Word*>(memory);
}

ASSAY_AVX512 void f32_to_f16(const void* in, void* out, std::size_t n) {
  for (std::size_t i = 0; i < n; i += 16) {
    const __m512 x = _mm512_loadu_ps(words<float>(in) + i);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(words<short>(out) + i),
                        _mm512_cvtps_ph(x, kNearestEven));
  }
}

ASSAY_AVX512 void f32_to_bf16(const void* in, void* out, std::size_t n) {
  const __m512i below_half = _mm512_set1_epi32(0x7fff);
  const __m512i infinity = _mm512_set1_epi32(0x7f800000);
  const __m512i magnitudes = _mm512_set1_epi32(0x7fffffff);
  const __m512i one = _mm512_set1_epi32(1);
  const __m512i quiet = _mm512_set1_epi32(0x40);
  for (std::size_t i = 0; i < n; i += 16) {
    const __m512i x = _mm512_loadu_si512(words<float>(in) + i);
    const __m512i kept = _mm512_srli_epi32(x, 16);
    const __m512i up = _mm512_add_epi32(_mm512_and_si512(kept, one), below_half);
    const __mmask16 nan = _mm512_cmpgt_epi32_mask(_mm512_and_si512(x, magnitudes), infinity);
    const __m512i rounded = _mm512_srli_epi32(_mm512_add_epi32(x, up), 16);
    const __m512i result = _mm512_mask_or_epi32(rounded, nan, kept, quiet);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(words<short>(out) + i),
                        _mm512_cvtepi32_epi16(result));
  }
}

ASSAY_AVX512 void f16_to_f32(const void* in, void* out, std::size_t n) {
  for (std::size_t i = 0; i < n; i += 16) {
    const auto* from = reinterpret_cast<const __m256i*>(words<short>(in) + i);
    _mm512_storeu_ps(words<float>(out) + i, _mm512_cvtph_ps(_mm256_loadu_si256(from)));
  }
}

ASSAY_AVX512 void bf16_to_f32(const void* in, void* out, std::size_t n) {
  const __m512i infinity = _mm512_set1_epi32(0x7f800000);
  const __m512i magnitudes = _mm512_set1_epi32(0x7fffffff);
  const __m512i quiet = _mm512_set1_epi32(0x400000);
  for (std::size_t i = 0; i < n; i += 16) {
    const auto* from = reinterpret_cast<const __m256i*>(words<short>(in) + i);
    const __m512i x = _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256(from)), 16);
    const __mmask16 nan = _mm512_cmpgt_epi32_mask(_mm512_and_si512(x, magnitudes), infinity);
    _mm512_storeu_si512(words<float>(out) + i, _mm512_mask_or_epi32(x, nan, x, quiet));
  }
}

ASSAY_AVX512 void u32_to_f32(const void* in, void* out, std::size_t n) {
  for (std::size_t i = 0; i < n; i += 16) {
    const __m512i x = _mm512_loadu_si512(words<unsigned>(in) + i);
    _mm512_storeu_ps(words<float>(out) + i, _mm512_cvt_roundepu32_ps(x, kNearestEven));
  }
}

ASSAY_AVX512 void f32_to_u32(const void* in, void* out, std::size_t n) {
  const __m512i infinity = _mm512_set1_epi32(0x7f800000);
  for (std::size_t i = 0; i < n; i += 16) {
    const __m512i x = _mm512_loadu_si512(words<float>(in) + i);
    // Negative numbers and NaNs, as integers, are above infinity.
    const __mmask16 counts = _mm512_cmple_epu32_mask(x, infinity);
    _mm512_storeu_si512(
        words<unsigned>(out) + i,
        _mm512_maskz_cvtt_roundps_epu32(counts, _mm512_castsi512_ps(x), _MM_FROUND_NO_EXC));
  }
}

ASSAY_AVX512 void f64_to_f32(const void* in, void* out, std::size_t n) {
  for (std::size_t i = 0; i < n; i += 8) {
    const __m512d x = _mm512_loadu_pd(words<double>(in) + i);
    _mm256_storeu_ps(words<float>(out) + i, _mm512_cvt_roundpd_ps(x, kNearestEven));
  }
}

ASSAY_AVX512 void f32_to_f64(const void* in, void* out, std::size_t n) {
  for (std::size_t i = 0; i < n; i += 8) {
    _mm512_storeu_pd(words<double>(out) + i,
                     _mm512_cvtps_pd(_mm256_loadu_ps(words<float>(in) + i)));
  }
}

ASSAY_AVX512 void u32_to_f64(const void* in, void* out, std::size_t n) {
  for (std::size_t i = 0; i < n; i += 8) {
    const auto* from = reinterpret_cast<const __m256i*>(words<unsigned>(in) + i);
    _mm512_storeu_pd(words<double>(out) + i, _mm512_cvtepu32_pd(_mm256_loadu_si256(from)));
  }
}

#undef ASSAY_AVX512

}  // namespace

std::vector<HandWrittenCast> hand_written_casts() {
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl")) {
    return {};
  }
  return {{"cast_f32_to_f16", "vcvtps2ph", f32_to_f16},
          {"cast_f32_to_bf16", "integers, vpmovdw", f32_to_bf16},
          {"cast_f16_to_f32", "vcvtph2ps", f16_to_f32},
          {"cast_bf16_to_f32", "vpmovzxwd and a shift", bf16_to_f32},
          {"cast_u32_to_f32", "vcvtudq2ps", u32_to_f32},
          {"cast_f32_to_u32", "vcvttps2udq", f32_to_u32},
          {"cast_f64_to_f32", "vcvtpd2ps", f64_to_f32},
          {"cast_f32_to_f64", "vcvtps2pd", f32_to_f64},
          {"cast_u32_to_f64", "vcvtudq2pd", u32_to_f64}};
}

#else

std::vector<HandWrittenCast> hand_written_casts() {
  return {};
}

#endif

}  // namespace assay
