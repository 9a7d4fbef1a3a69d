// Eigen's casts for one instruction set: what eigen_variant.cc defines, and eigen.cc lists.
#pragma once

#include <cstdint>

namespace assay_adapters {

/// Converts `count` elements, of the types that the place in EigenCasts says.
using AnyConversion = void (*)(const void* from, void* to, std::int64_t count);

/// A cast in Eigen's two ways.
struct EigenCast {
  AnyConversion one_by_one;
  AnyConversion as_tensor;
};

struct EigenCasts {
  EigenCast f32_to_f16, f16_to_f32;
  EigenCast f32_to_bf16, bf16_to_f32;
  EigenCast f64_to_f16, f16_to_f64;
  EigenCast f64_to_bf16, bf16_to_f64;
  EigenCast f16_to_bf16, bf16_to_f16;
};

// One for each build; those that the compiler cannot make are not there.
namespace baseline {
extern const EigenCasts kCasts;
}
namespace avx2 {
extern const EigenCasts kCasts;
}
namespace avx512 {
extern const EigenCasts kCasts;
}
namespace avx512_bf16 {
extern const EigenCasts kCasts;
}

}  // namespace assay_adapters
