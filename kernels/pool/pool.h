// max_pool2d in f32, f64, bf16 and f16, in a scalar variant and one per instruction set.
//
//   x [N, C, H, W] -> out [N, C, Hout, Wout]
//   kernel_size   1 to min(H, W), for both axes
//   stride        1 or more, for both axes
//   Hout = floor((H - kernel_size) / stride) + 1; Wout likewise (the contract's shape rule)
//
// Tensors are contiguous, row-major, at byte_offset 0, of one dtype. Data may have any alignment;
// the output does not overlap the input. Parameters are scalars, given by name in any order. There
// is no padding. The caller allocates the output by the shape rule.
//
// Each output is one of the elements of its window, bit for bit: the greatest, where
//
//   every NaN < -infinity < negative numbers < -0 < +0 < positive numbers < +infinity
//
// and among NaNs the first of the window, row by row. So a number beats a NaN, as in the contract's
// `T::max`; a window of nothing but NaNs gives its first NaN with its sign, quiet bit and payload;
// and +0 beats -0 wherever the two stand. The last two are our choice: the contract is silent. The
// search starts with the window's first element, not with -infinity, which need not be in it.
//
// Elements are compared as integers, so neither the rounding mode nor the flush modes of the caller
// have a say, and no exception flag is raised.
//
// N = 0 or C = 0 gives an empty output.
//
// Refused, before any output is written, with a message that names the operand or parameter and the
// value: another number of tensors; parameters missing, unknown, repeated or out of range; a tensor
// outside host memory, of another dtype or rank, not contiguous, with a byte offset, or with null
// data where it has elements; an output of another shape; sizes that 64 bits do not hold.
#pragma once

#include <vector>

#include "kernels/kernel.h"
#include "kernels/variants.h"

/// One row per kernel, X(format, dtype).
#define ASSAY_MAX_POOLS(X) \
  X(f32, kF32)             \
  X(f64, kF64)             \
  X(bf16, kBF16)           \
  X(f16, kF16)

namespace assay {

/// The scalar variant of every kernel, in the order of ASSAY_MAX_POOLS.
FamilyVariant scalar_pools();

/// One element per instruction set, narrow to wide. Looks the functions up through Highway's
/// process-wide dispatch state and puts that back, so call it while no other thread dispatches.
std::vector<FamilyVariant> simd_pools();

/// The four kernels with all their variants, as `fuel_reference_backend::ops::max_pool2d_DTYPE`,
/// and for the contract's literal fan-out (see conv_kernels()) as `max_pool2d_f32_DTYPE` too.
std::vector<Kernel> pool_kernels();

}  // namespace assay
