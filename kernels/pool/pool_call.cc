#include "kernels/pool/pool_call.h"

#include <cinttypes>
#include <iterator>

namespace assay::pool {

namespace {

/// Rank first: a shape is read only as far as the rank that the kernel takes.
KernelStatus check_tensor(KernelCall& call, const Operand& operand, std::int64_t& elements) {
  const KernelStatus status = check_rank(call, operand, 4);
  if (status != KernelStatus::kOk) return status;
  return check_operand(call, operand, elements);
}

}  // namespace

KernelStatus check(KernelCall& call, Dtype dtype, Plan& plan) {
  if (call.inputs.size() != 1 || call.outputs.size() != 1) {
    return refuse(call, KernelStatus::kBadArity,
                  "arguments: expected 1 input and 1 output, found %zu and %zu", call.inputs.size(),
                  call.outputs.size());
  }
  std::int64_t values[std::size(kRules)];
  KernelStatus status = read_parameters(call, kRules, values);
  if (status != KernelStatus::kOk) return status;
  const std::int64_t kernel = values[0];
  const std::int64_t stride = values[1];

  const Operand x{&call.inputs[0], "x", dtype};
  const Operand out{&call.outputs[0], "out", dtype};
  std::int64_t x_elements = 0;
  std::int64_t out_elements = 0;
  status = check_tensor(call, x, x_elements);
  if (status != KernelStatus::kOk) return status;
  status = check_tensor(call, out, out_elements);
  if (status != KernelStatus::kOk) return status;
  const std::int64_t* extents = x.tensor->shape;
  for (const int axis : {2, 3}) {
    if (kernel > extents[axis]) {
      return refuse(call, KernelStatus::kBadParameter,
                    "%s: expected at most x's extent %" PRId64 " on axis %d, found %" PRId64,
                    kRules[0].name, extents[axis], axis, kernel);
    }
  }
  const std::int64_t expected[] = {extents[0], extents[1], (extents[2] - kernel) / stride + 1,
                                   (extents[3] - kernel) / stride + 1};
  for (int axis = 0; axis < 4; ++axis) {
    if (out.tensor->shape[axis] != expected[axis]) {
      return refuse(call, KernelStatus::kBadShape,
                    "out: expected the shape rule's extent %" PRId64 " on axis %d, found %" PRId64,
                    expected[axis], axis, out.tensor->shape[axis]);
    }
  }
  status = check_layout(call, x, x_elements);
  if (status != KernelStatus::kOk) return status;
  status = check_layout(call, out, out_elements);
  if (status != KernelStatus::kOk) return status;

  // Without outputs nothing below is used, and the product may overflow.
  const std::int64_t planes = out_elements == 0 ? 0 : extents[0] * extents[1];
  plan = {planes,
          extents[2],
          extents[3],
          expected[2],
          expected[3],
          kernel,
          stride,
          static_cast<const std::byte*>(x.tensor->data),
          static_cast<std::byte*>(out.tensor->data)};
  return KernelStatus::kOk;
}

KernelStatus run(KernelCall& call, Dtype dtype, const char* variant, Loop loop) {
  call.ran = nullptr;
  call.message[0] = '\0';
  Plan plan;
  const KernelStatus status = check(call, dtype, plan);
  if (status != KernelStatus::kOk) return status;
  if (plan.planes != 0) loop(plan);
  call.ran = variant;
  return KernelStatus::kOk;
}

}  // namespace assay::pool
