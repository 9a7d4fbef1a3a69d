#include "kernels/cast/cast_call.h"

#include <cinttypes>
#include <cstdint>

#include "kernels/arguments.h"

namespace assay {

namespace {

KernelStatus check_equal_shapes(KernelCall& call, const DLTensor& input, const DLTensor& output) {
  if (input.ndim != output.ndim) {
    return refuse(call, KernelStatus::kBadShape,
                  "output 0: expected the input's rank %d, found rank %d", input.ndim, output.ndim);
  }
  for (int axis = 0; axis < input.ndim; ++axis) {
    if (input.shape[axis] != output.shape[axis]) {
      return refuse(call, KernelStatus::kBadShape,
                    "output 0: expected the input's extent %" PRId64 " on axis %d, found %" PRId64,
                    input.shape[axis], axis, output.shape[axis]);
    }
  }
  return KernelStatus::kOk;
}

}  // namespace

KernelStatus check_cast(KernelCall& call, Dtype source, Dtype destination, std::size_t& elements) {
  elements = 0;
  call.ran = nullptr;
  call.message[0] = '\0';
  if (call.inputs.size() != 1 || call.outputs.size() != 1 || !call.parameters.empty()) {
    return refuse(call, KernelStatus::kBadArity,
                  "arguments: expected 1 input, 1 output and 0 parameters, found %zu, %zu and %zu",
                  call.inputs.size(), call.outputs.size(), call.parameters.size());
  }
  const Operand input{&call.inputs[0], "input 0", source};
  const Operand output{&call.outputs[0], "output 0", destination};
  std::int64_t input_elements = 0;
  std::int64_t output_elements = 0;
  KernelStatus status = check_operand(call, input, input_elements);
  if (status != KernelStatus::kOk) return status;
  status = check_operand(call, output, output_elements);
  if (status != KernelStatus::kOk) return status;
  status = check_equal_shapes(call, *input.tensor, *output.tensor);
  if (status != KernelStatus::kOk) return status;
  status = check_layout(call, input, input_elements);
  if (status != KernelStatus::kOk) return status;
  status = check_layout(call, output, output_elements);
  if (status != KernelStatus::kOk) return status;
  elements = static_cast<std::size_t>(input_elements);
  return KernelStatus::kOk;
}

KernelStatus run_cast(KernelCall& call, Dtype source, Dtype destination, const char* variant,
                      CastLoop loop) {
  std::size_t elements = 0;
  const KernelStatus status = check_cast(call, source, destination, elements);
  if (status != KernelStatus::kOk) return status;
  loop(static_cast<const std::byte*>(call.inputs[0].data),
       static_cast<std::byte*>(call.outputs[0].data), elements);
  call.ran = variant;
  return KernelStatus::kOk;
}

}  // namespace assay
