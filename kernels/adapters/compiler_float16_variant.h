// The compiler's casts of _Float16 for one instruction set: what compiler_float16_variant.cc
// defines, and compiler_float16.cc lists. Half-precision elements travel as their bits.
#pragma once

#include <cstdint>

// One set for each build; those that the compiler cannot make are not there.
#define ADAPTER_FLOAT16_CASTS(VARIANT)                                        \
  namespace assay_adapters::VARIANT {                                         \
  void f32_to_f16(const float* from, std::uint16_t* to, std::int64_t count);  \
  void f64_to_f16(const double* from, std::uint16_t* to, std::int64_t count); \
  void f16_to_f32(const std::uint16_t* from, float* to, std::int64_t count);  \
  void f16_to_f64(const std::uint16_t* from, double* to, std::int64_t count); \
  }

ADAPTER_FLOAT16_CASTS(baseline)
ADAPTER_FLOAT16_CASTS(f16c)
ADAPTER_FLOAT16_CASTS(avx512_fp16)
