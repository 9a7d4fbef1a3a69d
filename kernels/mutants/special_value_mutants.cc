// Faults at the ends of a format: overflow, NaN, subnormals, zeros, infinities.

#include "kernels/cast/convert.h"
#include "kernels/mutants/mutant_kernel.h"

namespace assay::mutants {

namespace {

using cast::BF16;
using cast::F16;
using cast::F32;
using cast::F64;
using cast::narrow;

template <class Format>
constexpr bool is_nan(typename Format::Word bits) {
  return Format::kTraits.is_nan(bits);
}

/// The sign of the source, in the place of Destination's.
template <class Source, class Destination>
constexpr typename Destination::Word sign_of(typename Source::Word bits) {
  return (bits & Source::kSignMask) != 0 ? Destination::kSignMask : typename Destination::Word{0};
}

/// Overflows from just above Destination's largest finite number on, half a step too early.
template <class Source, class Destination>
typename Destination::Word overflow_too_early(typename Source::Word bits) {
  constexpr auto kMaxFinite = static_cast<typename Destination::Word>(Destination::kInfinity - 1);
  constexpr typename Source::Word kLimit = cast::widen<Destination, Source>(kMaxFinite);
  if (is_nan<Source>(bits) || (bits & Source::kMagnitudeMask) <= kLimit) {
    return narrow<Source, Destination>(bits);
  }
  return static_cast<typename Destination::Word>(Destination::kInfinity |
                                                 sign_of<Source, Destination>(bits));
}

std::uint16_t bf16_saturated(std::uint32_t bits) {
  const std::uint16_t result = narrow<F32, BF16>(bits);
  const bool overflowed = F32::kTraits.is_finite(bits) && BF16::kTraits.is_infinite(result);
  return static_cast<std::uint16_t>(result - (overflowed ? 1 : 0));
}

/// Shifts a NaN's fraction without setting the quiet bit: nothing may be left of it.
template <class Source, class Destination>
typename Destination::Word nan_shifted(typename Source::Word bits) {
  if (!is_nan<Source>(bits)) return narrow<Source, Destination>(bits);
  constexpr int kDropped = cast::Narrowing<Source, Destination>::kDropped;
  return static_cast<typename Destination::Word>(Destination::kInfinity |
                                                 sign_of<Source, Destination>(bits) |
                                                 ((bits & Source::kFractionMask) >> kDropped));
}

std::uint16_t f16_flushed(std::uint32_t bits) {
  const std::uint16_t result = narrow<F32, F16>(bits);
  return F16::kTraits.is_subnormal(result) ? sign_of<F32, F16>(bits) : result;
}

std::uint32_t f32_subnormals_read_as_zero(std::uint16_t bits) {
  if (F16::kTraits.is_subnormal(bits)) return sign_of<F16, F32>(bits);
  return cast::widen<F16, F32>(bits);
}

std::uint32_t f32_zero_unsigned(std::uint64_t bits) {
  const std::uint32_t result = narrow<F64, F32>(bits);
  return F32::kTraits.is_zero(result) ? 0u : result;
}

std::uint16_t f16_infinity_clamped(std::uint32_t bits) {
  const std::uint16_t result = narrow<F32, F16>(bits);
  return static_cast<std::uint16_t>(result - (F32::kTraits.is_infinite(bits) ? 1 : 0));
}

}  // namespace

std::vector<Mutant> special_value_mutants() {
  using enum Dtype;
  return {
      {"f32_to_f16_overflow_early", kF32ToF16, "gives infinity from just above 65504 on",
       "overflow", &elementwise<kF32, kF16, overflow_too_early<F32, F16>>},
      {"f64_to_f32_overflow_early", kF64ToF32,
       "gives infinity from just above the largest finite f32 on", "overflow",
       &elementwise<kF64, kF32, overflow_too_early<F64, F32>>},
      {"f32_to_bf16_saturates", kF32ToBF16, "overflows to the largest finite number", "overflow",
       &elementwise<kF32, kBF16, bf16_saturated>},
      {"f32_to_bf16_nan_to_infinity", kF32ToBF16,
       "a NaN whose payload is all in the dropped bits becomes infinity", "nan",
       &elementwise<kF32, kBF16, nan_shifted<F32, BF16>>},
      {"f64_to_f32_nan_to_infinity", kF64ToF32,
       "a NaN whose payload is all in the dropped bits becomes infinity", "nan",
       &elementwise<kF64, kF32, nan_shifted<F64, F32>>},
      {"f32_to_f16_flushes", kF32ToF16, "flushes subnormal results to zero", "subnormals",
       &elementwise<kF32, kF16, f16_flushed>},
      {"f16_to_f32_reads_zero", kF16ToF32, "reads subnormal inputs as zero", "subnormals",
       &elementwise<kF16, kF32, f32_subnormals_read_as_zero>},
      {"f64_to_f32_zero_sign_lost", kF64ToF32, "gives +0 for every result of zero", "signed_zero",
       &elementwise<kF64, kF32, f32_zero_unsigned>},
      {"f32_to_f16_infinity_clamped", kF32ToF16, "turns infinity into the largest finite number",
       "infinity", &elementwise<kF32, kF16, f16_infinity_clamped>},
  };
}

}  // namespace assay::mutants
