// A call described anew, for faults that accept what a kernel has to refuse: they put another
// description of the same memory before the real checks.
#pragma once

#include <deque>
#include <string_view>
#include <tuple>
#include <vector>

#include "kernels/kernel.h"
#include "kernels/mutants/mutant_kernel.h"

namespace assay::mutants {

class Restated {
 public:
  explicit Restated(KernelCall& call)
      : inputs(call.inputs.begin(), call.inputs.end()),
        outputs(call.outputs.begin(), call.outputs.end()),
        parameters(call.parameters.begin(), call.parameters.end()),
        call_(call) {}
  Restated(const Restated&) = delete;
  Restated& operator=(const Restated&) = delete;

  /// Whether there is an output and this many inputs or more.
  bool has(std::size_t least_inputs) const {
    return inputs.size() >= least_inputs && outputs.size() == 1;
  }

  /// Gives a tensor of this class another shape. It fits the memory if it has no more elements.
  void reshape(DLTensor& tensor, std::vector<std::int64_t> shape) {
    shapes_.push_back(std::move(shape));
    tensor.ndim = static_cast<int>(shapes_.back().size());
    tensor.shape = shapes_.back().data();
  }

  /// The value of the first parameter of this name, or null.
  std::int64_t* parameter(std::string_view name) {
    for (KernelParameter& p : parameters) {
      if (p.name != nullptr && p.name == name) return &p.value;
    }
    return nullptr;
  }

  /// What `function` makes of the call as it is described here.
  template <class Function>
  KernelStatus run(Function function) {
    const auto asked = std::tuple(call_.inputs, call_.outputs, call_.parameters);
    call_.inputs = inputs;
    call_.outputs = outputs;
    call_.parameters = parameters;
    const KernelStatus status = function(call_);
    std::tie(call_.inputs, call_.outputs, call_.parameters) = asked;
    return status;
  }

  /// As run(), but a call that is refused for its shapes is accepted with nothing written.
  template <class Function>
  KernelStatus run_or_do_nothing(Function function) {
    const KernelStatus status = run(function);
    if (status != KernelStatus::kBadShape) return status;
    call_.message[0] = '\0';
    call_.ran = kMutant;
    return KernelStatus::kOk;
  }

  std::vector<DLTensor> inputs;
  std::vector<DLTensor> outputs;
  std::vector<KernelParameter> parameters;

 private:
  KernelCall& call_;
  std::deque<std::vector<std::int64_t>> shapes_;
};

/// Whether the tensor has `rank` axes with extents that multiply without overflow.
inline bool is_small(const DLTensor& tensor, int rank) {
  if (tensor.ndim != rank || tensor.shape == nullptr) return false;
  for (int axis = 0; axis < rank; ++axis) {
    if (tensor.shape[axis] < 0 || tensor.shape[axis] > 4096) return false;
  }
  return true;
}

inline std::vector<std::int64_t> shape_of(const DLTensor& tensor) {
  return {tensor.shape, tensor.shape + tensor.ndim};
}

}  // namespace assay::mutants
