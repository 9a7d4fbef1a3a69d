// The compiler's own _Float16. Without options for more, its conversions are calls into the
// compiler's library; with F16C those of single precision are instructions; with AVX512-FP16 all
// are.
#include "kernels/adapters/compiler_float16_variant.h"
#include "kernels/adapters/cpu_features.h"
#include "kernels/adapters/element_wise.h"

namespace {
using namespace assay_adapters;

#define ADAPTER_ROWS(VARIANT, NAME)                                               \
  cast_row<F32, F16, VARIANT::f32_to_f16>("compiler::cast_f32_to_f16", NAME),     \
      cast_row<F64, F16, VARIANT::f64_to_f16>("compiler::cast_f64_to_f16", NAME), \
      cast_row<F16, F32, VARIANT::f16_to_f32>("compiler::cast_f16_to_f32", NAME), \
      cast_row<F16, F64, VARIANT::f16_to_f64>("compiler::cast_f16_to_f64", NAME)

// Each set of instructions comes with those before it, so that what a processor has is a beginning
// of the table.
constexpr assay_kernel kKernels[] = {
#if defined(ADAPTER_HAS_BASELINE)
    ADAPTER_ROWS(baseline, "library"),
#endif
#if defined(ADAPTER_HAS_F16C)
    ADAPTER_ROWS(f16c, "F16C"),
#endif
#if defined(ADAPTER_HAS_AVX512_FP16)
    ADAPTER_ROWS(avx512_fp16, "AVX512-FP16"),
#endif
};

constexpr std::uint32_t kRowsOfOne = 4;

std::uint32_t rows() {
  std::uint32_t count = 0;
#if defined(ADAPTER_HAS_BASELINE)
  count += kRowsOfOne;
#endif
#if defined(ADAPTER_HAS_F16C)
  if (!has_f16c()) return count;
  count += kRowsOfOne;
#endif
#if defined(ADAPTER_HAS_AVX512_FP16)
  if (!has_avx512_fp16()) return count;
  count += kRowsOfOne;
#endif
  return count;
}
}  // namespace

const assay_kernel_list* assay_kernel_table() {
  static const assay_kernel_list list = {ASSAY_KERNELS_ABI_VERSION, rows(), kKernels};
  return list.kernel_count > 0 ? &list : nullptr;
}
