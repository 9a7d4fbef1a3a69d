#include "kernels/arguments.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace assay {

namespace {

/// Bytes of a tensor stay within what a pointer difference can express.
constexpr std::int64_t kMaxBytes = PTRDIFF_MAX;

/// The number of elements, or false where it overflows.
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
  std::int64_t bytes = 0;
  return !__builtin_mul_overflow(count, element_bytes, &bytes) && bytes <= kMaxBytes;
}

/// How many of the call's parameters have this name, and the value of the last.
int find_parameter(const KernelCall& call, const char* name, std::int64_t& value) {
  int found = 0;
  for (const KernelParameter& parameter : call.parameters) {
    if (parameter.name == nullptr || std::strcmp(parameter.name, name) != 0) continue;
    value = parameter.value;
    ++found;
  }
  return found;
}

bool is_known(std::span<const ParameterRule> rules, const char* name) {
  for (const ParameterRule& rule : rules) {
    if (name != nullptr && std::strcmp(rule.name, name) == 0) return true;
  }
  return false;
}

}  // namespace

KernelStatus refuse(KernelCall& call, KernelStatus status, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(call.message, sizeof(call.message), format, arguments);
  va_end(arguments);
  return status;
}

KernelStatus check_operand(KernelCall& call, const Operand& operand, std::int64_t& elements) {
  const DLTensor& tensor = *operand.tensor;
  if (tensor.device.device_type != kDLCPU) {
    return refuse(call, KernelStatus::kBadDevice,
                  "%s: expected a tensor in host memory (device type %d), found device type %d",
                  operand.name, static_cast<int>(kDLCPU),
                  static_cast<int>(tensor.device.device_type));
  }
  const DLDataType expected = to_dlpack(operand.dtype);
  const DLDataType& found = tensor.dtype;
  if (found.code != expected.code || found.bits != expected.bits || found.lanes != expected.lanes) {
    return refuse(call, KernelStatus::kBadDtype,
                  "%s: expected dtype %s (code %d, bits %d, lanes %d), found code %d, bits %d, "
                  "lanes %d",
                  operand.name, traits(operand.dtype).name.data(), expected.code, expected.bits,
                  expected.lanes, found.code, found.bits, found.lanes);
  }
  if (tensor.ndim < 0) {
    return refuse(call, KernelStatus::kBadShape, "%s: expected a rank of 0 or more, found %d",
                  operand.name, tensor.ndim);
  }
  if (tensor.ndim > 0 && tensor.shape == nullptr) {
    return refuse(call, KernelStatus::kBadShape,
                  "%s: expected a shape of %d extents, found a null pointer", operand.name,
                  tensor.ndim);
  }
  for (int axis = 0; axis < tensor.ndim; ++axis) {
    if (tensor.shape[axis] < 0) {
      return refuse(call, KernelStatus::kBadShape,
                    "%s: expected extents of 0 or more, found %" PRId64 " on axis %d", operand.name,
                    tensor.shape[axis], axis);
    }
  }
  if (!count_elements(tensor, traits(operand.dtype).bytes(), elements)) {
    return refuse(call, KernelStatus::kBadShape,
                  "%s: expected at most %" PRId64 " bytes, found a shape whose size overflows that",
                  operand.name, kMaxBytes);
  }
  return KernelStatus::kOk;
}

KernelStatus check_rank(KernelCall& call, const Operand& operand, int rank) {
  if (operand.tensor->ndim == rank) return KernelStatus::kOk;
  return refuse(call, KernelStatus::kBadShape, "%s: expected rank %d, found rank %d", operand.name,
                rank, operand.tensor->ndim);
}

KernelStatus check_layout(KernelCall& call, const Operand& operand, std::int64_t elements) {
  const DLTensor& tensor = *operand.tensor;
  if (tensor.byte_offset != 0) {
    return refuse(call, KernelStatus::kBadLayout, "%s: expected byte_offset 0, found %" PRIu64,
                  operand.name, tensor.byte_offset);
  }
  if (elements == 0) return KernelStatus::kOk;
  if (tensor.strides != nullptr) {
    std::int64_t expected = 1;
    for (int axis = tensor.ndim - 1; axis >= 0; --axis) {
      if (tensor.shape[axis] != 1 && tensor.strides[axis] != expected) {
        return refuse(call, KernelStatus::kBadLayout,
                      "%s: expected row-major strides, %" PRId64 " on axis %d, found %" PRId64,
                      operand.name, expected, axis, tensor.strides[axis]);
      }
      expected *= tensor.shape[axis];
    }
  }
  if (tensor.data == nullptr) {
    return refuse(call, KernelStatus::kBadDevice,
                  "%s: expected data for %" PRId64 " elements, found a null pointer", operand.name,
                  elements);
  }
  return KernelStatus::kOk;
}

KernelStatus read_parameters(KernelCall& call, std::span<const ParameterRule> rules,
                             std::span<std::int64_t> values) {
  for (const KernelParameter& parameter : call.parameters) {
    if (is_known(rules, parameter.name)) continue;
    const char* name = parameter.name == nullptr ? "a null name" : parameter.name;
    return refuse(call, KernelStatus::kBadParameter,
                  "parameters: expected only those of this kernel, found '%.80s' with value "
                  "%" PRId64,
                  name, parameter.value);
  }
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const int found = find_parameter(call, rules[i].name, values[i]);
    if (found != 1) {
      return refuse(call, KernelStatus::kBadParameter,
                    "%s: expected this parameter once, found it %d times", rules[i].name, found);
    }
    if (values[i] < rules[i].least) {
      return refuse(call, KernelStatus::kBadParameter,
                    "%s: expected %" PRId64 " or more, found %" PRId64, rules[i].name,
                    rules[i].least, values[i]);
    }
  }
  return KernelStatus::kOk;
}

}  // namespace assay
