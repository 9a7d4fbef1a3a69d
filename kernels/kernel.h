// Kernels: something callable for one dtype signature, in one or more variants.
//
// Tensors are DLPack `DLTensor`s in host memory. A kernel checks its arguments, writes all of its
// outputs or refuses with a status and a message and writes nothing.
#pragma once

#include <dlpack/dlpack.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/dtype.h"

namespace assay {

enum class KernelStatus : std::int32_t {
  kOk = 0,
  kBadArity,   ///< another number of inputs, outputs or parameters than the kernel takes
  kBadDevice,  ///< a tensor outside host memory, or a null data pointer with elements
  kBadDtype,   ///< a dtype that the kernel does not take
  kBadLayout,  ///< not contiguous row-major with byte_offset 0
  kBadShape,   ///< a negative extent, or an output shape that does not fit the inputs'
  kFailed,     ///< for a reason of its own, or its library cannot be loaded
};

/// A scalar parameter of an operation (stride, padding …). Casts have none.
struct KernelParameter {
  const char* name;
  std::int64_t value;
};

/// One call: arguments in, and the kernel's reply.
struct KernelCall {
  std::span<const DLTensor> inputs;
  std::span<DLTensor> outputs;  ///< allocated by the caller from the contract's shape rule
  std::span<const KernelParameter> parameters;

  /// Reply: the variant that ran, set by the code of that variant itself. A caller that asked for
  /// another one must treat the result as an error. A pointer to a string of static duration.
  const char* ran = nullptr;
  /// Reply: why the call was refused; empty on success.
  char message[200] = {};
};

using KernelFunction = KernelStatus (*)(KernelCall&);

struct KernelVariant {
  std::string name;                   ///< "scalar", or a Highway target's name ("AVX2")
  KernelFunction function = nullptr;  ///< of a kernel that is part of this program

  // Else: where it is. The library is loaded by the first call in a process.
  std::string library = {};  ///< path of a shared library (abi/assay_kernels.h)
  std::uint32_t index = 0;   ///< row of its table
  bool threads = false;      ///< has threads of its own

  KernelStatus operator()(KernelCall& call) const;
};

struct Kernel {
  std::string entry_point;  ///< the name that contracts use
  std::vector<Dtype> inputs;
  std::vector<Dtype> outputs;
  std::vector<KernelVariant> variants;  ///< scalar first, then narrow to wide
  /// What loading the library did to the floating-point environment of the process; empty if
  /// nothing.
  std::string load_effect = {};

  /// The variant of this name, or nullptr.
  const KernelVariant* variant(std::string_view name) const;
};

/// The DLPack type of a dtype.
DLDataType to_dlpack(Dtype dtype);

std::string_view to_string(KernelStatus status);

}  // namespace assay
