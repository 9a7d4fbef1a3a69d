// Direct 2-D convolutions: conv2d and conv_transpose2d in f32 and f64, conv2d_simple in f32, f64,
// bf16 and f16, each in a scalar variant and one per instruction set.
//
// Tensors are contiguous, row-major, at byte_offset 0, of one dtype T. Data may have any alignment;
// the output overlaps no input. Parameters are scalars, given by name in any order.
//
//   conv2d            x [N, Cin, H, W], weight [Cout, Cin/groups, Kh, Kw], optional bias [Cout]
//                     -> out [N, Cout, Hout, Wout]
//     stride_h/_w     1 or more
//     padding_h/_w    0 or more, on both ends
//     dilation_h/_w   1; the contract carries it, the kernel walks no other
//     groups          1 or more
//     Hout = floor((H + 2 padding_h - Kh) / stride_h) + 1; Wout likewise
//
//   conv2d_simple     x [N, Cin, H, W], kernel [Cout, Cin, Kh, Kw] -> out [N, Cout, Hout, Wout]
//     stride, padding for both axes; otherwise conv2d with one group and no bias
//
//   conv_transpose2d  x [N, Cin, H, W], weight [Cin, Cout/groups, Kh, Kw]
//                     -> out [N, Cout, Hout, Wout]
//     stride_h/_w, dilation_h/_w, groups   1 or more
//     padding_h/_w, output_padding_h/_w    0 or more
//     Hout = (H - 1) stride_h - 2 padding_h + dilation_h (Kh - 1) + output_padding_h + 1;
//     Wout likewise. output_padding may reach or exceed the stride: outputs that no input reaches
//     are +0.
//
// The formulas are those of the contracts' shape rules. The caller allocates the output by them.
//
// What is computed
// ----------------
// Every product and every sum is rounded to T by itself; none are fused, none are reassociated.
//
// conv2d, conv2d_simple: for each output (n, co, oh, ow), with g = floor(co / (Cout / groups)):
//
//   acc = +0
//   for ci = 0 .. Cin/groups - 1
//     for kh = 0 .. Kh - 1
//       for kw = 0 .. Kw - 1
//         ih = oh * stride_h - padding_h + kh
//         iw = ow * stride_w - padding_w + kw
//         if 0 <= ih < H and 0 <= iw < W
//           acc = acc + x[n, g * (Cin / groups) + ci, ih, iw] * weight[co, ci, kh, kw]
//   if there is a bias: acc = acc + bias[co]
//   out[n, co, oh, ow] = acc
//
// A position in the padding is skipped: it is not multiplied, so a NaN or an infinity in the weight
// contributes nothing there, and nothing is added.
//
// conv_transpose2d: every output starts at +0; then
//
//   for n = 0 .. N - 1
//     for ci = 0 .. Cin - 1, with g = floor(ci / (Cin / groups))
//       for h = 0 .. H - 1
//         for w = 0 .. W - 1
//           for co = 0 .. Cout/groups - 1
//             for kh = 0 .. Kh - 1
//               for kw = 0 .. Kw - 1
//                 oh = h * stride_h - padding_h + kh * dilation_h
//                 ow = w * stride_w - padding_w + kw * dilation_w
//                 if 0 <= oh < Hout and 0 <= ow < Wout
//                   o = (n, g * (Cout / groups) + co, oh, ow)
//                   out[o] = out[o] + x[n, ci, h, w] * weight[ci, co, kh, kw]
//
// Of one output this is the sum over its group's ci, then h, then w, all ascending: each (h, w)
// reaches it through one kernel position at most. That kernel position descends. A zero in x is
// multiplied like any other value.
//
// Special values
// --------------
//  - A result that is NaN is the positive quiet NaN with a zero payload, whatever NaNs went in:
//    0x7fc00000, 0x7ff8000000000000, 0x7fc0 (bf16), 0x7e00 (f16). Which operand's payload an
//    addition keeps is the processor's and the compiler's choice, so none is kept.
//  - Sums start at +0, so a zero result is +0 under rounding to nearest, also where all products,
//    or the bias alone, are -0.
//  - Overflow gives an infinity, also in the middle of a sum that would end finite.
//  - No terms (Cin = 0, or all in the padding): +0, and with a bias +0 + bias.
//  - N = 0 or Cout = 0: an empty output.
//
// Floating-point environment: f32 and f64 arithmetic is the processor's, in the caller's rounding
// and flush modes, which all variants follow alike. bf16 and f16 round to nearest even with gradual
// underflow whatever the modes (half.h). No control bit is changed. Which sticky exception flags a
// call raises is not specified: vector variants compute lanes that they discard.
//
// Refused, before any output is written, with a message that names the operand or parameter and the
// value: what contradicts the above, that is, another number of tensors; parameters missing,
// unknown, repeated or out of range; a tensor outside host memory, of another dtype or rank, not
// contiguous, with a byte offset, or with null data where it has elements; groups that do not
// divide the channels; a weight, bias or output whose extents do not fit; a kernel of extent 0 or
// beyond the padded input; a conv_transpose2d whose padding leaves no output; extents or sizes that
// 64 bits do not hold.
//
// Some of this goes beyond the contracts' text:
//  - conv2d's weight.dim[1] has to be Cin / groups. The contract asks only that it divide Cin:
//    that admits a weight of the wrong pitch.
//  - conv2d's dilation other than 1 is refused; the contract only notes that it is not walked.
//  - conv_transpose2d: an output extent of 0 is refused, and so is an empty image (H or W of 0):
//    the shape rule's H - 1 is negative there. conv2d takes an empty image where the padding makes
//    room for the kernel: all of it is padding.
//  - Strides, dilations and groups of 0; kernels of extent 0: the contracts give no such limits for
//    conv2d and conv_transpose2d, whose formulas divide by them or have no meaning.
#pragma once

#include <vector>

#include "kernels/kernel.h"
#include "kernels/variants.h"

/// One row per kernel, X(operation, format, dtype).
#define ASSAY_WIDE_CONVS(X)      \
  X(conv2d, f32, kF32)           \
  X(conv2d, f64, kF64)           \
  X(conv_transpose2d, f32, kF32) \
  X(conv_transpose2d, f64, kF64) \
  X(conv2d_simple, f32, kF32)    \
  X(conv2d_simple, f64, kF64)

#define ASSAY_HALF_CONVS(X)     \
  X(conv2d_simple, bf16, kBF16) \
  X(conv2d_simple, f16, kF16)

namespace assay {

/// The scalar variant of every kernel: ASSAY_WIDE_CONVS, then ASSAY_HALF_CONVS.
FamilyVariant scalar_convs();

/// One element per instruction set, narrow to wide: the kernels of ASSAY_WIDE_CONVS, and those of
/// ASSAY_HALF_CONVS. They look the functions up through Highway's process-wide dispatch state and
/// put that back, so call them while no other thread dispatches.
std::vector<FamilyVariant> wide_simd_convs();
std::vector<FamilyVariant> half_simd_convs();

/// The eight kernels with all their variants, as `fuel_reference_backend::ops::OPERATION_DTYPE`.
/// The contracts' entry points end in `_f32` already ("one per dtype"), and taken to the letter
/// their fan-out over dtypes appends another suffix; so each kernel also answers to
/// `OPERATION_f32_DTYPE` (`conv2d_f32_f64`).
std::vector<Kernel> conv_kernels();

}  // namespace assay
