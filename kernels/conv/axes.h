// The shape rules of convolutions along one spatial axis, without overflow.
#pragma once

#include <cstdint>

#include "kernels/conv/plan.h"
#include "kernels/kernel.h"

namespace assay::conv {

/// One spatial axis as the call gives it.
struct AxisArguments {
  int axis;  ///< of x and of the weight: 2 (h) or 3 (w)
  std::int64_t input;
  std::int64_t kernel;
  KernelParameter stride;
  KernelParameter padding;
  KernelParameter output_padding = {nullptr, 0};
  KernelParameter dilation = {nullptr, 1};
};

/// Fills `axis` for a convolution: output = floor((input + 2 padding - kernel) / stride) + 1.
/// Refuses a padded input that 64 bits do not hold, and a kernel beyond it, which it calls
/// `weight_name`.
KernelStatus gathered_axis(KernelCall& call, const AxisArguments& arguments,
                           const char* weight_name, Axis& axis);

/// Fills `axis` for a transposed convolution: output = (input - 1) stride - 2 padding +
/// dilation (kernel - 1) + output_padding + 1. Refuses an input of 0, an output below 1, and steps
/// of the formula that 64 bits do not hold.
KernelStatus scattered_axis(KernelCall& call, const AxisArguments& arguments, Axis& axis);

}  // namespace assay::conv
