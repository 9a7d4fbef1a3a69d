// FP16 (libfp16-dev): its conversions between IEEE half and single precision. To single precision
// there are two, one by integer operations only and one by floating-point ones; to half precision
// there is one.
#include <fp16.h>

#include <bit>

#include "kernels/adapters/element_wise.h"

namespace {
using namespace assay_adapters;

void widen_bits(const std::uint16_t* from, float* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = std::bit_cast<float>(fp16_ieee_to_fp32_bits(from[i]));
  }
}

void widen_value(const std::uint16_t* from, float* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = fp16_ieee_to_fp32_value(from[i]);
}

void narrow_value(const float* from, std::uint16_t* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = fp16_ieee_from_fp32_value(from[i]);
}

constexpr assay_kernel kKernels[] = {
    cast_row<F16, F32, widen_bits>("fp16::cast_f16_to_f32", "bits"),
    cast_row<F16, F32, widen_value>("fp16::cast_f16_to_f32", "value"),
    cast_row<F32, F16, narrow_value>("fp16::cast_f32_to_f16", "value"),
};
constexpr assay_kernel_list kList = list_of(kKernels);
}  // namespace

const assay_kernel_list* assay_kernel_table() {
  return &kList;
}
