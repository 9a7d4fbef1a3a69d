// Variants that keep every claim of their own, but do not give the bits of the scalar one that they
// stand beside.

#include "kernels/cast/convert.h"
#include "kernels/mutants/mutant_kernel.h"
#include "kernels/mutants/window_pool.h"

namespace assay {

namespace mutants {
namespace {

using cast::BF16;
using cast::F16;
using cast::F32;

std::uint64_t f64_without_payload(std::uint32_t bits) {
  const std::uint64_t right = cast::widen<F32, cast::F64>(bits);
  return F32::kTraits.is_nan(bits) ? right & ~(cast::F64::kQuietBit - 1) : right;
}

std::uint32_t f32_nan_positive(std::uint16_t bits) {
  const std::uint32_t right = cast::widen<F16, F32>(bits);
  return F16::kTraits.is_nan(bits) ? right & ~F32::kSignMask : right;
}

/// A signalling NaN stays one.
std::uint64_t f64_not_quieted(std::uint16_t bits) {
  const std::uint64_t right = cast::widen<BF16, cast::F64>(bits);
  const bool keep = BF16::kTraits.is_nan(bits) && (bits & BF16::kQuietBit) == 0;
  return keep ? right & ~cast::F64::kQuietBit : right;
}

/// What a contract that promises the same bits on the same hardware leaves to each variant.
std::uint16_t f16_nan_positive(std::uint32_t bits) {
  const std::uint16_t right = cast::narrow<F32, F16>(bits);
  return F32::kTraits.is_nan(bits) ? static_cast<std::uint16_t>(right & 0x7fff) : right;
}

/// -0 where zeros of both signs are the greatest.
struct NegativeZero : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    const auto best = CorrectPool::chosen<Format>(window);
    if (!Format::kTraits.is_zero(best)) return best;
    for (const auto bits : window.elements) {
      if (Format::kTraits.is_zero(bits) && Format::kTraits.is_negative(bits)) return bits;
    }
    return best;
  }
};

Mutant beside_scalar(Mutant mutant) {
  mutant.beside_scalar = true;
  return mutant;
}

}  // namespace

}  // namespace mutants

std::vector<Mutant> variant_mutants() {
  using namespace mutants;
  using enum Dtype;
  return {
      beside_scalar({"f32_to_f64_nan_beside_scalar", kF32ToF64,
                     "drops the payload of NaN, which the scalar variant keeps", "bitwise",
                     &elementwise<kF32, kF64, f64_without_payload>}),
      beside_scalar({"f16_to_f32_nan_beside_scalar", kF16ToF32,
                     "drops the sign of NaN, which the scalar variant keeps", "bitwise",
                     &elementwise<kF16, kF32, f32_nan_positive>}),
      beside_scalar({"bf16_to_f64_nan_beside_scalar", kBF16ToF64,
                     "leaves signalling NaNs signalling, which the scalar variant quiets",
                     "bitwise", &elementwise<kBF16, kF64, f64_not_quieted>}),
  };
}

std::vector<Mutant> permitted_beside_scalar() {
  using namespace mutants;
  using enum Dtype;
  return {
      beside_scalar({"f32_to_f16_other_nan_than_scalar", kF32ToF16,
                     "drops the sign of NaN, which the scalar variant keeps: the contract promises "
                     "the same bits on the same hardware, not from every variant",
                     "", &elementwise<kF32, kF16, f16_nan_positive>}),
      beside_scalar({"max_pool2d_f32_other_zero_than_scalar", kMaxPoolF32,
                     "gives -0 where zeros of both signs are the greatest, and the scalar variant "
                     "+0: the contract promises the same bits on the same hardware only",
                     "", kMaxPool<F32, NegativeZero>}),
  };
}

}  // namespace assay
