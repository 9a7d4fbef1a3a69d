#include "oracles/benchmarks/naive_cast.h"

#include <bit>
#include <cmath>
#include <stdexcept>

#include "oracles/mpfr_real.h"

namespace assay::oracle {

namespace {

/// f32 to a format of 16 bits: MPFR rounds in the destination's precision and exponent range, and
/// the result, which is an f32 too, is compared with the value of the kernel's.
template <int kFractionBits, int kBias>
std::uint64_t to_half(const std::uint32_t* in, const std::uint16_t* out, std::size_t n) {
  constexpr mpfr_prec_t kPrecision = kFractionBits + 1;
  MpfrReal value(kPrecision);
  // MPFR's significands lie in [1/2, 1): exponents are greater by one.
  const ExponentRange range(1 - kBias - kFractionBits + 1, kBias + 1);
  std::uint64_t differing = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint16_t got = out[i];
    const int field = (got >> kFractionBits) & ((1 << (15 - kFractionBits)) - 1);
    const int fraction = got & ((1 << kFractionBits) - 1);
    const bool got_nan = field == 2 * kBias + 1 && fraction != 0;
    const float input = std::bit_cast<float>(in[i]);
    if (std::isnan(input)) {
      differing += !got_nan;
      continue;
    }
    const int ternary = mpfr_set_flt(value.get(), input, MPFR_RNDN);
    mpfr_subnormalize(value.get(), ternary, MPFR_RNDN);
    const float due = mpfr_get_flt(value.get(), MPFR_RNDN);
    float magnitude = 0;
    if (field == 2 * kBias + 1) {
      magnitude = HUGE_VALF;
    } else if (field == 0) {
      magnitude = std::ldexp(static_cast<float>(fraction), 1 - kBias - kFractionBits);
    } else {
      magnitude = std::bit_cast<float>(static_cast<std::uint32_t>(
          (field + 127 - kBias) << 23 | fraction << (23 - kFractionBits)));
    }
    const float result = (got >> 15) != 0 ? -magnitude : magnitude;
    differing +=
        got_nan || std::bit_cast<std::uint32_t>(due) != std::bit_cast<std::uint32_t>(result);
  }
  return differing;
}

std::uint64_t f32_to_u32(const std::uint32_t* in, const std::uint32_t* out, std::size_t n) {
  MpfrReal value(24);
  std::uint64_t differing = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mpfr_set_flt(value.get(), std::bit_cast<float>(in[i]), MPFR_RNDN);
    std::uint32_t due = 0;  // of NaN and of numbers below zero
    if (!mpfr_nan_p(value.get()) && mpfr_sgn(value.get()) > 0) {
      due = mpfr_fits_uint_p(value.get(), MPFR_RNDZ) != 0
                ? static_cast<std::uint32_t>(mpfr_get_ui(value.get(), MPFR_RNDZ))
                : ~std::uint32_t{0};
    }
    differing += due != out[i];
  }
  return differing;
}

std::uint64_t u32_to_f32(const std::uint32_t* in, const std::uint32_t* out, std::size_t n) {
  MpfrReal value(24);
  std::uint64_t differing = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mpfr_set_ui(value.get(), in[i], MPFR_RNDN);
    differing += std::bit_cast<std::uint32_t>(mpfr_get_flt(value.get(), MPFR_RNDN)) != out[i];
  }
  return differing;
}

}  // namespace

std::uint64_t count_differing(CastOperation operation, const void* in, const void* out,
                              std::size_t n) {
  const auto* words = static_cast<const std::uint32_t*>(in);
  const auto* halves = static_cast<const std::uint16_t*>(out);
  const auto* results = static_cast<const std::uint32_t*>(out);
  if (operation.from == Dtype::kF32 && operation.to == Dtype::kF16) {
    return to_half<10, 15>(words, halves, n);
  }
  if (operation.from == Dtype::kF32 && operation.to == Dtype::kBF16) {
    return to_half<7, 127>(words, halves, n);
  }
  if (operation.from == Dtype::kF32 && operation.to == Dtype::kU32) {
    return f32_to_u32(words, results, n);
  }
  if (operation.from == Dtype::kU32 && operation.to == Dtype::kF32) {
    return u32_to_f32(words, results, n);
  }
  throw std::invalid_argument("no naive loop for this cast");
}

}  // namespace assay::oracle
