// What checking a cast costs without any of the oracle's speed: MPFR, one value after the other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "oracles/cast_exact.h"

namespace assay::oracle {

/// How many of the n results `out` differ from the correctly rounded ones of `in`, which no element
/// decides but MPFR; NaNs are equal to each other. As one would write it for one cast, with nothing
/// allocated for a value. Casts from f32 or u32 to f32, f16, bf16 or u32; others throw
/// std::invalid_argument.
std::uint64_t count_differing(CastOperation operation, const void* in, const void* out,
                              std::size_t n);

}  // namespace assay::oracle
