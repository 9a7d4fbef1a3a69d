// What tests of kernels share: calling one on plain memory, and sets of probing bit patterns.
#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/dtype.h"
#include "kernels/registry.h"

namespace assay::testing {

/// A one-dimensional contiguous tensor over the caller's memory.
struct Tensor {
  Tensor(void* data, Dtype dtype, std::int64_t elements)
      : extent(elements), view{data, {kDLCPU, 0}, 1, to_dlpack(dtype), &extent, nullptr, 0} {}
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  std::int64_t extent;
  DLTensor view;
};

/// Runs one variant over `n` elements; the reply is in `call`.
inline KernelStatus run(KernelFunction function, const Kernel& kernel, const void* in, void* out,
                        std::size_t n, KernelCall& call) {
  const Tensor input(const_cast<void*>(in), kernel.inputs[0], static_cast<std::int64_t>(n));
  Tensor output(out, kernel.outputs[0], static_cast<std::int64_t>(n));
  call.inputs = {&input.view, 1};
  call.outputs = {&output.view, 1};
  const KernelStatus status = function(call);
  call.inputs = {};
  call.outputs = {};
  return status;
}

/// The elements' bytes of a kernel's input and output.
inline std::size_t in_bytes(const Kernel& kernel) {
  return static_cast<std::size_t>(traits(kernel.inputs[0]).bytes());
}
inline std::size_t out_bytes(const Kernel& kernel) {
  return static_cast<std::size_t>(traits(kernel.outputs[0]).bytes());
}

/// The result for one element, or all ones (which no cast gives for the inputs of these tests)
/// where the call fails.
inline Bits convert_one(KernelFunction function, const Kernel& kernel, Bits bits) {
  Bits result = 0;
  KernelCall call;
  if (run(function, kernel, &bits, &result, 1, call) != KernelStatus::kOk) return ~Bits{0};
  return result;
}

/// The name is passed by value: g++ 14 suspects a result of referring to a temporary name.
inline const Kernel& kernel_named(const Registry& registry, std::string_view cast) {
  const Kernel* kernel = registry.find("fuel_reference_backend::ops::cast_" + std::string(cast));
  if (kernel == nullptr) throw std::runtime_error("no kernel for " + std::string(cast));
  return *kernel;
}

/// Bit patterns of `dtype`, packed: every pattern of 16 bits; of wider formats every upper half
/// (16 bits), each with `per_upper` lower halves: zero, ones, each single bit, each single bit
/// taken from all ones, and seeded random ones.
inline std::vector<std::byte> stratified(Dtype dtype, int per_upper) {
  const std::size_t bytes = static_cast<std::size_t>(traits(dtype).bytes());
  const int lower_width = traits(dtype).width - 16;
  const Bits lower_mask = (Bits{1} << lower_width) - 1;
  std::mt19937_64 random(20261130);
  std::vector<Bits> fixed = {0, lower_mask};
  for (int bit = 0; bit < lower_width; ++bit) {
    fixed.push_back(Bits{1} << bit);
    fixed.push_back(lower_mask ^ (Bits{1} << bit));
    fixed.push_back((Bits{1} << bit) | 1);
  }
  const int lowers = lower_width == 0 ? 1 : per_upper;
  std::vector<std::byte> all(bytes * 65536u * static_cast<std::size_t>(lowers));
  std::byte* next = all.data();
  for (Bits upper = 0; upper < 65536; ++upper) {
    for (int i = 0; i < lowers; ++i) {
      const std::size_t index = static_cast<std::size_t>(i);
      const Bits lower = index < fixed.size() ? fixed[index] : random() & lower_mask;
      const Bits bits = (upper << lower_width) | lower;
      std::memcpy(next, &bits, bytes);
      next += bytes;
    }
  }
  return all;
}

}  // namespace assay::testing
