// Faults of conversions from and to integers: signedness, parts, other formats on the way, ends of
// the range.

#include <bit>
#include <cmath>

#include "kernels/cast/convert.h"
#include "kernels/mutants/mutant_kernel.h"

namespace assay::mutants {

namespace {

using cast::F32;
using cast::f32_from_u32;
using cast::F64;
using cast::f64_from_u32;
using cast::narrow;
using cast::truncate_f32;
using cast::truncate_f64;

std::uint64_t f64_from_signed(std::uint32_t value) {
  return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int32_t>(value)));
}

std::uint64_t f64_over_f32(std::uint32_t value) {
  return cast::widen<F32, F64>(f32_from_u32(value));
}

/// The bits of the integer below the 24 that f32 holds are dropped.
std::uint32_t f32_truncated(std::uint32_t value) {
  const int above = std::bit_width(value) - 24;
  return f32_from_u32(above > 0 ? value >> above << above : value);
}

/// Halves large integers first, and drops the bit that falls out.
std::uint32_t f32_halved(std::uint32_t value) {
  if (value <= 0x7fffffffu) return f32_from_u32(value);
  return f32_from_u32(value >> 1) + (1u << F32::kFractionBits);
}

bool in_domain(double value) {
  return value > -1.0 && value < 4294967296.0;
}

/// What the conversion to a signed integer gives beyond its range.
std::uint32_t u32_over_i32(std::uint32_t bits) {
  const double value = std::bit_cast<float>(bits);
  return in_domain(value) && value >= 2147483648.0 ? 0x80000000u : truncate_f32(bits);
}

std::uint32_t u32_saturated_at_i32(std::uint64_t bits) {
  const double value = std::bit_cast<double>(bits);
  return in_domain(value) && value >= 2147483648.0 ? 0x7fffffffu : truncate_f64(bits);
}

/// Rounds to f32 first, which may round up to the next integer.
std::uint32_t u32_over_f32(std::uint64_t bits) {
  const double value = std::bit_cast<double>(bits);
  if (!in_domain(value)) return truncate_f64(bits);
  return truncate_f32(narrow<F64, F32>(bits));
}

std::uint32_t u32_ceiling(std::uint32_t bits) {
  const double value = std::bit_cast<float>(bits);
  if (!in_domain(value) || value <= 0) return truncate_f32(bits);
  return truncate_f32(bits) + (value > std::floor(value) ? 1u : 0u);
}

/// One lane of eight rounds to nearest.
KernelStatus f32_to_u32_lane_rounds(KernelCall& call) {
  return run_cast(call, Dtype::kF32, Dtype::kU32, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    for (std::size_t i = 0; i < n; ++i) {
                      const auto bits = load<std::uint32_t>(in, i);
                      const double value = std::bit_cast<float>(bits);
                      const bool up = i % 8 == 5 && in_domain(value) && value > 0 &&
                                      value - std::floor(value) > 0.5 && value < 4294967295.0;
                      store(out, i, truncate_f32(bits) + (up ? 1u : 0u));
                    }
                  });
}

}  // namespace

std::vector<Mutant> integer_mutants() {
  using enum Dtype;
  return {
      {"u32_to_f64_signed", kU32ToF64, "takes the integer as signed", "rounding",
       &elementwise<kU32, kF64, f64_from_signed>},
      {"u32_to_f64_over_f32", kU32ToF64, "converts to f32 first", "rounding",
       &elementwise<kU32, kF64, f64_over_f32>},
      {"u32_to_f32_truncates", kU32ToF32, "drops the bits that f32 does not hold", "rounding",
       &elementwise<kU32, kF32, f32_truncated>},
      {"u32_to_f32_halved", kU32ToF32,
       "halves integers above 2^31 - 1 first: the last bit is not seen", "rounding",
       &elementwise<kU32, kF32, f32_halved>},
      {"f32_to_u32_over_i32", kF32ToU32, "gives 0x80000000 from 2^31 on", "rounding",
       &elementwise<kF32, kU32, u32_over_i32>},
      {"f64_to_u32_ends_at_i32", kF64ToU32, "gives 0x7fffffff from 2^31 on", "rounding",
       &elementwise<kF64, kU32, u32_saturated_at_i32>},
      {"f64_to_u32_over_f32", kF64ToU32, "rounds to f32 first", "rounding",
       &elementwise<kF64, kU32, u32_over_f32>},
      {"f32_to_u32_ceiling", kF32ToU32, "rounds positive fractions up", "rounding",
       &elementwise<kF32, kU32, u32_ceiling>},
      {"f32_to_u32_lane_rounds",
       kF32ToU32,
       "rounds to nearest in the sixth of every 8 lanes",
       "rounding",
       &f32_to_u32_lane_rounds,
       {"bit_stable"}},
  };
}

}  // namespace assay::mutants
