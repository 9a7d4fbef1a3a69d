// Calls of kernels with several tensors and parameters.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "audit/window/geometry.h"
#include "audit/window/values.h"
#include "audit/worker/buffer.h"
#include "audit/worker/runner.h"
#include "audit/worker/tensor_description.h"

namespace assay::window {

/// A tensor as a call describes it, over memory of the caller's.
struct TensorArgument {
  Dtype dtype = Dtype::kF32;
  Shape shape;
  Shape strides;  ///< in elements; empty: none given, that is, dense row-major
  std::uint64_t byte_offset = 0;
  unsigned char* data = nullptr;
};

struct Call {
  std::vector<TensorArgument> inputs;
  TensorArgument output;
  std::vector<KernelParameter> parameters;
};

/// The kernel's reply, and what it did to the descriptions that are the caller's.
struct Reply {
  CaughtSignal signal;  ///< of a call that caught them
  KernelStatus status = KernelStatus::kOk;
  std::string message;
  std::string ran;                            ///< the variant that ran, as the kernel says
  TensorDescription::Changes inputs_changed;  ///< of the first input that is described otherwise
  std::size_t first_changed = 0;              ///< which it is
  TensorDescription::Changes output_changed;
  double seconds = 0;  ///< elapsed in the call: a kernel may have threads of its own
};

/// Makes a call. The floating-point environment is compared with that before, entered in `log` and
/// restored. With `catching`, a memory fault or the like ends the call and is in the reply.
Reply make_call(const KernelVariant& variant, Call& call, EnvironmentLog& log, bool catching);

/// What a kernel did to the description of an input, in words; empty if nothing.
std::string description_change(const Operation& operation, const Reply& reply);
/// What a kernel did that wrote to an input, from `byte` of it on.
std::string element_change(const Operation& operation, std::size_t input, std::size_t byte);

/// A dense call of this geometry over no memory yet.
Call dense_call(const Operation& operation, const Geometry& geometry);

/// Makes valid dense calls, each tensor in pages of its own with room behind it.
class CaseRunner {
 public:
  /// All must outlive the runner.
  CaseRunner(const Operation& operation, const KernelVariant& variant, EnvironmentLog& log);

  /// One call; on success `results` are those of the output, row-major. The output holds a fixed
  /// pattern before the call. With `catching`, a memory fault or the like is a fault of the call.
  CallFault run(const Geometry& geometry, const Tensors& tensors, bool catching = false);

  const std::vector<Bits>& results() const { return results_; }
  const std::string& fault() const { return fault_; }  ///< in words
  /// What the kernel answered to the last call; kOk where the call did not end.
  KernelStatus status() const { return status_; }
  double seconds() const { return seconds_; }  ///< elapsed in the last call
  /// Whether the last call changed an input, or the description of one.
  bool inputs_changed() const { return !input_change_.empty(); }
  /// In which way, in words.
  const std::string& input_change() const { return input_change_; }

 private:
  unsigned char* room(std::size_t slot, std::size_t bytes);

  const Operation& operation_;
  const KernelVariant& variant_;
  EnvironmentLog& log_;
  std::vector<std::unique_ptr<GuardedPages>> pages_;
  std::vector<Bits> results_;
  std::string fault_;
  KernelStatus status_ = KernelStatus::kOk;
  double seconds_ = 0;
  std::string input_change_;
};

/// Why a reply to a valid call is a fault, or an empty string. Signals are not looked at.
std::string fault_of(const Reply& reply, const KernelVariant& variant, CallFault& fault);

}  // namespace assay::window
