// Faults of the steps in which a significand is cut: ties, sticky bits, the carry, the exponent,
// thresholds.

#include "kernels/cast/convert.h"
#include "kernels/mutants/mutant_kernel.h"

namespace assay::mutants {

namespace {

using cast::BF16;
using cast::F16;
using cast::F32;
using cast::F64;
using cast::narrow;
using cast::widen;

template <class Source, class Destination>
constexpr typename Destination::Word sign_of(typename Source::Word bits) {
  return (bits & Source::kSignMask) != 0 ? Destination::kSignMask : typename Destination::Word{0};
}

/// Whether the result's magnitude is above the source's. Not for NaN.
template <class Source, class Destination>
constexpr bool rounded_up(typename Source::Word bits, typename Destination::Word result) {
  return (widen<Destination, Source>(result) & Source::kMagnitudeMask) >
         (bits & Source::kMagnitudeMask);
}

template <class Source, class Destination>
typename Destination::Word toward_zero(typename Source::Word bits) {
  const typename Destination::Word result = narrow<Source, Destination>(bits);
  const bool up = !Source::kTraits.is_nan(bits) && rounded_up<Source, Destination>(bits, result);
  return static_cast<typename Destination::Word>(result - (up ? 1 : 0));
}

/// Whether a source of f32 or f64 lies halfway between two finite neighbours of Destination, of
/// which `lower` is nearer to zero. Differences are exact: f64 holds them.
template <class Source, class Destination>
bool is_tie(typename Source::Word bits, typename Destination::Word lower) {
  const auto value = [](typename Source::Word word) {
    if constexpr (Source::kWidth == 64) {
      return std::bit_cast<double>(word & Source::kMagnitudeMask);
    } else {
      return static_cast<double>(std::bit_cast<float>(word & Source::kMagnitudeMask));
    }
  };
  const auto upper = static_cast<typename Destination::Word>(lower + 1);
  if (!Destination::kTraits.is_finite(upper)) return false;
  const double below = value(bits) - value(widen<Destination, Source>(lower));
  return below > 0 && below == value(widen<Destination, Source>(upper)) - value(bits);
}

enum class Ties : std::uint8_t { kAway, kToZero };

template <class Source, class Destination, Ties kTies>
typename Destination::Word ties(typename Source::Word bits) {
  const typename Destination::Word lower = toward_zero<Source, Destination>(bits);
  if (Source::kTraits.is_nan(bits) || !is_tie<Source, Destination>(bits, lower)) {
    return narrow<Source, Destination>(bits);
  }
  return static_cast<typename Destination::Word>(lower + (kTies == Ties::kAway ? 1 : 0));
}

/// Leaves one bit of the source out, as a mask that is too short does.
template <class Source, class Destination, int kBit>
typename Destination::Word blind_to_bit(typename Source::Word bits) {
  if (Source::kTraits.is_nan(bits)) return narrow<Source, Destination>(bits);
  return narrow<Source, Destination>(bits & ~(typename Source::Word{1} << kBit));
}

/// Shifts the significand of a subnormal result first, and looks at what is left of it for a tie.
std::uint16_t f16_subnormals_without_sticky(std::uint32_t bits) {
  using Pair = cast::Narrowing<F32, F16>;
  if (!cast::narrows_gradually<F32, F16>(bits)) return narrow<F32, F16>(bits);
  const std::uint32_t magnitude = bits & F32::kMagnitudeMask;
  const int exponent = static_cast<int>(magnitude >> F32::kFractionBits);
  const int guard = Pair::kLeastNormal + Pair::kDropped - 1 - exponent;
  const std::uint32_t significand = (magnitude & F32::kFractionMask) | (1u << F32::kFractionBits);
  const std::uint32_t result = cast::round_last_bit(significand >> guard, false);
  return static_cast<std::uint16_t>(result | sign_of<F32, F16>(bits));
}

/// The carry of rounding up stays in the fraction.
template <class Source, class Destination>
typename Destination::Word carry_lost(typename Source::Word bits) {
  const typename Destination::Word right = narrow<Source, Destination>(bits);
  const typename Destination::Word lower = toward_zero<Source, Destination>(bits);
  const bool carried =
      !Source::kTraits.is_nan(bits) && right != lower && (right & Destination::kFractionMask) == 0;
  return carried ? static_cast<typename Destination::Word>(lower & ~Destination::kFractionMask)
                 : right;
}

template <class Source, class Destination>
typename Destination::Word flushed(typename Source::Word bits) {
  const typename Destination::Word result = narrow<Source, Destination>(bits);
  return Destination::kTraits.is_subnormal(result) ? sign_of<Source, Destination>(bits) : result;
}

/// Finite results become infinite from the next power of two on only.
std::uint16_t f16_overflow_late(std::uint32_t bits) {
  const std::uint32_t magnitude = bits & F32::kMagnitudeMask;
  const bool between = magnitude >= 0x477ff000u && magnitude < 0x47800000u;
  return static_cast<std::uint16_t>(narrow<F32, F16>(bits) - (between ? 1 : 0));
}

/// What overflows gets the exponent of infinity and keeps its fraction.
std::uint16_t f16_overflow_to_nan(std::uint32_t bits) {
  const std::uint16_t result = narrow<F32, F16>(bits);
  if (!F16::kTraits.is_infinite(result) || !F32::kTraits.is_finite(bits)) return result;
  return static_cast<std::uint16_t>(result | ((bits & F32::kFractionMask) >> 13));
}

std::uint16_t f16_infinity_unsigned(std::uint64_t bits) {
  const std::uint16_t result = narrow<F64, F16>(bits);
  const bool overflowed = F16::kTraits.is_infinite(result) && F64::kTraits.is_finite(bits);
  return overflowed ? F16::kInfinity : result;
}

std::uint16_t bf16_saturated(std::uint64_t bits) {
  const std::uint16_t result = narrow<F64, BF16>(bits);
  const bool overflowed = BF16::kTraits.is_infinite(result) && F64::kTraits.is_finite(bits);
  return static_cast<std::uint16_t>(result - (overflowed ? 1 : 0));
}

/// Adds the rounding bias to NaNs as well.
std::uint16_t bf16_bias_for_all(std::uint32_t bits) {
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16);
}

/// Takes for NaN what has the quiet bit, and for infinity what has not.
std::uint16_t f16_signalling_to_infinity(std::uint32_t bits) {
  if (F32::kTraits.is_nan(bits) && (bits & F32::kQuietBit) == 0) {
    return static_cast<std::uint16_t>(F16::kInfinity | sign_of<F32, F16>(bits));
  }
  return narrow<F32, F16>(bits);
}

/// From one 16-bit format to the other over f32, whose lower half is dropped or flushed.
std::uint16_t bf16_cut_from_f16(std::uint16_t bits) {
  const std::uint32_t wide = widen<F16, F32>(bits);
  return F32::kTraits.is_nan(wide) ? narrow<F32, BF16>(wide)
                                   : static_cast<std::uint16_t>(wide >> 16);
}
std::uint16_t f16_from_bf16_flushed(std::uint16_t bits) {
  return flushed<F32, F16>(widen<BF16, F32>(bits));
}
std::uint16_t f16_from_bf16_early(std::uint16_t bits) {
  const std::uint16_t result = narrow<F32, F16>(widen<BF16, F32>(bits));
  const bool largest_binade = (result & 0x7c00) == 0x7800;
  return largest_binade ? static_cast<std::uint16_t>((result & 0x8000) | 0x7c00) : result;
}

/// Reads the greatest exponent as an ordinary one: 0x7c00 as 65536.
std::uint64_t f64_without_infinity(std::uint16_t bits) {
  if ((bits & 0x7c00) != 0x7c00) return widen<F16, F64>(bits);
  const std::uint64_t fraction = static_cast<std::uint64_t>(bits & 0x3ff) << 42;
  return (static_cast<std::uint64_t>(bits >> 15) << 63) | (std::uint64_t{1039} << 52) | fraction;
}

/// The scale of subnormals is off by one exponent.
std::uint64_t f64_subnormals_doubled(std::uint16_t bits) {
  const std::uint64_t right = widen<F16, F64>(bits);
  return F16::kTraits.is_subnormal(bits) ? right + (std::uint64_t{1} << 52) : right;
}

std::uint64_t f64_from_bf16_subnormals_read_as_zero(std::uint16_t bits) {
  return BF16::kTraits.is_subnormal(bits) ? sign_of<BF16, F64>(bits) : widen<BF16, F64>(bits);
}

std::uint64_t f64_nan_unsigned_infinity(std::uint16_t bits) {
  return BF16::kTraits.is_nan(bits) && (bits & BF16::kQuietBit) == 0 ? F64::kInfinity
                                                                     : widen<BF16, F64>(bits);
}

std::uint32_t f32_zero_unsigned(std::uint16_t bits) {
  return bits == 0x8000 ? 0u : widen<F16, F32>(bits);
}

/// The last n mod 8 elements are cut, not rounded.
KernelStatus f64_to_bf16_tail_cut(KernelCall& call) {
  return run_cast(call, Dtype::kF64, Dtype::kBF16, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    for (std::size_t i = 0; i < n; ++i) {
                      const auto bits = load<std::uint64_t>(in, i);
                      const bool tail = i >= n - n % 8;
                      store(out, i, tail ? toward_zero<F64, BF16>(bits) : narrow<F64, BF16>(bits));
                    }
                  });
}

}  // namespace

std::vector<Mutant> narrowing_mutants() {
  using enum Dtype;
  return {
      {"f32_to_bf16_truncates", kF32ToBF16, "drops the lower half", "rounding",
       &elementwise<kF32, kBF16, toward_zero<F32, BF16>>},
      {"f64_to_bf16_truncates", kF64ToBF16, "rounds toward zero", "rounding",
       &elementwise<kF64, kBF16, toward_zero<F64, BF16>>},
      {"f64_to_f32_ties_away", kF64ToF32, "rounds ties away from zero", "rounding",
       &elementwise<kF64, kF32, ties<F64, F32, Ties::kAway>>},
      {"f32_to_f16_ties_away", kF32ToF16, "rounds ties away from zero", "rounding",
       &elementwise<kF32, kF16, ties<F32, F16, Ties::kAway>>},
      {"f64_to_f16_ties_to_zero", kF64ToF16, "rounds ties toward zero", "rounding",
       &elementwise<kF64, kF16, ties<F64, F16, Ties::kToZero>>},
      {"f64_to_f32_last_bit_ignored", kF64ToF32, "does not see the source's last bit", "rounding",
       &elementwise<kF64, kF32, blind_to_bit<F64, F32, 0>>},
      {"f64_to_f16_last_bit_ignored", kF64ToF16, "does not see the source's last bit", "rounding",
       &elementwise<kF64, kF16, blind_to_bit<F64, F16, 0>>},
      {"f64_to_bf16_sticky_bit_20_ignored", kF64ToBF16, "does not see bit 20 of the source",
       "rounding", &elementwise<kF64, kBF16, blind_to_bit<F64, BF16, 20>>},
      {"f32_to_f16_sticky_bit_11_ignored", kF32ToF16, "does not see bit 11 of the source",
       "rounding", &elementwise<kF32, kF16, blind_to_bit<F32, F16, 11>>},
      {"f32_to_f16_subnormals_without_sticky", kF32ToF16,
       "shifts subnormal results into place before it looks for a tie", "rounding",
       &elementwise<kF32, kF16, f16_subnormals_without_sticky>},
      {"f32_to_bf16_carry_lost", kF32ToBF16, "keeps the carry of rounding out of the exponent",
       "rounding", &elementwise<kF32, kBF16, carry_lost<F32, BF16>>},
      {"f64_to_f16_carry_lost", kF64ToF16, "keeps the carry of rounding out of the exponent",
       "rounding", &elementwise<kF64, kF16, carry_lost<F64, F16>>},
      {"f64_to_f32_carry_lost", kF64ToF32, "keeps the carry of rounding out of the exponent",
       "rounding", &elementwise<kF64, kF32, carry_lost<F64, F32>>},
      {"f16_to_bf16_truncates", kF16ToBF16, "drops the lower half of the f32 between", "rounding",
       &elementwise<kF16, kBF16, bf16_cut_from_f16>},
      {"f64_to_bf16_tail_truncates",
       kF64ToBF16,
       "rounds the last n mod 8 elements toward zero, in a loop of its own",
       "rounding",
       &f64_to_bf16_tail_cut,
       {"bit_stable"}},
      {"f32_to_f16_overflow_late", kF32ToF16, "gives infinity from 65536 on only", "overflow",
       &elementwise<kF32, kF16, f16_overflow_late>},
      {"f32_to_f16_overflow_to_nan", kF32ToF16, "keeps the fraction of what overflows: NaN",
       "overflow", &elementwise<kF32, kF16, f16_overflow_to_nan>},
      {"f64_to_f16_overflow_unsigned", kF64ToF16, "overflows to +infinity on both sides",
       "overflow", &elementwise<kF64, kF16, f16_infinity_unsigned>},
      {"f64_to_bf16_saturates", kF64ToBF16, "overflows to the largest finite number", "overflow",
       &elementwise<kF64, kBF16, bf16_saturated>},
      {"bf16_to_f16_overflow_early", kBF16ToF16, "gives infinity from 32768 on", "overflow",
       &elementwise<kBF16, kF16, f16_from_bf16_early>},
      {"f32_to_bf16_bias_for_nan", kF32ToBF16,
       "adds the rounding bias to NaNs too: 0x7fffffff becomes -0", "nan",
       &elementwise<kF32, kBF16, bf16_bias_for_all>},
      {"f32_to_f16_signalling_to_infinity", kF32ToF16,
       "takes a NaN for one by its quiet bit only, others for infinity", "nan",
       &elementwise<kF32, kF16, f16_signalling_to_infinity>},
      {"bf16_to_f64_signalling_to_infinity", kBF16ToF64,
       "gives +infinity for NaNs without the quiet bit", "nan",
       &elementwise<kBF16, kF64, f64_nan_unsigned_infinity>},
      {"f16_to_f64_no_infinity", kF16ToF64,
       "reads the greatest exponent as an ordinary one: infinity is 65536, and NaNs are numbers",
       "infinity", &elementwise<kF16, kF64, f64_without_infinity>},
      {"f16_to_f64_subnormals_doubled", kF16ToF64, "takes subnormals for twice what they are",
       "subnormals", &elementwise<kF16, kF64, f64_subnormals_doubled>},
      {"bf16_to_f64_reads_zero", kBF16ToF64, "reads subnormal inputs as zero", "subnormals",
       &elementwise<kBF16, kF64, f64_from_bf16_subnormals_read_as_zero>},
      {"bf16_to_f16_flushes", kBF16ToF16, "flushes subnormal results to zero", "subnormals",
       &elementwise<kBF16, kF16, f16_from_bf16_flushed>},
      {"f32_to_bf16_flushes", kF32ToBF16, "flushes subnormal results to zero", "subnormals",
       &elementwise<kF32, kBF16, flushed<F32, BF16>>},
      {"f64_to_f32_flushes", kF64ToF32, "flushes subnormal results to zero", "subnormals",
       &elementwise<kF64, kF32, flushed<F64, F32>>},
      {"f16_to_f32_zero_sign_lost", kF16ToF32, "gives +0 for -0", "signed_zero",
       &elementwise<kF16, kF32, f32_zero_unsigned>},
  };
}

}  // namespace assay::mutants
