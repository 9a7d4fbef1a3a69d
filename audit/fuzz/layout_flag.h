// Which flag of a contract's layout speaks of a tensor with given strides.
#pragma once

#include <cstdint>
#include <vector>

#include "contracts/fkc/document.h"

namespace assay::fuzz {

/// Whether strides, in elements, are those of a dense row-major tensor. Axes of one element have no
/// say, and in a tensor without elements none has.
inline bool is_dense(const std::vector<std::int64_t>& shape,
                     const std::vector<std::int64_t>& strides) {
  std::int64_t due = 1;
  for (const std::int64_t extent : shape) {
    if (extent == 0) return true;
  }
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (shape[axis] > 1 && strides[axis] != due) return false;
    due *= shape[axis];
  }
  return true;
}

/// Of a tensor that is not dense. Where two flags bear on it, one that rejects it decides.
inline fkc::LayoutFlag flag_of(const fkc::Layout& layout, const std::vector<std::int64_t>& shape,
                               const std::vector<std::int64_t>& strides) {
  bool zero = false;
  bool back = false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] <= 1) continue;
    zero = zero || strides[axis] == 0;
    back = back || strides[axis] < 0;
  }
  if (zero && layout.broadcast_stride0 == fkc::LayoutFlag::kRejected) {
    return fkc::LayoutFlag::kRejected;
  }
  if (back) return layout.reverse_strides;
  return zero ? layout.broadcast_stride0 : layout.strided;
}

}  // namespace assay::fuzz
