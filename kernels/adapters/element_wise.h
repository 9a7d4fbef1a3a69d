// What the adapters of casts share: how a call's element-wise conversion is checked and run.
//
// An adapter is a plugin around somebody else's conversion. All that is ours in it is here: the
// checks of the call, and the loop's ends; what is converted, and how, is theirs.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/abi/assay_kernels.h"

namespace assay_adapters {

// Element formats: what holds an element, and what DLPack calls it.
struct F64 {
  using Element = double;
  static constexpr DLDataType kDtype = {kDLFloat, 64, 1};
};
struct F32 {
  using Element = float;
  static constexpr DLDataType kDtype = {kDLFloat, 32, 1};
};
struct F16 {
  using Element = std::uint16_t;  ///< the bits
  static constexpr DLDataType kDtype = {kDLFloat, 16, 1};
};
struct BF16 {
  using Element = std::uint16_t;  ///< the bits
  static constexpr DLDataType kDtype = {kDLBfloat, 16, 1};
};
struct U32 {
  using Element = std::uint32_t;
  static constexpr DLDataType kDtype = {kDLUInt, 32, 1};
};

/// Fills the call's message and returns `status`.
inline std::int32_t refuse(const assay_call& call, std::int32_t status, const char* what) {
  std::strncpy(call.message, what, static_cast<std::size_t>(call.message_size) - 1);
  return status;
}

/// Elements of a tensor; 0 where one of its extents is.
inline std::int64_t elements(const DLTensor& tensor) {
  std::int64_t count = 1;
  for (int axis = 0; axis < tensor.ndim; ++axis) count *= tensor.shape[axis];
  return count;
}

/// Whether the elements lie in row-major order without gaps, from the start of the buffer on. The
/// stride of an axis of extent 1 is free, and all are where there are no elements.
inline bool is_dense(const DLTensor& tensor) {
  if (tensor.byte_offset != 0) return false;
  if (tensor.strides == nullptr || elements(tensor) == 0) return true;
  std::int64_t step = 1;
  for (int axis = tensor.ndim - 1; axis >= 0; --axis) {
    if (tensor.shape[axis] != 1 && tensor.strides[axis] != step) return false;
    step *= tensor.shape[axis];
  }
  return true;
}

inline bool same_dtype(const DLDataType& a, const DLDataType& b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

/// ASSAY_OK for a dense tensor of this dtype in host memory, with data where it has elements; else
/// refuses the call.
inline std::int32_t check_tensor(const assay_call& call, const DLTensor& tensor,
                                 const DLDataType& dtype) {
  if (!same_dtype(tensor.dtype, dtype)) {
    return refuse(call, ASSAY_BAD_DTYPE, "a tensor has another dtype than the entry point says");
  }
  if (tensor.device.device_type != kDLCPU || (tensor.data == nullptr && elements(tensor) > 0)) {
    return refuse(call, ASSAY_BAD_DEVICE, "a tensor is not in host memory");
  }
  if (!is_dense(tensor)) {
    return refuse(call, ASSAY_BAD_LAYOUT, "a tensor is not dense and row-major from its start");
  }
  return ASSAY_OK;
}

/// A conversion of `count` elements, 1 or more.
template <class From, class To>
using Conversion = void (*)(const typename From::Element* from, typename To::Element* to,
                            std::int64_t count);

/// The kernel around a conversion.
template <class From, class To, Conversion<From, To> convert>
std::int32_t cast(const assay_call* call) {
  if (call->input_count != 1 || call->output_count != 1 || call->parameter_count != 0) {
    return refuse(*call, ASSAY_BAD_ARITY, "expected one input, one output and no parameter");
  }
  const DLTensor& from = call->inputs[0];
  const DLTensor& to = call->outputs[0];
  std::int32_t status = check_tensor(*call, from, From::kDtype);
  if (status == ASSAY_OK) status = check_tensor(*call, to, To::kDtype);
  if (status != ASSAY_OK) return status;
  bool same = from.ndim == to.ndim;
  for (int axis = 0; same && axis < from.ndim; ++axis) same = from.shape[axis] == to.shape[axis];
  if (!same) return refuse(*call, ASSAY_BAD_SHAPE, "expected an output of the input's shape");
  const std::int64_t count = elements(from);
  if (count > 0) {
    convert(static_cast<const typename From::Element*>(from.data),
            static_cast<typename To::Element*>(to.data), count);
  }
  return ASSAY_OK;
}

/// The table's row of a cast.
template <class From, class To, Conversion<From, To> convert>
constexpr assay_kernel cast_row(const char* entry_point, const char* variant,
                                std::uint32_t flags = 0) {
  return {entry_point, variant, &From::kDtype, &To::kDtype, 1, 1, flags, cast<From, To, convert>};
}

/// The table of these rows.
template <std::uint32_t kCount>
constexpr assay_kernel_list list_of(const assay_kernel (&rows)[kCount]) {
  return {ASSAY_KERNELS_ABI_VERSION, kCount, rows};
}

/// Runs `step(from, to)`, which converts `kLanes` elements at those addresses, over all elements.
/// The last ones go through a block of their own, so that nothing outside the tensors is touched.
template <std::int64_t kLanes, class FromElement, class ToElement, class Step>
inline __attribute__((always_inline)) void in_blocks(const FromElement* from, ToElement* to,
                                                     std::int64_t count, Step step) {
  std::int64_t at = 0;
  for (; at + kLanes <= count; at += kLanes) step(from + at, to + at);
  if (at == count) return;
  FromElement last_from[kLanes] = {};
  ToElement last_to[kLanes];
  const auto left = static_cast<std::size_t>(count - at);
  std::memcpy(last_from, from + at, left * sizeof(FromElement));
  step(last_from, last_to);
  std::memcpy(to + at, last_to, left * sizeof(ToElement));
}

}  // namespace assay_adapters
