// Calls one variant of a cast kernel on dense one-dimensional tensors, and checks what every call
// must keep.
#pragma once

#include <cstdint>
#include <string>

#include "audit/worker/fp_environment.h"
#include "kernels/kernel.h"

namespace assay {

enum class CallFault : std::uint8_t {
  kNone,
  kRefused,       ///< a status other than ok for valid arguments
  kWrongVariant,  ///< another variant ran than the one asked for
};

class CastRunner {
 public:
  CastRunner(const Kernel& kernel, const KernelVariant& variant);

  /// Converts n elements. The floating-point environment is compared with that of construction
  /// after the call, recorded in `environment_changes()` and restored.
  CallFault call(const void* in, void* out, std::size_t n);

  Dtype from() const { return from_; }
  Dtype to() const { return to_; }

  std::uint64_t environment_changes() const { return environment_changes_; }
  const std::string& environment_change() const { return environment_change_; }
  /// For a fault: the kernel's status and message, or the variant that ran.
  const std::string& fault() const { return fault_; }

 private:
  const KernelVariant& variant_;
  Dtype from_;
  Dtype to_;
  FpEnvironment environment_;
  std::int64_t shape_ = 0;
  DLTensor in_{};
  DLTensor out_{};
  KernelCall call_;
  std::uint64_t environment_changes_ = 0;
  std::string environment_change_;
  std::string fault_;
};

/// A dense tensor description over caller-owned memory; `shape` must outlive it.
DLTensor dense_tensor(const void* data, Dtype dtype, std::int64_t* shape, int rank);

}  // namespace assay
