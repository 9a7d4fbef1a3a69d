// Casts by other algorithms, each of which gives the same results for a reason of its own; and such
// as differ in the bits of NaN or outside the contracts' domains.

#include <bit>
#include <cmath>
#include <system_error>
#include <thread>
#include <vector>

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

float f32_of(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}
std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

std::uint32_t f32_canonical_nan(std::uint64_t bits) {
  return F64::kTraits.is_nan(bits) ? 0x7fc00000u : narrow<F64, F32>(bits);
}

std::uint64_t f64_by_the_compiler(std::uint32_t bits) {
  return std::bit_cast<std::uint64_t>(static_cast<double>(f32_of(bits)));
}

std::uint16_t bf16_unsigned_nan(std::uint32_t bits) {
  return F32::kTraits.is_nan(bits) ? std::uint16_t{0x7fc0} : narrow<F32, BF16>(bits);
}

/// A signalling NaN stays one.
std::uint64_t f64_not_quieted(std::uint16_t bits) {
  const bool keep = F16::kTraits.is_nan(bits) && (bits & F16::kQuietBit) == 0;
  return keep ? widen<F16, F64>(bits) & ~F64::kQuietBit : widen<F16, F64>(bits);
}

std::uint32_t f32_by_shift(std::uint16_t bits) {
  return static_cast<std::uint32_t>(bits) << 16;
}

/// f64 holds every u32, so only the second step rounds.
std::uint32_t f32_over_f64(std::uint32_t value) {
  return bits_of(static_cast<float>(static_cast<double>(value)));
}

/// Each half fits into f32, and so does the upper one times 2^16: only the sum rounds.
std::uint32_t f32_in_halves(std::uint32_t value) {
  const float upper = static_cast<float>(value >> 16) * 65536.0f;
  return bits_of(upper + static_cast<float>(value & 0xffffu));
}

/// 2^52 + value has the value in its last bits.
std::uint64_t f64_by_subtraction(std::uint32_t value) {
  return std::bit_cast<std::uint64_t>(std::bit_cast<double>(0x4330000000000000u | value) - 0x1p52);
}

std::uint32_t u32_over_i64(std::uint32_t bits) {
  const float value = f32_of(bits);
  return value > -1.0f && value < 4294967296.0f
             ? static_cast<std::uint32_t>(static_cast<std::int64_t>(value))
             : 0u;
}

/// Clamps to the range, and has a number of its own for NaN.
std::uint32_t u32_clamped(std::uint64_t bits) {
  const double value = std::bit_cast<double>(bits);
  if (std::isnan(value)) return 7u;
  return static_cast<std::uint32_t>(std::fmin(std::fmax(std::trunc(value), 0.0), 4294967295.0));
}

/// Rounds down, so that fractions below zero, which the contract excludes, give the greatest
/// integer.
std::uint32_t u32_floor(std::uint64_t bits) {
  const double value = std::bit_cast<double>(bits);
  return value > -1.0 && value < 0 ? 0xffffffffu : cast::truncate_f64(bits);
}

/// The integer's bits are those of the significand, shifted.
std::uint32_t u32_by_shift(std::uint64_t bits) {
  const double value = std::bit_cast<double>(bits);
  if (!(value >= 1.0 && value < 4294967296.0)) return 0u;
  const int exponent = static_cast<int>(bits >> F64::kFractionBits) - F64::kBias;
  const std::uint64_t significand =
      (bits & F64::kFractionMask) | (std::uint64_t{1} << F64::kFractionBits);
  return static_cast<std::uint32_t>(significand >> (F64::kFractionBits - exponent));
}

/// Subnormal results by an addition: a step of the f32 0.5 is the least subnormal of f16.
std::uint16_t f16_by_addition(std::uint32_t bits) {
  const float magnitude = std::fabs(f32_of(bits));
  if (!(magnitude < 0x1p-14f)) return narrow<F32, F16>(bits);
  const std::uint32_t result = bits_of(magnitude + 0.5f) - bits_of(0.5f);
  return static_cast<std::uint16_t>(result | (bits >> 31 << 15));
}

/// Rounded to odd on the way, an f32 has bits enough to be rounded again.
template <class Destination>
std::uint16_t over_odd_f32(std::uint64_t bits) {
  if (F64::kTraits.is_nan(bits)) return narrow<F64, Destination>(bits);
  std::uint32_t middle = narrow<F64, F32>(bits);
  const std::uint64_t back = widen<F32, F64>(middle);
  if (back != bits) {
    const bool up = (back & F64::kMagnitudeMask) > (bits & F64::kMagnitudeMask);
    middle = (middle - (up ? 1 : 0)) | 1u;
  }
  return narrow<F32, Destination>(middle);
}

std::uint32_t f32_by_table(std::uint16_t bits) {
  static const std::vector<std::uint32_t> table = [] {
    std::vector<std::uint32_t> values;
    for (std::uint32_t word = 0; word < 0x10000u; ++word) {
      const int exponent = static_cast<int>(word >> 10 & 31);
      const auto fraction = static_cast<float>(word & 0x3ff);
      const float magnitude =
          exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024.0f, exponent - 25);
      const bool special = exponent == 31;
      values.push_back(special ? widen<F16, F32>(static_cast<std::uint16_t>(word))
                               : bits_of(magnitude) | (word >> 15 << 31));
    }
    return values;
  }();
  return table[bits];
}

std::uint16_t bf16_over_f64(std::uint16_t bits) {
  return narrow<F64, BF16>(widen<F16, F64>(bits));
}
std::uint16_t f16_over_f64(std::uint16_t bits) {
  return narrow<F64, F16>(widen<BF16, F64>(bits));
}
std::uint64_t f64_over_f32(std::uint16_t bits) {
  return widen<F32, F64>(widen<BF16, F32>(bits));
}

KernelStatus f32_to_bf16_backwards(KernelCall& call) {
  return run_cast(call, Dtype::kF32, Dtype::kBF16, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    for (std::size_t i = n; i-- > 0;) {
                      store(out, i, narrow<F32, BF16>(load<std::uint32_t>(in, i)));
                    }
                  });
}

void f16_stretch(const std::byte* in, std::byte* out, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    store(out, i, narrow<F32, F16>(load<std::uint32_t>(in, i)));
  }
}

/// Halves long tensors between two threads; alone where there is no second one to be had.
KernelStatus f32_to_f16_two_threads(KernelCall& call) {
  return run_cast(call, Dtype::kF32, Dtype::kF16, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    const std::size_t half = n < 64 ? 0 : n / 2;
                    std::thread other;
                    try {
                      if (half > 0) other = std::thread(f16_stretch, in, out, 0, half);
                    } catch (const std::system_error&) {
                      f16_stretch(in, out, 0, half);
                    }
                    f16_stretch(in, out, half, n);
                    if (other.joinable()) other.join();
                  });
}

}  // namespace

std::vector<Mutant> permitted_algorithms() {
  using enum Dtype;
  return {
      {"f64_to_f32_canonical_nan", kF64ToF32, "gives 0x7fc00000 for every NaN", "",
       &elementwise<kF64, kF32, f32_canonical_nan>},
      {"f32_to_f64_by_the_compiler", kF32ToF64, "is the language's own conversion", "",
       &elementwise<kF32, kF64, f64_by_the_compiler>},
      {"f32_to_bf16_unsigned_nan", kF32ToBF16, "drops sign and payload of NaNs", "",
       &elementwise<kF32, kBF16, bf16_unsigned_nan>},
      {"f16_to_f64_not_quieted", kF16ToF64, "leaves signalling NaNs signalling", "",
       &elementwise<kF16, kF64, f64_not_quieted>},
      {"bf16_to_f32_by_shift", kBF16ToF32, "shifts the bits, NaN or not", "",
       &elementwise<kBF16, kF32, f32_by_shift>},
      {"u32_to_f32_over_f64", kU32ToF32, "converts to f64 first, exactly", "",
       &elementwise<kU32, kF32, f32_over_f64>},
      {"u32_to_f32_in_halves", kU32ToF32, "adds the halves in f32, rounding once", "",
       &elementwise<kU32, kF32, f32_in_halves>},
      {"u32_to_f64_by_subtraction", kU32ToF64, "writes the integer below 2^52, then subtracts that",
       "", &elementwise<kU32, kF64, f64_by_subtraction>},
      {"f32_to_u32_over_i64", kF32ToU32, "converts to a signed integer of 64 bits first", "",
       &elementwise<kF32, kU32, u32_over_i64>},
      {"f64_to_u32_clamped", kF64ToU32,
       "clamps what is out of the domain, and gives 7 for NaN: no part of the contract", "",
       &elementwise<kF64, kU32, u32_clamped>},
      {"f64_to_u32_floor", kF64ToU32,
       "gives 0xffffffff for what is between -1 and 0, which is out of the domain", "",
       &elementwise<kF64, kU32, u32_floor>},
      {"f64_to_u32_by_shift", kF64ToU32, "shifts the significand; 0 out of the domain", "",
       &elementwise<kF64, kU32, u32_by_shift>},
      {"f32_to_f16_by_addition", kF32ToF16, "rounds subnormal results by adding 0.5", "",
       &elementwise<kF32, kF16, f16_by_addition>},
      {"f64_to_f16_over_odd_f32", kF64ToF16, "rounds to odd in f32, then again", "",
       &elementwise<kF64, kF16, over_odd_f32<F16>>},
      {"f64_to_bf16_over_odd_f32", kF64ToBF16, "rounds to odd in f32, then again", "",
       &elementwise<kF64, kBF16, over_odd_f32<BF16>>},
      {"f16_to_f32_by_table", kF16ToF32, "looks all 65536 results up", "",
       &elementwise<kF16, kF32, f32_by_table>},
      {"f16_to_bf16_over_f64", kF16ToBF16, "goes over f64, not f32", "",
       &elementwise<kF16, kBF16, bf16_over_f64>},
      {"bf16_to_f16_over_f64", kBF16ToF16, "goes over f64, not f32", "",
       &elementwise<kBF16, kF16, f16_over_f64>},
      {"bf16_to_f64_over_f32", kBF16ToF64, "goes over f32, exactly", "",
       &elementwise<kBF16, kF64, f64_over_f32>},
      {"f32_to_bf16_backwards", kF32ToBF16, "converts the last element first", "",
       &f32_to_bf16_backwards},
      {"f32_to_f16_two_threads", kF32ToF16, "halves long tensors between two threads", "",
       &f32_to_f16_two_threads},
  };
}

}  // namespace assay::mutants
