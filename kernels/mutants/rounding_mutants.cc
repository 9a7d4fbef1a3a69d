// Faults of rounding: truncation, ties, sticky bits, double rounding, signedness, thresholds.

#include <bit>
#include <cmath>

#include "kernels/cast/convert.h"
#include "kernels/mutants/mutant_kernel.h"

namespace assay::mutants {

namespace {

using cast::BF16;
using cast::F16;
using cast::F32;
using cast::f32_from_u32;
using cast::F64;
using cast::narrow;
using cast::truncate_f32;
using cast::truncate_f64;

/// The correct result, one step nearer to zero where it was rounded up.
std::uint16_t f16_truncated(std::uint32_t bits) {
  const std::uint16_t rounded = narrow<F32, F16>(bits);
  const float value = std::bit_cast<float>(bits);
  const float back = std::bit_cast<float>(cast::widen<F16, F32>(rounded));
  const bool up = std::isfinite(value) && std::fabs(back) > std::fabs(value);
  return static_cast<std::uint16_t>(rounded - (up ? 1 : 0));
}

std::uint16_t bf16_ties_away(std::uint32_t bits) {
  if (F32::kTraits.is_nan(bits)) return narrow<F32, BF16>(bits);
  return static_cast<std::uint16_t>((bits + 0x8000u) >> 16);
}

std::uint16_t f16_from_high_word(std::uint64_t bits) {
  if (F64::kTraits.is_nan(bits)) return narrow<F64, F16>(bits);
  return narrow<F64, F16>(bits & 0xffffffff00000000u);
}

std::uint16_t bf16_over_f32(std::uint64_t bits) {
  return narrow<F32, BF16>(narrow<F64, F32>(bits));
}

std::uint16_t f16_over_f32(std::uint64_t bits) {
  return narrow<F32, F16>(narrow<F64, F32>(bits));
}

std::uint32_t f32_from_signed(std::uint32_t value) {
  if (value <= 0x7fffffffu) return f32_from_u32(value);
  return f32_from_u32(-value) | F32::kSignMask;
}

std::uint32_t f32_in_two_parts(std::uint32_t value) {
  const float low = std::bit_cast<float>(f32_from_u32(value & 0x7fffffffu));
  return std::bit_cast<std::uint32_t>(value > 0x7fffffffu ? low + 2147483648.0f : low);
}

std::uint32_t u32_to_nearest(std::uint32_t bits) {
  const double value = std::bit_cast<float>(bits);
  if (!(value > -1.0 && value < 4294967296.0)) return truncate_f32(bits);
  const double nearest = std::nearbyint(value);
  return nearest < 0 ? 0u : static_cast<std::uint32_t>(nearest);
}

std::uint32_t u32_limit_excluded(std::uint64_t bits) {
  const double value = std::bit_cast<double>(bits);
  return value >= 4294967295.0 && value < 4294967296.0 ? 0u : truncate_f64(bits);
}

std::uint32_t f32_wrong_below_2_24(std::uint32_t value) {
  return f32_from_u32(value) ^ (value == 0xffffffu ? 1u : 0u);
}

/// The last element of a length that is no multiple of 8 comes out with its low bit flipped.
KernelStatus f32_to_f64_wrong_tail(KernelCall& call) {
  return run_cast(call, Dtype::kF32, Dtype::kF64, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    for (std::size_t i = 0; i < n; ++i) {
                      const std::uint64_t flip = n % 8 != 0 && i + 1 == n ? 1 : 0;
                      store(out, i, cast::widen<F32, F64>(load<std::uint32_t>(in, i)) ^ flip);
                    }
                  });
}

}  // namespace

std::vector<Mutant> rounding_mutants() {
  using enum Dtype;
  return {
      {"f32_to_f16_truncates", kF32ToF16, "rounds toward zero", "rounding",
       &elementwise<kF32, kF16, f16_truncated>},
      {"f32_to_bf16_ties_away", kF32ToBF16, "rounds ties away from zero", "rounding",
       &elementwise<kF32, kBF16, bf16_ties_away>},
      {"f64_to_f16_high_word", kF64ToF16, "looks at the upper 32 bits only: the sticky bits go",
       "rounding", &elementwise<kF64, kF16, f16_from_high_word>},
      {"f64_to_bf16_over_f32", kF64ToBF16, "rounds to f32 first, then again", "rounding",
       &elementwise<kF64, kBF16, bf16_over_f32>},
      {"f64_to_f16_over_f32", kF64ToF16, "rounds to f32 first, then again", "rounding",
       &elementwise<kF64, kF16, f16_over_f32>},
      {"f32_to_f64_wrong_tail",
       kF32ToF64,
       "flips the low bit of the last element where the length is no multiple of 8",
       "rounding",
       &f32_to_f64_wrong_tail,
       {"infinity", "bit_stable"}},
      {"u32_to_f32_signed", kU32ToF32, "takes the integer as signed", "rounding",
       &elementwise<kU32, kF32, f32_from_signed>},
      {"u32_to_f32_two_parts", kU32ToF32, "converts the low 31 bits, then adds 2^31: rounds twice",
       "rounding", &elementwise<kU32, kF32, f32_in_two_parts>},
      {"f32_to_u32_nearest", kF32ToU32, "rounds to nearest instead of truncating", "rounding",
       &elementwise<kF32, kU32, u32_to_nearest>},
      {"f64_to_u32_limit_excluded", kF64ToU32,
       "takes 4294967295 and the fractions above it as out of range and gives 0", "rounding",
       &elementwise<kF64, kU32, u32_limit_excluded>},
      {"u32_to_f32_wrong_at_limit", kU32ToF32, "is one step off at 2^24 - 1 only", "domain_exact",
       &elementwise<kU32, kF32, f32_wrong_below_2_24>},
  };
}

}  // namespace assay::mutants
