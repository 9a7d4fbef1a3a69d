// oneDNN (libdnnl-dev): reorders between f32, f16 and bf16, and the table of all its kernels.
// Debian builds the library with OpenMP, so every kernel may run threads of its own.
#include "kernels/adapters/element_wise.h"
#include "kernels/adapters/onednn_session.h"
#include "kernels/adapters/onednn_windows.h"

namespace {
using namespace assay_adapters;
using dnnl::memory;

template <class Format>
constexpr memory::data_type kType = memory::data_type::undef;
template <>
constexpr memory::data_type kType<F32> = memory::data_type::f32;
template <>
constexpr memory::data_type kType<F16> = memory::data_type::f16;
template <>
constexpr memory::data_type kType<BF16> = memory::data_type::bf16;

template <class From, class To>
void reorder(const typename From::Element* from, typename To::Element* to, std::int64_t count) {
  const memory::desc source({count}, kType<From>, memory::format_tag::a);
  const memory::desc target({count}, kType<To>, memory::format_tag::a);
  const dnnl::engine& engine = onednn::engine();
  const dnnl::reorder::primitive_desc description(engine, source, engine, target);
  onednn::run(dnnl::reorder(description), {{DNNL_ARG_FROM, onednn::view(source, from)},
                                           {DNNL_ARG_TO, onednn::view(target, to)}});
}

template <class From, class To>
constexpr assay_kernel reorder_row(const char* entry_point) {
  assay_kernel row =
      cast_row<From, To, reorder<From, To>>(entry_point, "reorder", ASSAY_KERNEL_THREADS);
  row.function = onednn::guarded<cast<From, To, reorder<From, To>>>;
  return row;
}

constexpr DLDataType kF32[] = {F32::kDtype, F32::kDtype, F32::kDtype};

constexpr assay_kernel kKernels[] = {
    reorder_row<F32, F16>("onednn::cast_f32_to_f16"),
    reorder_row<F16, F32>("onednn::cast_f16_to_f32"),
    reorder_row<F32, BF16>("onednn::cast_f32_to_bf16"),
    reorder_row<BF16, F32>("onednn::cast_bf16_to_f32"),
    {"onednn::conv2d_f32", "plain", kF32, kF32, 3, 1, ASSAY_KERNEL_THREADS,
     onednn::guarded<onednn::convolution>},
    {"onednn::conv2d_f32", "any", kF32, kF32, 3, 1, ASSAY_KERNEL_THREADS,
     onednn::guarded<onednn::convolution_in_own_layout>},
    {"onednn::conv_transpose2d_f32", "plain", kF32, kF32, 2, 1, ASSAY_KERNEL_THREADS,
     onednn::guarded<onednn::transposed_convolution>},
    {"onednn::max_pool2d_f32", "plain", &F32::kDtype, &F32::kDtype, 1, 1, ASSAY_KERNEL_THREADS,
     onednn::guarded<onednn::max_pooling_f32>},
    {"onednn::max_pool2d_bf16", "plain", &BF16::kDtype, &BF16::kDtype, 1, 1, ASSAY_KERNEL_THREADS,
     onednn::guarded<onednn::max_pooling_bf16>},
};
constexpr assay_kernel_list kList = list_of(kKernels);
}  // namespace

const assay_kernel_list* assay_kernel_table() {
  return &kList;
}
