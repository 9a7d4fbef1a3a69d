// What every variant of a pooling kernel does around its loop: check the arguments, run, sign the
// reply.
#pragma once

#include <cstddef>
#include <cstdint>

#include "contracts/dtype.h"
#include "kernels/arguments.h"
#include "kernels/kernel.h"

namespace assay::pool {

/// A pooling whose arguments have been checked. Extents and steps in elements.
struct Plan {
  std::int64_t planes;  ///< N * C
  std::int64_t height;
  std::int64_t width;
  std::int64_t out_height;
  std::int64_t out_width;
  std::int64_t kernel;
  std::int64_t stride;
  const std::byte* x;
  std::byte* out;
};

/// Computes every output of a plan, of which there is one at least. Addresses may have any
/// alignment; the output does not overlap the input.
using Loop = void (*)(const Plan&);

/// Checks all arguments of a pooling in `dtype` and fills `plan`; else fills `call.message` with
/// the operand or parameter, what was expected and what was found. pool.h says what is refused.
KernelStatus check(KernelCall& call, Dtype dtype, Plan& plan);

/// Checks the arguments, runs `loop` and on success sets `call.ran` to `variant`. A refused call
/// leaves the output untouched and `call.ran` null.
KernelStatus run(KernelCall& call, Dtype dtype, const char* variant, Loop loop);

/// What the kernel takes as parameters, with the least values.
inline constexpr ParameterRule kRules[] = {{"kernel_size", 1}, {"stride", 1}};

}  // namespace assay::pool
