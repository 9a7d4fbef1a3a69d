// Kernels in C++: u32 to f32 and to f64, by the language's conversions. From the source folder:
//   c++ -std=c++20 -O2 -fPIC -shared -I kernels/abi kernels/abi/examples/cast_u32.cpp -o build/my.so
//   assay audit contracts/reference/cast.fkc.md --only 'cast_u32*' --kernels build/my.so
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "assay_kernels.h"

namespace {
int refuse(const assay_call& call, int status, const char* what) {
  std::strncpy(call.message, what, static_cast<std::size_t>(call.message_size) - 1);
  return status;
}

bool dense(const DLTensor& t) {
  std::int64_t step = 1;
  for (int axis = t.ndim - 1; axis >= 0 && t.strides != nullptr; --axis) {
    if (t.shape[axis] != 1 && t.strides[axis] != step) return false;
    step *= t.shape[axis];
  }
  return t.byte_offset == 0 && t.device.device_type == kDLCPU;
}

template <class To>
constexpr DLDataType kFloat = {kDLFloat, 8 * sizeof(To), 1};
constexpr DLDataType kU32 = {kDLUInt, 32, 1};

template <class To>
std::int32_t cast(const assay_call* call) {
  if (call->input_count != 1 || call->output_count != 1 || call->parameter_count != 0)
    return refuse(*call, ASSAY_BAD_ARITY, "expected one input, one output and no parameter");
  const DLTensor &x = call->inputs[0], &y = call->outputs[0];
  if (std::memcmp(&x.dtype, &kU32, sizeof(kU32)) != 0 ||
      std::memcmp(&y.dtype, &kFloat<To>, sizeof(kU32)) != 0)
    return refuse(*call, ASSAY_BAD_DTYPE, "expected u32 as input and a float as output");
  if (!std::equal(x.shape, x.shape + x.ndim, y.shape, y.shape + y.ndim))
    return refuse(*call, ASSAY_BAD_SHAPE, "expected equal shapes");
  std::int64_t n = 1;
  for (int axis = 0; axis < x.ndim; ++axis) n *= x.shape[axis];
  if (!dense(x) || !dense(y)) return refuse(*call, ASSAY_BAD_LAYOUT, "expected dense tensors");
  const auto* from = static_cast<const std::uint32_t*>(x.data);
  auto* to = static_cast<To*>(y.data);
  for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<To>(from[i]);
  return ASSAY_OK;
}

constexpr assay_kernel kKernels[] = {{"fuel_reference_backend::ops::cast_u32_to_f32", "example",
                                      &kU32, &kFloat<float>, 1, 1, 0, cast<float>},
                                     {"fuel_reference_backend::ops::cast_u32_to_f64", "example",
                                      &kU32, &kFloat<double>, 1, 1, 0, cast<double>}};
constexpr assay_kernel_list kList = {ASSAY_KERNELS_ABI_VERSION, 2, kKernels};
}  // namespace

const assay_kernel_list* assay_kernel_table() {
  return &kList;
}
