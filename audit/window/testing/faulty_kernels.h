// What faulty kernels do to a call, for tests of the judges.
#pragma once

#include <cstddef>
#include <cstring>

#include "audit/window/testing/judged.h"

namespace assay::window::testing {

inline std::size_t element_bytes(const DLTensor& tensor) {
  return std::size_t{tensor.dtype.bits} / 8;
}

inline std::size_t elements_of(const DLTensor& tensor) {
  std::size_t count = 1;
  for (int axis = 0; axis < tensor.ndim; ++axis) {
    count *= static_cast<std::size_t>(tensor.shape[axis]);
  }
  return count;
}

inline unsigned char* bytes_of(const DLTensor& tensor) {
  return static_cast<unsigned char*>(tensor.data);
}

/// The byte at `at` is read, and written with what it holds.
inline void look(const unsigned char* at) {
  [[maybe_unused]] const unsigned char byte = *static_cast<const volatile unsigned char*>(at);
}
inline void touch(unsigned char* at) {
  volatile unsigned char* byte = at;
  *byte = *byte;
}
inline void flip(unsigned char* at) {
  volatile unsigned char* byte = at;
  *byte = static_cast<unsigned char>(*byte ^ 1);
}

/// Flips the lowest bit of a result, if there is that one.
inline void flip_result(KernelCall& call, std::size_t result = 0) {
  const DLTensor& out = call.outputs[0];
  if (result < elements_of(out)) flip(bytes_of(out) + result * element_bytes(out));
}

/// The value of a parameter, or `otherwise`.
inline std::int64_t parameter(const KernelCall& call, const char* name, std::int64_t otherwise) {
  for (const KernelParameter& candidate : call.parameters) {
    if (std::strcmp(candidate.name, name) == 0) return candidate.value;
  }
  return otherwise;
}

/// Carries the call out, and then `what`, if it was accepted.
template <class What>
KernelStatus afterwards(KernelCall& call, const What& what) {
  const KernelStatus status = real(call);
  if (status == KernelStatus::kOk) what();
  return status;
}

/// Answers ok, with nothing done, to what the real kernel refuses with a message that begins so.
inline const char* forgiven = "";
inline KernelStatus forgiving(KernelCall& call) {
  const KernelStatus status = real(call);
  if (status == KernelStatus::kOk ||
      std::strncmp(call.message, forgiven, std::strlen(forgiven)) != 0) {
    return status;
  }
  call.message[0] = '\0';
  call.ran = "scalar";
  return KernelStatus::kOk;
}

inline CallTally judge_forgiving(CallJudge judge, const Job& job, const char* message) {
  forgiven = message;
  return testing::judge(judge, job, forgiving);
}

/// Refuses everything; and refuses what the real kernel refuses, after writing to the output.
inline KernelStatus refuse_all(KernelCall& call) {
  std::strcpy(call.message, "not today");
  return KernelStatus::kFailed;
}
inline KernelStatus write_and_refuse(KernelCall& call) {
  const KernelStatus status = real(call);
  if (status != KernelStatus::kOk) flip(bytes_of(call.outputs[0]));
  return status;
}

}  // namespace assay::window::testing
