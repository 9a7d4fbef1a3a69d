#include "kernels/cast/cast_call.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdint>
#include <cstdio>

namespace assay {

namespace {

[[gnu::format(printf, 3, 4)]] KernelStatus refuse(KernelCall& call, KernelStatus status,
                                                  const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(call.message, sizeof(call.message), format, arguments);
  va_end(arguments);
  return status;
}

/// Bytes of a tensor stay within what a pointer difference can express.
constexpr std::int64_t kMaxBytes = PTRDIFF_MAX;

/// The number of elements, or nothing where it overflows. An extent of 0 makes it 0 whatever the
/// others are.
bool count_elements(const DLTensor& tensor, std::int64_t element_bytes, std::int64_t& count) {
  count = 1;
  for (int axis = 0; axis < tensor.ndim; ++axis) {
    if (tensor.shape[axis] == 0) {
      count = 0;
      return true;
    }
  }
  for (int axis = 0; axis < tensor.ndim; ++axis) {
    if (__builtin_mul_overflow(count, tensor.shape[axis], &count)) return false;
  }
  return count <= kMaxBytes / element_bytes;
}

/// The operand by itself, without its layout: device, dtype, rank and extents.
KernelStatus check_operand(KernelCall& call, const DLTensor& tensor, const char* operand,
                           Dtype dtype, std::int64_t& elements) {
  if (tensor.device.device_type != kDLCPU) {
    return refuse(call, KernelStatus::kBadDevice,
                  "%s: expected a tensor in host memory (device type %d), found device type %d",
                  operand, static_cast<int>(kDLCPU), static_cast<int>(tensor.device.device_type));
  }
  const DLDataType expected = to_dlpack(dtype);
  const DLDataType& found = tensor.dtype;
  if (found.code != expected.code || found.bits != expected.bits || found.lanes != expected.lanes) {
    return refuse(call, KernelStatus::kBadDtype,
                  "%s: expected dtype %s (code %d, bits %d, lanes %d), found code %d, bits %d, "
                  "lanes %d",
                  operand, traits(dtype).name.data(), expected.code, expected.bits, expected.lanes,
                  found.code, found.bits, found.lanes);
  }
  if (tensor.ndim < 0) {
    return refuse(call, KernelStatus::kBadShape, "%s: expected a rank of 0 or more, found %d",
                  operand, tensor.ndim);
  }
  if (tensor.ndim > 0 && tensor.shape == nullptr) {
    return refuse(call, KernelStatus::kBadShape,
                  "%s: expected a shape of %d extents, found a null pointer", operand, tensor.ndim);
  }
  for (int axis = 0; axis < tensor.ndim; ++axis) {
    if (tensor.shape[axis] < 0) {
      return refuse(call, KernelStatus::kBadShape,
                    "%s: expected extents of 0 or more, found %" PRId64 " on axis %d", operand,
                    tensor.shape[axis], axis);
    }
  }
  if (!count_elements(tensor, traits(dtype).bytes(), elements)) {
    return refuse(call, KernelStatus::kBadShape,
                  "%s: expected at most %" PRId64 " bytes, found a shape whose size overflows that",
                  operand, kMaxBytes);
  }
  return KernelStatus::kOk;
}

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

KernelStatus check_layout(KernelCall& call, const DLTensor& tensor, const char* operand,
                          std::int64_t elements) {
  if (tensor.byte_offset != 0) {
    return refuse(call, KernelStatus::kBadLayout, "%s: expected byte_offset 0, found %" PRIu64,
                  operand, tensor.byte_offset);
  }
  if (elements == 0) return KernelStatus::kOk;
  if (tensor.strides != nullptr) {
    std::int64_t expected = 1;
    for (int axis = tensor.ndim - 1; axis >= 0; --axis) {
      if (tensor.shape[axis] != 1 && tensor.strides[axis] != expected) {
        return refuse(call, KernelStatus::kBadLayout,
                      "%s: expected row-major strides, %" PRId64 " on axis %d, found %" PRId64,
                      operand, expected, axis, tensor.strides[axis]);
      }
      expected *= tensor.shape[axis];
    }
  }
  if (tensor.data == nullptr) {
    return refuse(call, KernelStatus::kBadDevice,
                  "%s: expected data for %" PRId64 " elements, found a null pointer", operand,
                  elements);
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
  constexpr const char* kInput = "input 0";
  constexpr const char* kOutput = "output 0";
  const DLTensor& input = call.inputs[0];
  const DLTensor& output = call.outputs[0];
  std::int64_t input_elements = 0;
  std::int64_t output_elements = 0;
  KernelStatus status = check_operand(call, input, kInput, source, input_elements);
  if (status != KernelStatus::kOk) return status;
  status = check_operand(call, output, kOutput, destination, output_elements);
  if (status != KernelStatus::kOk) return status;
  status = check_equal_shapes(call, input, output);
  if (status != KernelStatus::kOk) return status;
  status = check_layout(call, input, kInput, input_elements);
  if (status != KernelStatus::kOk) return status;
  status = check_layout(call, output, kOutput, output_elements);
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
