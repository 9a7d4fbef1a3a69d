// What every variant of a cast does around its loop: check the arguments, run, sign the reply.
#pragma once

#include <cstddef>

#include "contracts/dtype.h"
#include "kernels/kernel.h"

namespace assay {

/// Converts `n` elements. The pointers may have any alignment; the ranges do not overlap.
using CastLoop = void (*)(const std::byte* in, std::byte* out, std::size_t n);

/// Checks the arguments of a cast from `source` to `destination`. On success sets `elements`; else
/// fills `call.message` with the operand, what was expected and what was found.
///
/// Accepted: one input and one output of equal shape in host memory, contiguous row-major (strides
/// null or the row-major ones; the stride of an axis of extent 1 is free, and all are where the
/// tensor has no elements), byte_offset 0, data null only without elements, any rank.
KernelStatus check_cast(KernelCall& call, Dtype source, Dtype destination, std::size_t& elements);

/// Checks the arguments, runs `loop` and on success sets `call.ran` to `variant`. A refused call
/// leaves the output untouched and `call.ran` null.
KernelStatus run_cast(KernelCall& call, Dtype source, Dtype destination, const char* variant,
                      CastLoop loop);

}  // namespace assay
