// Faults of the argument checks: accepting what the contract rejects, or the reverse.

#include <cstdio>

#include "kernels/cast/convert.h"
#include "kernels/mutants/mutant_kernel.h"

namespace assay::mutants {

namespace {

constexpr KernelFunction kF32ToF16Function =
    &elementwise<Dtype::kF32, Dtype::kF16, cast::narrow<cast::F32, cast::F16>>;

/// Runs the correct kernel on another description of the same input.
KernelStatus with_input(KernelCall& call, const DLTensor& input, KernelFunction function) {
  const std::span<const DLTensor> asked = call.inputs;
  call.inputs = {&input, 1};
  const KernelStatus status = function(call);
  call.inputs = asked;
  return status;
}

/// Whether `count` elements from the data pointer on lie within what the strides reach, so that
/// reading them as if dense stays inside the caller's memory.
bool dense_read_stays_inside(const DLTensor& tensor) {
  std::int64_t reach = 1;
  std::int64_t count = 1;
  for (int axis = 0; axis < tensor.ndim; ++axis) {
    if (tensor.shape[axis] <= 0 || tensor.strides[axis] < 0) return false;
    reach += (tensor.shape[axis] - 1) * tensor.strides[axis];
    count *= tensor.shape[axis];
  }
  return count <= reach;
}

KernelStatus f32_to_f16_ignores_strides(KernelCall& call) {
  if (call.inputs.size() != 1 || call.inputs[0].strides == nullptr ||
      !dense_read_stays_inside(call.inputs[0])) {
    return kF32ToF16Function(call);
  }
  DLTensor dense = call.inputs[0];
  dense.strides = nullptr;
  return with_input(call, dense, kF32ToF16Function);
}

KernelStatus f32_to_f16_takes_u32(KernelCall& call) {
  if (call.inputs.size() != 1 || call.inputs[0].dtype.code != kDLUInt ||
      call.inputs[0].dtype.bits != 32) {
    return kF32ToF16Function(call);
  }
  DLTensor relabelled = call.inputs[0];
  relabelled.dtype = to_dlpack(Dtype::kF32);
  return with_input(call, relabelled, kF32ToF16Function);
}

KernelStatus u32_to_f64_refuses_scalars(KernelCall& call) {
  std::size_t elements = 0;
  const KernelStatus status = check_cast(call, Dtype::kU32, Dtype::kF64, elements);
  if (status != KernelStatus::kOk) return status;
  if (call.inputs[0].ndim == 0) {
    std::snprintf(call.message, sizeof(call.message),
                  "input 0: expected a rank of 1 or more, found 0");
    return KernelStatus::kBadShape;
  }
  return elementwise<Dtype::kU32, Dtype::kF64, cast::f64_from_u32>(call);
}

}  // namespace

std::vector<Mutant> acceptance_mutants() {
  return {
      {"f32_to_f16_ignores_strides", kF32ToF16, "takes a strided tensor as if it were dense",
       "accept.layout", &f32_to_f16_ignores_strides},
      {"f32_to_f16_takes_u32", kF32ToF16, "takes a u32 input for f32", "accept.dtype",
       &f32_to_f16_takes_u32},
      {"u32_to_f64_refuses_scalars", kU32ToF64, "refuses tensors of rank 0", "accept.rank",
       &u32_to_f64_refuses_scalars},
  };
}

}  // namespace assay::mutants
