// The compiler's conversions to and from _Float16, compiled for one instruction set. Built several
// times, with ADAPTER_VARIANT the name.
#include <bit>

#include "kernels/adapters/compiler_float16_variant.h"

namespace assay_adapters::ADAPTER_VARIANT {

void f32_to_f16(const float* from, std::uint16_t* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = std::bit_cast<std::uint16_t>(static_cast<_Float16>(from[i]));
  }
}

void f64_to_f16(const double* from, std::uint16_t* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = std::bit_cast<std::uint16_t>(static_cast<_Float16>(from[i]));
  }
}

void f16_to_f32(const std::uint16_t* from, float* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = static_cast<float>(std::bit_cast<_Float16>(from[i]));
  }
}

void f16_to_f64(const std::uint16_t* from, double* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = static_cast<double>(std::bit_cast<_Float16>(from[i]));
  }
}

}  // namespace assay_adapters::ADAPTER_VARIANT
