// oneDNN's operations with windows, as kernels of the table in onednn.cc. Tensors are dense, in the
// order NCHW; convolutions are of f32.
#pragma once

#include <cstdint>

#include "kernels/abi/assay_kernels.h"

namespace assay_adapters::onednn {

/// Direct convolution, in the layouts that the caller has.
std::int32_t convolution(const assay_call* call);
/// The same in the layouts that oneDNN prefers, with reorders before and after.
std::int32_t convolution_in_own_layout(const assay_call* call);
/// Transposed convolution ("deconvolution"), in the layouts that the caller has.
std::int32_t transposed_convolution(const assay_call* call);
/// Maximum pooling, square windows without padding.
std::int32_t max_pooling_f32(const assay_call* call);
std::int32_t max_pooling_bf16(const assay_call* call);

}  // namespace assay_adapters::onednn
