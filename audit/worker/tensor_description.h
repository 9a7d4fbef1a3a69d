// What a tensor's description said before a call, to be compared with what it says afterwards.
#pragma once

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace assay {

/// A copy of everything that a `DLTensor` says. The description is the caller's: a kernel may
/// change nothing of it.
class TensorDescription {
 public:
  struct Changes {
    bool dtype = false;
    bool shape = false;   ///< rank, extents, or where they are kept
    bool layout = false;  ///< strides, offset, data pointer, device

    bool any() const { return dtype || shape || layout; }
  };

  explicit TensorDescription(const DLTensor& tensor)
      : tensor_(tensor), shape_(tensor.shape, tensor.shape + tensor.ndim) {
    if (tensor.strides != nullptr) strides_.assign(tensor.strides, tensor.strides + tensor.ndim);
  }

  /// What is different in `now`, the same object after the call.
  Changes changes(const DLTensor& now) const {
    Changes result;
    result.dtype = now.dtype.code != tensor_.dtype.code || now.dtype.bits != tensor_.dtype.bits ||
                   now.dtype.lanes != tensor_.dtype.lanes;
    // What the old pointers point to: the memory is the caller's, whatever they were set to.
    result.shape = now.ndim != tensor_.ndim || now.shape != tensor_.shape ||
                   !std::equal(shape_.begin(), shape_.end(), tensor_.shape);
    result.layout = now.data != tensor_.data || now.strides != tensor_.strides ||
                    now.byte_offset != tensor_.byte_offset ||
                    now.device.device_type != tensor_.device.device_type ||
                    now.device.device_id != tensor_.device.device_id ||
                    !std::equal(strides_.begin(), strides_.end(), tensor_.strides);
    return result;
  }

 private:
  DLTensor tensor_;
  std::vector<std::int64_t> shape_;
  std::vector<std::int64_t> strides_;
};

}  // namespace assay
