// Variants that the reference contracts permit: other algorithms with the same results, and other
// results where nothing is promised (NaN payloads and signs, inputs out of the domain).

#include <bit>

#include "kernels/cast/convert.h"
#include "kernels/mutants/mutant_kernel.h"

namespace assay {

namespace mutants {
namespace {

using cast::BF16;
using cast::F16;
using cast::F32;
using cast::narrow;
using cast::truncate_f32;

std::uint16_t f16_canonical_nan(std::uint32_t bits) {
  return F32::kTraits.is_nan(bits) ? std::uint16_t{0x7e00} : narrow<F32, F16>(bits);
}

std::uint16_t f16_payload_dropped(std::uint32_t bits) {
  const std::uint16_t result = narrow<F32, F16>(bits);
  return F32::kTraits.is_nan(bits) ? static_cast<std::uint16_t>(result & 0xfe00) : result;
}

std::uint16_t bf16_by_remainder(std::uint32_t bits) {
  if (F32::kTraits.is_nan(bits)) return narrow<F32, BF16>(bits);
  const std::uint32_t kept = bits >> 16;
  const std::uint32_t remainder = bits & 0xffffu;
  const bool up = remainder > 0x8000u || (remainder == 0x8000u && kept % 2 == 1);
  return static_cast<std::uint16_t>(kept + (up ? 1 : 0));
}

std::uint32_t u32_indefinite(std::uint32_t bits) {
  const float value = std::bit_cast<float>(bits);
  return value > -1.0f && value < 4294967296.0f ? truncate_f32(bits) : 0x80000000u;
}

std::uint32_t f32_by_the_compiler(std::uint64_t bits) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
}

std::uint32_t f32_by_multiplication(std::uint16_t bits) {
  if (!F16::kTraits.is_finite(bits)) return cast::widen<F16, F32>(bits);
  const int exponent = (bits & F16::kMagnitudeMask) >> F16::kFractionBits;
  const int significand = (bits & F16::kFractionMask) + (exponent > 0 ? F16::kMinNormal : 0);
  // The weight of the significand's last bit, 2^(max(exponent, 1) - bias - fraction bits).
  const int weight = (exponent > 0 ? exponent : 1) - F16::kBias - F16::kFractionBits;
  const float scale =
      std::bit_cast<float>(static_cast<std::uint32_t>(weight + F32::kBias) << F32::kFractionBits);
  const float magnitude = static_cast<float>(significand) * scale;
  return std::bit_cast<std::uint32_t>((bits & F16::kSignMask) != 0 ? -magnitude : magnitude);
}

}  // namespace
}  // namespace mutants

std::vector<Mutant> permitted_variants() {
  using namespace mutants;
  using enum Dtype;
  std::vector<Mutant> all = {
      {"f32_to_f16_canonical_nan", kF32ToF16, "gives 0x7e00 for every NaN", "",
       &elementwise<kF32, kF16, f16_canonical_nan>},
      {"f32_to_f16_payload_dropped", kF32ToF16, "keeps a NaN's sign and drops its payload", "",
       &elementwise<kF32, kF16, f16_payload_dropped>},
      {"f32_to_bf16_by_remainder", kF32ToBF16, "compares the dropped bits with half a step", "",
       &elementwise<kF32, kBF16, bf16_by_remainder>},
      {"f32_to_u32_indefinite", kF32ToU32, "gives 0x80000000 for every input out of the domain", "",
       &elementwise<kF32, kU32, u32_indefinite>},
      {"f64_to_f32_by_the_compiler", kF64ToF32, "is the language's own conversion", "",
       &elementwise<kF64, kF32, f32_by_the_compiler>},
      {"f16_to_f32_by_multiplication", kF16ToF32, "multiplies the significand by a power of two",
       "", &elementwise<kF16, kF32, f32_by_multiplication>},
  };
  const std::vector<Mutant> others = permitted_algorithms();
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace assay
