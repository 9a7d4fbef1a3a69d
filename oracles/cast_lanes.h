// The table of fast cast functions of one instruction-set level. Internal to the oracles.
#pragma once

#include <cstddef>

namespace assay::oracle {

/// Expected results of n elements: `in` and `out` hold elements of the cast's formats.
using CastLanes = void (*)(const void* in, void* out, std::size_t n);

struct LanesTable {
  CastLanes f32_to_f64, f32_to_bf16, f32_to_f16, f32_to_u32;
  CastLanes f64_to_f32, f64_to_bf16, f64_to_f16, f64_to_u32;
  CastLanes u32_to_f32, u32_to_f64;
};

namespace baseline {
extern const LanesTable kLanes;
}
namespace x86_64_v3 {
extern const LanesTable kLanes;
}
namespace x86_64_v4 {
extern const LanesTable kLanes;
}

}  // namespace assay::oracle
