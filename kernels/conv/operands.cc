#include "kernels/conv/operands.h"

#include <cinttypes>

namespace assay::conv {

namespace {

/// Rank first: a shape is read only as far as the rank that the kernel takes.
KernelStatus check_tensor(KernelCall& call, const Operand& operand, int rank,
                          std::int64_t& elements) {
  const KernelStatus status = check_rank(call, operand, rank);
  if (status != KernelStatus::kOk) return status;
  return check_operand(call, operand, elements);
}

}  // namespace

KernelStatus check_inputs(KernelCall& call, Dtype dtype, const char* weight_name,
                          Operands& operands) {
  operands.x = {&call.inputs[0], "x", dtype};
  operands.weight = {&call.inputs[1], weight_name, dtype};
  operands.bias = {call.inputs.size() > 2 ? &call.inputs[2] : nullptr, "bias", dtype};
  operands.out = {&call.outputs[0], "out", dtype};
  KernelStatus status = check_tensor(call, operands.x, 4, operands.x_elements);
  if (status != KernelStatus::kOk) return status;
  status = check_tensor(call, operands.weight, 4, operands.weight_elements);
  if (status != KernelStatus::kOk) return status;
  if (operands.bias.tensor != nullptr) {
    status = check_tensor(call, operands.bias, 1, operands.bias_elements);
    if (status != KernelStatus::kOk) return status;
  }
  for (const int axis : {2, 3}) {
    if (operands.weight_extent(axis) == 0) {
      return refuse(call, KernelStatus::kBadShape,
                    "%s: expected an extent of 1 or more on axis %d, found 0", weight_name, axis);
    }
  }
  return check_tensor(call, operands.out, 4, operands.out_elements);
}

KernelStatus check_output_and_layout(KernelCall& call, const Operands& operands,
                                     const std::int64_t (&expected)[4]) {
  for (int axis = 0; axis < 4; ++axis) {
    const std::int64_t found = operands.out.tensor->shape[axis];
    if (found != expected[axis]) {
      return refuse(call, KernelStatus::kBadShape,
                    "out: expected the shape rule's extent %" PRId64 " on axis %d, found %" PRId64,
                    expected[axis], axis, found);
    }
  }
  KernelStatus status = check_layout(call, operands.x, operands.x_elements);
  if (status != KernelStatus::kOk) return status;
  status = check_layout(call, operands.weight, operands.weight_elements);
  if (status != KernelStatus::kOk) return status;
  if (operands.bias.tensor != nullptr) {
    status = check_layout(call, operands.bias, operands.bias_elements);
    if (status != KernelStatus::kOk) return status;
  }
  return check_layout(call, operands.out, operands.out_elements);
}

}  // namespace assay::conv
