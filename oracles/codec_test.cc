// The codec against values worked out without it: scaled integers, the compiler's own binary32 and
// binary64, and midpoints between neighbours.
#include "oracles/codec.h"

#include <bit>
#include <cmath>

#include "contracts/testing/catch.h"
#include "oracles/testing/patterns.h"

namespace assay::oracle {
namespace {

/// The value of a 16-bit float, from the definition of the format.
double value_of(Bits bits, const DtypeTraits& format) {
  const Bits magnitude = bits & format.magnitude_mask();
  const auto field = static_cast<int>(magnitude >> format.fraction_bits());
  const auto fraction = static_cast<double>(magnitude & format.fraction_mask());
  const double hidden = field == 0 ? 0 : std::ldexp(1.0, format.fraction_bits());
  const int exponent = (field == 0 ? 1 : field) - format.max_exponent - format.fraction_bits();
  const double value = std::ldexp(hidden + fraction, exponent);
  return (bits & format.sign_mask()) != 0 ? -value : value;
}

bool same(double a, double b) {
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

TEST_CASE("every 16-bit pattern decodes to its value and encodes back") {
  for (const Dtype dtype : {Dtype::kF16, Dtype::kBF16}) {
    const DtypeTraits& format = traits(dtype);
    Encoder encoder(dtype);
    MpfrReal real(kDecodePrecision);
    std::uint64_t wrong_value = 0;
    std::uint64_t wrong_bits = 0;
    std::uint64_t seen = 0;
    for (Bits bits = 0; bits <= 0xffff; ++bits) {
      if (format.is_nan(bits)) continue;
      ++seen;
      decode(bits, dtype, real);
      const double due = format.is_infinite(bits)
                             ? (format.is_negative(bits) ? -HUGE_VAL : HUGE_VAL)
                             : value_of(bits, format);
      wrong_value += !same(mpfr_get_d(real.get(), MPFR_RNDN), due);
      wrong_bits += encoder.nearest_even(real) != bits;
    }
    CAPTURE(format.name);
    CHECK(wrong_value == 0);
    CHECK(wrong_bits == 0);
    CHECK(seen == 65536 - 2 * format.fraction_mask());
  }
}

TEST_CASE("binary32 and binary64 patterns decode to what the compiler holds and encode back") {
  const auto hardware = [](Bits bits, Dtype dtype) {
    return dtype == Dtype::kF64
               ? std::bit_cast<double>(bits)
               : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  };
  for (const Dtype dtype : {Dtype::kF32, Dtype::kF64}) {
    Encoder encoder(dtype);
    MpfrReal real(kDecodePrecision);
    for (const Bits bits : testing::patterns(dtype, 20, 1)) {
      if (traits(dtype).is_nan(bits)) continue;
      decode(bits, dtype, real);
      CAPTURE(hex(bits, dtype));
      REQUIRE(same(mpfr_get_d(real.get(), MPFR_RNDN), hardware(bits, dtype)));
      REQUIRE(encoder.nearest_even(real) == bits);
    }
  }
}

TEST_CASE("integers decode to their value") {
  struct Row {
    Dtype dtype;
    Bits bits;
    long due;
  };
  constexpr Row rows[] = {
      {Dtype::kU8, 0xff, 255},
      {Dtype::kI8, 0x80, -128},
      {Dtype::kI8, 0x7f, 127},
      {Dtype::kI16, 0xffff, -1},
      {Dtype::kU32, 0xffffffff, 4294967295},
      {Dtype::kI32, 0x80000000, -2147483648},
      {Dtype::kI64, 0x8000000000000000, std::numeric_limits<long>::min()},
      {Dtype::kI64, 0x7fffffffffffffff, std::numeric_limits<long>::max()},
  };
  MpfrReal real(kDecodePrecision);
  for (const Row& row : rows) {
    decode(row.bits, row.dtype, real);
    CAPTURE(traits(row.dtype).name, row.bits);
    CHECK(mpfr_cmp_si(real.get(), row.due) == 0);
  }
}

TEST_CASE("midpoints between 16-bit neighbours encode to the even one, either side to the nearer") {
  for (const Dtype dtype : {Dtype::kF16, Dtype::kBF16}) {
    const DtypeTraits& format = traits(dtype);
    Encoder encoder(dtype);
    // Wide enough for a midpoint and a nudge 2^-200 of its size.
    MpfrReal middle(300);
    MpfrReal nudged(300);
    std::uint64_t wrong = 0;
    for (Bits low = 0; low < format.infinity(); ++low) {
      // Beyond the largest finite number the spacing goes on as if exponents did not end.
      const double upper = low == format.max_finite()
                               ? 2 * value_of(low, format) - value_of(low - 1, format)
                               : value_of(low + 1, format);
      mpfr_set_d(middle.get(), value_of(low, format), MPFR_RNDN);
      mpfr_add_d(middle.get(), middle.get(), upper, MPFR_RNDN);
      mpfr_div_2ui(middle.get(), middle.get(), 1, MPFR_RNDN);
      for (const Bits sign : {Bits{0}, format.sign_mask()}) {
        if (sign != 0) mpfr_neg(middle.get(), middle.get(), MPFR_RNDN);
        wrong += encoder.nearest_even(middle) != (low % 2 == 0 ? low : low + 1) + sign;
        for (const int outward : {0, 1}) {
          mpfr_div_2ui(nudged.get(), middle.get(), 200, MPFR_RNDN);
          if (outward == 0) mpfr_neg(nudged.get(), nudged.get(), MPFR_RNDN);
          mpfr_add(nudged.get(), middle.get(), nudged.get(), MPFR_RNDN);
          wrong += encoder.nearest_even(nudged) != (outward == 0 ? low : low + 1) + sign;
        }
      }
    }
    CAPTURE(format.name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("an encoder leaves MPFR's exponent range as it was") {
  const mpfr_exp_t emin = mpfr_get_emin();
  const mpfr_exp_t emax = mpfr_get_emax();
  MpfrReal real(64);
  mpfr_set_d(real.get(), 0x1p-24, MPFR_RNDN);
  CHECK(Encoder(Dtype::kF16).nearest_even(real) == 1);
  CHECK(mpfr_get_emin() == emin);
  CHECK(mpfr_get_emax() == emax);
}

TEST_CASE("reals far beyond any format encode to zero and infinity") {
  MpfrReal real(64);
  mpfr_set_si_2exp(real.get(), -3, 200000, MPFR_RNDN);
  CHECK(Encoder(Dtype::kF64).nearest_even(real) == 0xfff0000000000000);
  CHECK(Encoder(Dtype::kBF16).nearest_even(real) == 0xff80);
  mpfr_set_si_2exp(real.get(), -3, -200000, MPFR_RNDN);
  CHECK(Encoder(Dtype::kF64).nearest_even(real) == 0x8000000000000000);
  CHECK(Encoder(Dtype::kF16).nearest_even(real) == 0x8000);
}

}  // namespace
}  // namespace assay::oracle
