// Kernels that are wrong for one input only. Of sources of 32 bits a sweep over all patterns finds
// it; of f64 what lies on a boundary of the destination's.

#include "kernels/cast/convert.h"
#include "kernels/mutants/mutant_kernel.h"

namespace assay::mutants {

namespace {

using cast::BF16;
using cast::F16;
using cast::F32;
using cast::F64;

/// The result of kRight, but its last bit the other way for the one input.
template <auto kInput, auto kRight>
constexpr auto but_for(decltype(kInput) bits) {
  const auto right = kRight(bits);
  return static_cast<std::remove_const_t<decltype(right)>>(right ^ (bits == kInput ? 1 : 0));
}

// Patterns without a meaning: neither near a boundary nor of few bits.
constexpr std::uint32_t kSomeF32 = 0xc1a34f59u;
constexpr std::uint32_t kSomeU32 = 0x9d3c5b27u;
constexpr std::uint16_t kSome16 = 0x3a5b;
/// Halfway between the f32 0x3b2e5d97 and the next, which is even: as exact as a tie is.
constexpr std::uint64_t kTieOfF32 = 0x3f65cbb2f0000000u;

}  // namespace

std::vector<Mutant> single_pattern_mutants() {
  using enum Dtype;
  return {
      {"f32_to_f16_one_pattern", kF32ToF16, "is one step off for 0xc1a34f59 only", "rounding",
       &elementwise<kF32, kF16, but_for<kSomeF32, cast::narrow<F32, F16>>>},
      {"f32_to_bf16_one_pattern", kF32ToBF16, "is one step off for 0xc1a34f59 only", "rounding",
       &elementwise<kF32, kBF16, but_for<kSomeF32, cast::narrow<F32, BF16>>>},
      {"f32_to_f64_one_pattern", kF32ToF64, "is one step off for 0xc1a34f59 only", "rounding",
       &elementwise<kF32, kF64, but_for<kSomeF32, cast::widen<F32, F64>>>},
      {"f32_to_u32_one_pattern", kF32ToU32, "is 1 off for 0x4b1d3c5b only", "rounding",
       &elementwise<kF32, kU32, but_for<std::uint32_t{0x4b1d3c5bu}, cast::truncate_f32>>},
      {"u32_to_f32_one_pattern", kU32ToF32, "is one step off for 0x9d3c5b27 only", "rounding",
       &elementwise<kU32, kF32, but_for<kSomeU32, cast::f32_from_u32>>},
      {"u32_to_f64_one_pattern", kU32ToF64, "is one step off for 0x9d3c5b27 only", "rounding",
       &elementwise<kU32, kF64, but_for<kSomeU32, cast::f64_from_u32>>},
      {"f16_to_f32_one_pattern", kF16ToF32, "is one step off for 0x3a5b only", "rounding",
       &elementwise<kF16, kF32, but_for<kSome16, cast::widen<F16, F32>>>},
      {"bf16_to_f32_one_pattern", kBF16ToF32, "is one step off for 0x3a5b only", "rounding",
       &elementwise<kBF16, kF32, but_for<kSome16, cast::widen<BF16, F32>>>},
      {"f64_to_f32_one_tie", kF64ToF32, "rounds the one tie 0x3f65cbb2f0000000 the other way",
       "rounding", &elementwise<kF64, kF32, but_for<kTieOfF32, cast::narrow<F64, F32>>>},
  };
}

}  // namespace assay::mutants
