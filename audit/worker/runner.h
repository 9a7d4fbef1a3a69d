// Calls one variant of a cast kernel on dense one-dimensional tensors, and checks what every call
// must keep.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "audit/worker/fp_environment.h"
#include "audit/worker/tensor_description.h"
#include "kernels/kernel.h"

namespace assay {

enum class CallFault : std::uint8_t {
  kNone,
  kRefused,       ///< a status other than ok for valid arguments
  kWrongVariant,  ///< another variant ran than the one asked for
};

/// What calls did to the floating-point environment. Threads may share one.
class EnvironmentLog {
 public:
  /// Compares the environment after a call with the one before, and restores that.
  void check(const FpEnvironment& before);

  /// Takes over the calls of another log that changed the environment, and those only: for calls
  /// whose number depends on the machine's speed.
  void add_changes(const EnvironmentLog& other);

  std::uint64_t calls() const { return calls_.load(); }
  std::uint64_t changes() const { return changes_.load(); }
  const std::string& first_change() const { return first_change_; }

 private:
  std::atomic<std::uint64_t> calls_{0};
  std::atomic<std::uint64_t> changes_{0};
  std::string first_change_;  ///< written by the call that makes `changes_` 1, read afterwards
};

class CastRunner {
 public:
  /// Calls are entered in `log`, which must outlive the runner.
  CastRunner(const Kernel& kernel, const KernelVariant& variant, EnvironmentLog& log);

  /// Converts n elements. The floating-point environment is compared with that of construction
  /// after the call, recorded in the log and restored.
  CallFault call(const void* in, void* out, std::size_t n);

  Dtype from() const { return from_; }
  Dtype to() const { return to_; }

  /// What the last call changed in the description of its input.
  TensorDescription::Changes input_changes() const;

  /// For a fault: the kernel's status and message, or the variant that ran.
  const std::string& fault() const { return fault_; }

 private:
  const KernelVariant& variant_;
  Dtype from_;
  Dtype to_;
  EnvironmentLog& log_;
  FpEnvironment environment_;
  const void* in_data_ = nullptr;
  std::int64_t elements_ = 0;
  std::int64_t in_shape_ = 0;
  std::int64_t out_shape_ = 0;
  DLTensor in_{};
  DLTensor out_{};
  KernelCall call_;
  std::string fault_;
};

/// A dense tensor description over caller-owned memory; `shape` must outlive it.
DLTensor dense_tensor(const void* data, Dtype dtype, std::int64_t* shape, int rank);

}  // namespace assay
