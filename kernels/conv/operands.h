// The tensors of a convolution's call, and the checks that need nothing but them.
#pragma once

#include <cstdint>

#include "kernels/arguments.h"

namespace assay::conv {

/// The tensors of a call under the contract's names, and their element counts.
struct Operands {
  Operand x;
  Operand weight;
  Operand bias;  ///< tensor null where left out
  Operand out;
  std::int64_t x_elements = 0;
  std::int64_t weight_elements = 0;
  std::int64_t bias_elements = 0;
  std::int64_t out_elements = 0;

  // Once check_inputs() has passed them:
  std::int64_t x_extent(int axis) const { return x.tensor->shape[axis]; }
  std::int64_t weight_extent(int axis) const { return weight.tensor->shape[axis]; }
};

/// Takes the tensors out of a call of two or three inputs and an output, and checks each by itself
/// (check_operand()), its rank, and that the weight's spatial extents are not 0.
KernelStatus check_inputs(KernelCall& call, Dtype dtype, const char* weight_name,
                          Operands& operands);

/// Checks the output's shape against the shape rule's, then the layout of all tensors.
KernelStatus check_output_and_layout(KernelCall& call, const Operands& operands,
                                     const std::int64_t (&expected)[4]);

}  // namespace assay::conv
