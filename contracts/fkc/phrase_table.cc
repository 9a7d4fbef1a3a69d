#include "contracts/fkc/phrases.h"

namespace assay::fkc {

namespace {

using Kind = ClaimKind;

/// What IEEE 754 lays down for a conversion to a narrower format, with the default rounding.
const std::vector<PhraseClaim> kIeeeNarrowing = {
    {ClaimKind::kRounding, "nearest_even"}, {ClaimKind::kOverflow, "infinity"},
    {ClaimKind::kNan, "preserved"},         {ClaimKind::kInfinity, "preserved"},
    {ClaimKind::kSignedZero, "preserved"},  {ClaimKind::kSubnormals, "preserved"}};

/// Every value of the source is one of the destination, and stays what it is.
const std::vector<PhraseClaim> kEmbedding = {{ClaimKind::kRounding, "exact"},
                                             {ClaimKind::kNan, "preserved"},
                                             {ClaimKind::kInfinity, "preserved"},
                                             {ClaimKind::kSignedZero, "preserved"},
                                             {ClaimKind::kSubnormals, "preserved"}};

const std::vector<PhraseClaim> kOutOfRange = {
    {ClaimKind::kOverflow, "caller_error"},
    {ClaimKind::kNan, "caller_error"},
};

}  // namespace

const std::vector<Phrase>& phrases() {
  constexpr OpFamily kCast = OpFamily::kCast;
  constexpr OpFamily kSum = OpFamily::kSum;
  constexpr OpFamily kSelection = OpFamily::kSelection;
  static const std::vector<Phrase> table = {
      // Conversions that change nothing.
      {kCast, "lossless widening", kEmbedding, "Cast f32 -> f64; contiguous; lossless widening.",
       "This is a lossless widening only for finite values."},
      {kCast,
       "lossless full u32 range exact",
       {{Kind::kRounding, "exact"}},
       "lossless (full u32 range exact)",
       "not lossless (full u32 range exact in f64 only)"},
      {kCast,
       "lossless across the full|entire|whole u32 range",
       {{Kind::kRounding, "exact"}},
       "lossless across the full u32 range (f64 53-bit mantissa covers u32)",
       "It is not lossless across the full u32 range."},
      {kCast,
       "conversion is exact across the entire|full|whole u32 range",
       {{Kind::kRounding, "exact"}},
       "so the conversion is exact across the entire u32 range",
       "the conversion is exact across the entire u32 range unless it is negative"},
      // Exact on a part of the domain only: never `rounding: exact`.
      {kCast,
       "exact below|< {n}",
       {{Kind::kDomainExact, "{role} < {n}"}},
       "Exact below 2^24.",
       "It is not exact below 2^24."},
      {kCast,
       "exact below {n} rounds above",
       {{Kind::kDomainExact, "{role} < {n}"}},
       "exact below 2^24, rounds above",
       "hardly ever exact below 2^24, rounds above or not"},
      {kCast,
       "exact for u32 values < {n}",
       {{Kind::kDomainExact, "{role} < {n}"}},
       "exact for u32 values < 2^24 (f32 24-bit mantissa)",
       "exact for u32 values < 2^24 except odd ones"},
      // Roundings.
      {kCast,
       "values >= {n} round to nearest representable f32|f64|f16|bf16 ieee round to nearest even",
       {{Kind::kDomainExact, "{role} < {n}"}, {Kind::kRounding, "nearest_even"}},
       "values >= 2^24 round to nearest representable f32 (IEEE round-to-nearest-even)",
       "most values >= 2^24 round to nearest representable f32 (IEEE round-to-nearest-even)"},
      {kCast,
       "round|rounded|rounds to nearest even",
       {{Kind::kRounding, "nearest_even"}},
       "IEEE-754 round-to-nearest-even",
       "It does not round to nearest even."},
      {kCast,
       "to nearest ties to even",
       {{Kind::kRounding, "nearest_even"}},
       "Rounds to nearest, ties to even.",
       "Rounds to nearest, ties to even, except for halves."},
      {kCast,
       "truncation|truncates|trunc toward zero",
       {{Kind::kRounding, "toward_zero"}},
       "Float->uint truncation toward zero (drops fractional part)",
       "There is no truncation toward zero."},
      {kCast,
       "rounds toward zero",
       {{Kind::kRounding, "toward_zero"}},
       "Rounds toward zero.",
       "It never rounds toward zero."},
      // Conversions of the `half` crate round once, to nearest even, as IEEE 754 has it.
      {kCast, "via half::bf16::from_f32|half::f16::from_f32", kIeeeNarrowing,
       "preserves f32 exponent, rounds 23-bit mantissa to bf16's 7 bits via half::bf16::from_f32",
       "it should go via half::bf16::from_f32"},
      {kCast, "single half::bf16::from_f64|half::f16::from_f64 round per element", kIeeeNarrowing,
       "A single `half::f16::from_f64` round per element.",
       "not a single half::f16::from_f64 round per element, but two"},
      {kCast,
       "walks a contiguous bf16|f16 slice and collects out i "
       "half::bf16::from_f32|half::f16::from_f32 in i to_f32 into a fresh contiguous bf16|f16 "
       "reftensor",
       kIeeeNarrowing,
       "Walks a contiguous `bf16` slice and collects `out[i] = "
       "half::f16::from_f32(in[i].to_f32())` "
       "into a fresh contiguous `f16` `RefTensor` (`ops.rs:1`).",
       "formerly `out[i] = half::f16::from_f32(in[i].to_f32())`"},
      {kCast, "ieee 754 f64 f32 as conversion", kIeeeNarrowing,
       "Rounding follows the platform IEEE-754 `f64`→`f32` `as` conversion",
       "Rounding may follow the platform IEEE-754 f64 → f32 as conversion"},
      // Special values.
      {kCast, "nan preserved", {{Kind::kNan, "preserved"}}, "NaN preserved", "NaN not preserved"},
      {kCast,
       "nan is preserved",
       {{Kind::kNan, "preserved"}},
       "NaN is preserved.",
       "NaN is preserved when it is quiet."},
      {kCast,
       "nan inf preserved",
       {{Kind::kNan, "preserved"}, {Kind::kInfinity, "preserved"}},
       "NaN/inf preserved",
       "without NaN/inf preserved"},
      {kCast,
       "overflow saturates to inf",
       {{Kind::kOverflow, "infinity"}},
       "overflow saturates to +/-inf",
       "overflow saturates to +/-inf in most cases"},
      {kCast,
       "out of range saturates to inf",
       {{Kind::kOverflow, "infinity"}},
       "out-of-range saturates to +/-inf",
       "out-of-range saturates to +/-inf unless clamped"},
      // What the caller must not do.
      {kCast,
       "values outside {n} u32::max are out of range caller error must not occur in well formed "
       "graphs",
       kOutOfRange,
       "values outside [0, u32::MAX] are out-of-range/caller-error (must not occur in well-formed "
       "graphs)",
       "if values outside [0, u32::MAX] are out-of-range/caller-error (must not occur in "
       "well-formed graphs)"},
      {kCast, "values outside {n} u32::max are caller errors", kOutOfRange,
       "Values outside [0, u32::MAX] are caller errors.",
       "Values outside [0, u32::MAX] are caller errors unless saturation is on."},
      // Sums.
      {kSum,
       "t precision accumulator",
       {{Kind::kErrorBound, "gamma_n"}},
       "f32/f64; contiguous; T-precision accumulator.",
       "There is no T-precision accumulator."},
      {kSum,
       "t precision accumulator no f32 widening for half",
       {{Kind::kErrorBound, "gamma_n"}},
       "T-precision accumulator (NO f32 widening for half)",
       "a T-precision accumulator (NO f32 widening for half) is planned"},
      {kSum,
       "matches the naive nested sum",
       {{Kind::kAccumulator, "nested_sum"}},
       "It matches the naive nested-sum.",
       "it rarely matches the naive nested-sum"},
      {kSum,
       "matches naive direct conv not an f32 accum production gemm",
       {{Kind::kAccumulator, "nested_sum"}},
       "Matches naive direct conv, not an f32-accum production GEMM.",
       "Rarely matches naive direct conv, not an f32-accum production GEMM."},
      {kSum,
       "deterministic gather summation order",
       {{Kind::kAccumulator, "nested_sum"}},
       "deterministic gather summation order",
       "no deterministic gather summation order"},
      {kSum,
       "scatter accumulate into a zero initialized output buffer in operand dtype t no f32 "
       "widening",
       {{Kind::kAccumulator, "scattered_sum"}, {Kind::kErrorBound, "gamma_n"}},
       "scatter-accumulate into a zero-initialized output buffer in operand dtype `T` (no f32 "
       "widening)",
       "it does not scatter-accumulate into a zero-initialized output buffer in operand dtype T "
       "(no "
       "f32 widening)"},
      {kSum,
       "deterministic fixed scatter accumulation order",
       {{Kind::kAccumulator, "scattered_sum"}},
       "deterministic fixed scatter-accumulation order",
       "a deterministic fixed scatter-accumulation order would help"},
      // Padding.
      {kSum,
       "zero padding skipped",
       {{Kind::kPaddingSkipped, "skipped"}},
       "zero padding skipped (contributes 0)",
       "zero padding skipped in some variants"},
      {kSum,
       "zero padding contributes literal t::zero skipped not summed",
       {{Kind::kPaddingSkipped, "skipped"}},
       "Zero padding contributes literal `T::zero()` (skipped, not summed)",
       "Zero padding contributes literal T::zero() (skipped, not summed) only in rows"},
      {kSum,
       "out? of? range? padded coordinates|positions contribute nothing skipped",
       {{Kind::kPaddingSkipped, "skipped"}},
       "Out-of-range (padded) coordinates contribute nothing (skipped).",
       "Padded coordinates contribute nothing (skipped) unless the weight is NaN."},
      // Selections.
      {kSelection,
       "window max is exact",
       {{Kind::kSelectionExact, "exact"}},
       "Window max is exact",
       "The window max is exact except in bf16."},
      {kSelection,
       "exact no accumulation",
       {{Kind::kSelectionExact, "exact"}},
       "exact (no accumulation)",
       "inexact, not exact (no accumulation)"},
      {kSelection,
       "pure max reduction over the window no rounding no accumulation",
       {{Kind::kSelectionExact, "exact"}},
       "Pure max-reduction over the window: no rounding, no accumulation.",
       "Not a pure max-reduction over the window: no rounding, no accumulation."},
      {kSelection,
       "max is exact selection not accumulation bit identical everywhere",
       {{Kind::kSelectionExact, "exact"}, {Kind::kBitwise, "bitwise"}},
       "max is exact (selection, not accumulation): bit-identical everywhere",
       "max is exact (selection, not accumulation): bit-identical everywhere except in bf16"},
      // `max` of Rust's floats gives the operand that is no NaN.
      {kSelection,
       "nan follows t::max semantics",
       {{Kind::kNan, "ignored"}},
       "NaN follows T::max semantics",
       "NaN follows T::max semantics except in rows"},
      {kSelection,
       "bit identical everywhere",
       {{Kind::kBitwise, "bitwise"}},
       "max is exact: bit-identical everywhere",
       "nearly bit-identical everywhere"},
      {kCast,
       "bit identical everywhere",
       {{Kind::kBitwise, "bitwise"}},
       "bit-identical everywhere",
       "bit-identical everywhere but on GPUs"},
      {kSum,
       "bit identical everywhere",
       {{Kind::kBitwise, "bitwise"}},
       "bit-identical everywhere",
       "not bit-identical everywhere"},
  };
  return table;
}

}  // namespace assay::fkc
