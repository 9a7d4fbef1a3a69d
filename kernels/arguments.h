// Checks of a call's arguments that all kernel families share. Each returns kOk, or fills
// `call.message` with the operand or parameter, what was expected and what was found.
#pragma once

#include <cstdint>
#include <span>

#include "contracts/dtype.h"
#include "kernels/kernel.h"

namespace assay {

/// Fills `call.message` and returns `status`.
[[gnu::format(printf, 3, 4)]] KernelStatus refuse(KernelCall& call, KernelStatus status,
                                                  const char* format, ...);

/// One tensor of a call, and what the kernel takes for it.
struct Operand {
  const DLTensor* tensor;
  const char* name;  ///< as messages call it
  Dtype dtype;
};

/// The operand by itself, without its layout: in host memory, of the dtype, with a rank and extents
/// of 0 or more, and of no more bytes than a pointer difference can express. Sets `elements`; an
/// extent of 0 makes it 0 whatever the other extents are.
KernelStatus check_operand(KernelCall& call, const Operand& operand, std::int64_t& elements);

/// That the operand, which check_operand() has passed, has `rank` axes.
KernelStatus check_rank(KernelCall& call, const Operand& operand, int rank);

/// Contiguous row-major (strides null or the row-major ones; the stride of an axis of extent 1 is
/// free, and all are where the tensor has no elements), byte_offset 0, data null only without
/// elements. `elements` is what check_operand() found.
KernelStatus check_layout(KernelCall& call, const Operand& operand, std::int64_t elements);

/// One scalar parameter that a kernel takes: its name, and the least value that it can have.
struct ParameterRule {
  const char* name;
  std::int64_t least;
};

/// Reads the parameters by name, in any order: each of `rules` exactly once, none besides, no value
/// below the rule's. `values` gets them in the order of `rules`, whose size it has.
KernelStatus read_parameters(KernelCall& call, std::span<const ParameterRule> rules,
                             std::span<std::int64_t> values);

}  // namespace assay
