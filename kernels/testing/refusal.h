// Valid calls for tests of refusals to spoil, and the check of what comes of that.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "contracts/testing/catch.h"
#include "kernels/testing/dense.h"

namespace assay::testing {

/// A call with everything in reach. Tensors carry their row-major strides, for a test to change.
struct Arguments {
  Arguments(std::vector<Dense> in, Dense result, std::vector<KernelParameter> named)
      : parameters(std::move(named)), in_(std::move(in)), out_(std::move(result)) {
    shapes.resize(in_.size() + 1);
    strides.resize(in_.size() + 1);
    std::fill(out_.bytes().begin(), out_.bytes().end(), std::byte{0x5a});
    for (Dense& input : in_) {
      for (std::size_t i = 0; i < input.elements(); ++i) input.set(i, traits(input.dtype()).one());
      inputs.push_back(described(inputs.size(), input));
    }
    outputs.push_back(described(in_.size(), out_));
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  std::vector<std::vector<std::int64_t>> shapes;   ///< of the inputs, then the output
  std::vector<std::vector<std::int64_t>> strides;  ///< likewise
  std::vector<DLTensor> inputs;
  std::vector<DLTensor> outputs;
  std::vector<KernelParameter> parameters;

  /// The parameter of this name.
  std::int64_t& operator[](const std::string& name) {
    for (KernelParameter& parameter : parameters) {
      if (parameter.name == name) return parameter.value;
    }
    throw std::runtime_error("no parameter " + name);
  }

  KernelStatus run(KernelFunction function, KernelCall& call) {
    call.inputs = inputs;
    call.outputs = outputs;
    call.parameters = parameters;
    return function(call);
  }

  bool output_untouched() const {
    return std::all_of(out_.bytes().begin(), out_.bytes().end(),
                       [](std::byte b) { return b == std::byte{0x5a}; });
  }

 private:
  DLTensor described(std::size_t index, const Dense& tensor) {
    shapes[index] = tensor.shape();
    strides[index].resize(shapes[index].size());
    std::int64_t stride = 1;
    for (std::size_t axis = shapes[index].size(); axis-- > 0;) {
      strides[index][axis] = stride;
      stride *= shapes[index][axis];
    }
    DLTensor view = tensor.view();
    view.shape = shapes[index].data();
    view.strides = strides[index].data();
    return view;
  }

  std::vector<Dense> in_;
  Dense out_;
};

/// One way to spoil a call, and the reply that is due.
struct Refusal {
  const char* what;
  std::function<void(Arguments&)> spoil;
  KernelStatus status;
  std::string message;
};

/// Checks the reply of one variant to a call that `refusal` has spoiled.
inline void check_refusal(const KernelVariant& variant, Arguments& arguments,
                          const Refusal& refusal) {
  refusal.spoil(arguments);
  KernelCall call;
  call.ran = "left from before";
  INFO(variant.name << ": " << refusal.what);
  CHECK(arguments.run(variant.function, call) == refusal.status);
  CHECK(std::string(call.message) == refusal.message);
  CHECK(call.ran == nullptr);
  CHECK(arguments.output_untouched());
}

}  // namespace assay::testing
