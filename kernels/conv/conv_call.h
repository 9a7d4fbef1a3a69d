// What every variant of a convolution does around its loop: check the arguments, run, sign the
// reply.
#pragma once

#include "contracts/dtype.h"
#include "kernels/arguments.h"
#include "kernels/conv/plan.h"
#include "kernels/kernel.h"

namespace assay {

namespace conv {

/// Computes every output of a plan. Addresses may have any alignment; the output overlaps no input.
using Loop = void (*)(const Plan&);

/// Checks all arguments of one operation in `dtype` and fills `plan`; else fills `call.message`
/// with the operand or parameter, what was expected and what was found. conv.h says what is
/// refused. Writes nothing else.
using Check = KernelStatus (*)(KernelCall& call, Dtype dtype, Plan& plan);

KernelStatus check_conv2d(KernelCall& call, Dtype dtype, Plan& plan);
KernelStatus check_conv_transpose2d(KernelCall& call, Dtype dtype, Plan& plan);
KernelStatus check_conv2d_simple(KernelCall& call, Dtype dtype, Plan& plan);

/// Checks the arguments, runs `loop` and on success sets `call.ran` to `variant`. A refused call
/// leaves the output untouched and `call.ran` null.
KernelStatus run(KernelCall& call, Check check, Dtype dtype, const char* variant, Loop loop);

/// What each operation takes as parameters, with the least values, in the order of the contract's
/// op_params.
inline constexpr ParameterRule kConv2dRules[] = {
    {"stride_h", 1},   {"stride_w", 1},   {"padding_h", 0}, {"padding_w", 0},
    {"dilation_h", 1}, {"dilation_w", 1}, {"groups", 1}};
inline constexpr ParameterRule kConvTranspose2dRules[] = {
    {"stride_h", 1},   {"stride_w", 1},         {"padding_h", 0},
    {"padding_w", 0},  {"output_padding_h", 0}, {"output_padding_w", 0},
    {"dilation_h", 1}, {"dilation_w", 1},       {"groups", 1}};
inline constexpr ParameterRule kConv2dSimpleRules[] = {{"stride", 1}, {"padding", 0}};

}  // namespace conv

}  // namespace assay
