// What tests of kernels on tensors share: dense tensors, and calling a kernel on them.
#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "contracts/dtype.h"
#include "kernels/registry.h"

namespace assay::testing {

/// A contiguous row-major tensor and its memory, zero at first.
class Dense {
 public:
  Dense(Dtype dtype, std::vector<std::int64_t> shape) : dtype_(dtype), shape_(std::move(shape)) {
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape_) elements *= extent;
    bytes_.resize(static_cast<std::size_t>(elements * traits(dtype).bytes()));
  }

  Dtype dtype() const { return dtype_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  std::size_t element_bytes() const { return static_cast<std::size_t>(traits(dtype_).bytes()); }
  std::size_t elements() const { return bytes_.size() / element_bytes(); }
  std::vector<std::byte>& bytes() { return bytes_; }
  const std::vector<std::byte>& bytes() const { return bytes_; }

  Bits get(std::size_t i) const {
    Bits bits = 0;
    std::memcpy(&bits, &bytes_.at(i * element_bytes()), element_bytes());
    return bits;
  }
  void set(std::size_t i, Bits bits) {
    std::memcpy(&bytes_.at(i * element_bytes()), &bits, element_bytes());
  }
  Dense& fill(const std::vector<Bits>& elements) {
    if (elements.size() != this->elements()) throw std::runtime_error("another number of elements");
    for (std::size_t i = 0; i < elements.size(); ++i) set(i, elements[i]);
    return *this;
  }

  /// The tensor at `data`, or at its own memory. Valid while this object is.
  DLTensor view(void* data) const {
    return {data,
            {kDLCPU, 0},
            static_cast<int>(shape_.size()),
            to_dlpack(dtype_),
            const_cast<std::int64_t*>(shape_.data()),
            nullptr,
            0};
  }
  DLTensor view() const { return view(const_cast<std::byte*>(bytes_.data())); }

 private:
  Dtype dtype_;
  std::vector<std::int64_t> shape_;
  std::vector<std::byte> bytes_;
};

/// Runs one variant; the reply is in `call`.
inline KernelStatus run(KernelFunction function, const std::vector<Dense>& inputs, Dense& out,
                        const std::vector<KernelParameter>& parameters, KernelCall& call) {
  std::vector<DLTensor> in;
  for (const Dense& input : inputs) in.push_back(input.view());
  DLTensor output = out.view();
  call.inputs = in;
  call.outputs = {&output, 1};
  call.parameters = parameters;
  const KernelStatus status = function(call);
  call.inputs = {};
  call.outputs = {};
  call.parameters = {};
  return status;
}

/// The index of the first element that differs, with both patterns; empty where none does.
inline std::string first_difference(const Dense& expected, const Dense& got) {
  for (std::size_t i = 0; i < expected.elements(); ++i) {
    if (expected.get(i) == got.get(i)) continue;
    return "element " + std::to_string(i) + ": " + hex(got.get(i), got.dtype()) + " for " +
           hex(expected.get(i), expected.dtype());
  }
  return "";
}

/// How the elements of a tensor are drawn.
enum class Values {
  kPatterns,  ///< any bit pattern: NaNs, infinities and subnormals among them
  kWide,      ///< finite, signs and exponents of every size
  kNear,      ///< magnitudes from 1 to 2, some zeros of either sign: sums that round and cancel
  kTiny,      ///< subnormals and the least normal numbers, and some large ones to multiply them
};

inline Bits draw(Values values, Dtype dtype, std::mt19937_64& random) {
  const DtypeTraits& row = traits(dtype);
  const Bits bits = random() & row.all_mask();
  const Bits sign = bits & row.sign_mask();
  const Bits fraction = bits & row.fraction_mask();
  switch (values) {
    case Values::kPatterns:
      // One in eight special: random patterns of wide formats are seldom.
      if (random() % 8 != 0) return bits;
      if (random() % 2 == 0) return sign | row.infinity() | (random() % 2 == 0 ? 0 : fraction);
      return sign | (random() % 2 == 0 ? 0 : fraction);
    case Values::kWide:
      return row.is_finite(bits) ? bits : sign | row.max_finite();
    case Values::kNear:
      return random() % 16 == 0 ? sign : sign | row.one() | fraction;
    case Values::kTiny:
      if (random() % 3 == 0) return sign | (row.one() + (random() % 4 << row.fraction_bits()));
      return sign | (random() % 2 << row.fraction_bits()) | fraction;
  }
  return 0;
}

inline void draw_all(Dense& tensor, Values values, std::mt19937_64& random) {
  for (std::size_t i = 0; i < tensor.elements(); ++i) {
    tensor.set(i, draw(values, tensor.dtype(), random));
  }
}

inline constexpr Values kAllValues[] = {Values::kPatterns, Values::kWide, Values::kNear,
                                        Values::kTiny};

}  // namespace assay::testing
