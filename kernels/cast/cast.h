// The dtype casts: sixteen kernels, each in a scalar variant and one per instruction set.
//
// A cast reads one contiguous row-major tensor and writes one of the same shape. Element by
// element, with x the input and F the output format, every variant returns the same bits:
//
//  - float to float: x rounded to F once, to nearest, ties to even. From 2^emax * (2 - 2^-p)
//    on (p the precision of F: half a step above the largest finite number) the result is the
//    infinity of x's sign. Underflow is gradual. Zeros and infinities keep their sign.
//  - bf16 to f16 and f16 to bf16 go over f32; the first leg is exact, so one rounding is left.
//  - NaN to NaN: the sign is kept, the quiet bit is set, and of the fraction the leading bits are
//    kept: a narrowing cast drops the trailing ones, a widening cast appends zeros. This is what
//    x86's conversion instructions do.
//  - float to u32: x truncated toward zero. Outside the domain, where contracts promise nothing:
//    a value that truncates below 0 gives 0, one above 4294967295 gives 4294967295 (infinities
//    included), and NaN gives 0.
//  - u32 to float: x rounded to F once, to nearest, ties to even (to f64 always exact).
//
// The rounding mode and the flush modes of the caller's floating-point environment change none of
// this. The variants are integer code but for a few instructions; convert.h and lanes-inl.h say
// which and why those cannot be influenced.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "contracts/dtype.h"
#include "kernels/kernel.h"

/// One row per cast, X(source, destination, source dtype, destination dtype), in the order of the
/// reference contracts.
#define ASSAY_CASTS(X)      \
  X(f32, f64, kF32, kF64)   \
  X(f32, bf16, kF32, kBF16) \
  X(f32, f16, kF32, kF16)   \
  X(f64, f32, kF64, kF32)   \
  X(f64, bf16, kF64, kBF16) \
  X(f64, f16, kF64, kF16)   \
  X(bf16, f32, kBF16, kF32) \
  X(bf16, f64, kBF16, kF64) \
  X(bf16, f16, kBF16, kF16) \
  X(f16, f32, kF16, kF32)   \
  X(f16, f64, kF16, kF64)   \
  X(f16, bf16, kF16, kBF16) \
  X(u32, f32, kU32, kF32)   \
  X(u32, f64, kU32, kF64)   \
  X(f32, u32, kF32, kU32)   \
  X(f64, u32, kF64, kU32)

namespace assay {

inline constexpr std::size_t kCastCount = 16;

/// One variant of every cast, in the order of ASSAY_CASTS.
struct CastVariants {
  std::string name;  ///< as KernelVariant::name
  std::array<KernelFunction, kCastCount> functions;
};

CastVariants scalar_casts();

/// One element per Highway target that this compiler built and this CPU runs, narrow to wide,
/// without the targets that only emulate vectors. Looks the functions up through Highway's
/// process-wide dispatch state and puts that back, so call it while no other thread dispatches.
std::vector<CastVariants> simd_casts();

/// The sixteen kernels with all their variants.
std::vector<Kernel> cast_kernels();

}  // namespace assay
