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
  kBadShape,   ///< a rank or extent that the kernel does not take or that does not fit the others
  kFailed,     ///< for a reason of its own, or its library cannot be loaded
  kBadParameter,  ///< a parameter missing, unknown, given twice, or of a value out of its range
};

/// A scalar parameter of an operation (stride, padding …), under the name that the contract's
/// op_params give it; a pair of the axes (h, w) is two parameters, `stride_h` and `stride_w`. Casts
/// have none.
struct KernelParameter {
  const char* name;
  std::int64_t value;
};

/// One call: arguments in, and the kernel's reply.
struct KernelCall {
  std::span<const DLTensor> inputs;  ///< in the contract's order, without optional ones left out
  std::span<DLTensor> outputs;       ///< allocated by the caller from the contract's shape rule
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

  /// The last of `inputs`, this many, can be left out of a call.
  std::size_t optional_inputs = 0;
  /// Names of the parameters: a call gives each once, in any order, and none besides.
  std::vector<std::string> parameters = {};
  /// Other symbols of the same kernel, which the registry finds it by as well: those that a
  /// contract's fan-out over dtypes makes of an entry point that names a dtype already.
  std::vector<std::string> aliases = {};

  /// The variant of this name, or nullptr.
  const KernelVariant* variant(std::string_view name) const;
};

/// The DLPack type of a dtype.
DLDataType to_dlpack(Dtype dtype);

std::string_view to_string(KernelStatus status);

}  // namespace assay
