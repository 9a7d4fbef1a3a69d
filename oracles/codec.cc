#include "oracles/codec.h"

namespace assay::oracle {

void decode(Bits bits, Dtype dtype, MpfrReal& out) {
  const DtypeTraits& format = traits(dtype);
  if (!format.is_floating()) {
    if (format.kind == NumberKind::kSigned) {
      const int unused = 64 - format.width;
      mpfr_set_sj(out.get(), static_cast<std::int64_t>(bits << unused) >> unused, MPFR_RNDN);
    } else {
      mpfr_set_uj(out.get(), bits, MPFR_RNDN);
    }
    return;
  }
  const int sign = format.is_negative(bits) ? -1 : 1;
  const Bits magnitude = bits & format.magnitude_mask();
  if (magnitude == format.infinity()) {
    mpfr_set_inf(out.get(), sign);
    return;
  }
  if (magnitude == 0) {
    mpfr_set_zero(out.get(), sign);
    return;
  }
  const auto field = static_cast<int>(magnitude >> format.fraction_bits());
  const Bits fraction = magnitude & format.fraction_mask();
  const Bits significand = field == 0 ? fraction : fraction | format.min_normal();
  const int exponent =
      (field == 0 ? format.min_exponent : field - format.bias()) - format.fraction_bits();
  mpfr_set_uj_2exp(out.get(), significand, exponent, MPFR_RNDN);
  if (sign < 0) mpfr_neg(out.get(), out.get(), MPFR_RNDN);
}

Encoder::Encoder(Dtype dtype)
    : format_(traits(dtype)), rounded_(format_.precision), scaled_(format_.precision + 1) {}

Bits Encoder::nearest_even(const MpfrReal& real) {
  return finish(mpfr_set(rounded_.get(), real.get(), MPFR_RNDN));
}

Bits Encoder::nearest_even_sum(const std::vector<mpfr_ptr>& numbers) {
  const int ternary = mpfr_sum(rounded_.get(), numbers.data(), numbers.size(), MPFR_RNDN);
  if (mpfr_nan_p(rounded_.get())) return format_.infinity() | format_.quiet_bit();
  return finish(ternary);
}

Bits Encoder::finish(int ternary) {
  // As MPFR's manual asks for subnormals: round to the precision in the wide exponent range, then
  // narrow the range and let check_range and subnormalize finish, guided by the ternary value, so
  // that the whole is one rounding.
  const ExponentRange range = exponents_of(format_);
  const int checked = mpfr_check_range(rounded_.get(), ternary, MPFR_RNDN);
  mpfr_subnormalize(rounded_.get(), checked, MPFR_RNDN);
  // Packing happens outside of the narrow range, where its scaled integer may not fit.
  const ExponentRange wide(mpfr_get_emin_min(), mpfr_get_emax_max());
  return pack();
}

Bits Encoder::pack() const {
  const Bits sign = mpfr_signbit(rounded_.get()) ? format_.sign_mask() : 0;
  if (mpfr_inf_p(rounded_.get())) return sign | format_.infinity();
  if (mpfr_zero_p(rounded_.get())) return sign;
  // |value| = 0.1xxx * 2^e, so its leading bit weighs 2^(e-1). Count in units of the spacing.
  const mpfr_exp_t leading = mpfr_get_exp(rounded_.get()) - 1;
  const mpfr_exp_t binade = leading < format_.min_exponent ? format_.min_exponent : leading;
  mpfr_abs(scaled_.get(), rounded_.get(), MPFR_RNDN);
  mpfr_mul_2si(scaled_.get(), scaled_.get(), format_.fraction_bits() - binade, MPFR_RNDN);
  const Bits units = mpfr_get_uj(scaled_.get(), MPFR_RNDZ);
  // The hidden bit of a normal significand adds one to the exponent field; a subnormal has none.
  const auto field = static_cast<Bits>(binade - format_.min_exponent);
  return sign | ((field << format_.fraction_bits()) + units);
}

}  // namespace assay::oracle
