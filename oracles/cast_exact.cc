#include "oracles/cast_exact.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "oracles/codec.h"

namespace assay::oracle {

namespace {

/// True when every value of `from` is a value of `to`.
bool widens(const DtypeTraits& from, const DtypeTraits& to) {
  if (!to.is_floating()) return false;
  if (!from.is_floating()) return from.precision <= to.precision;
  return from.precision <= to.precision && from.max_exponent <= to.max_exponent &&
         from.min_exponent - from.precision >= to.min_exponent - to.precision;
}

Bits conventional_nan(Bits input, const DtypeTraits& from, const DtypeTraits& to) {
  if (!to.is_floating()) return 0;
  const Bits sign = from.is_negative(input) ? to.sign_mask() : 0;
  const Bits fraction = input & from.fraction_mask();
  const int drop = from.fraction_bits() - to.fraction_bits();
  const Bits aligned = drop >= 0 ? fraction >> drop : fraction << -drop;
  return sign | to.infinity() | to.quiet_bit() | aligned;
}

}  // namespace

Rounding natural_rounding(Dtype from, Dtype to) {
  if (!traits(to).is_floating()) return Rounding::kTowardZero;
  return widens(traits(from), traits(to)) ? Rounding::kExact : Rounding::kNearestEven;
}

struct ExactCast::Scratch {
  explicit Scratch(Dtype to)
      : encoder(traits(to).is_floating() ? to : Dtype::kF64),
        value(kDecodePrecision),
        got(kDecodePrecision),
        // Wide enough that a difference of two values of the formats here is exact: exponents span
        // less than 2^12 binades.
        wide(4400) {}
  Encoder encoder;
  MpfrReal value;
  MpfrReal got;
  MpfrReal wide;
};

ExactCast::ExactCast(CastOperation operation)
    : operation_(operation), scratch_(std::make_unique<Scratch>(operation.to)) {
  const bool floating = traits(operation.to).is_floating();
  if (!floating && traits(operation.to).kind != NumberKind::kUnsigned) {
    throw std::invalid_argument("no oracle for casts to signed integers");
  }
  if (floating == (operation.rounding == Rounding::kTowardZero)) {
    throw std::invalid_argument("this rounding does not fit the destination");
  }
}

ExactCast::ExactCast(ExactCast&&) noexcept = default;
ExactCast::~ExactCast() = default;

Bits ExactCast::operator()(Bits input) {
  const DtypeTraits& from = traits(operation_.from);
  const DtypeTraits& to = traits(operation_.to);
  if (from.is_nan(input)) return conventional_nan(input, from, to);
  decode(input, operation_.from, scratch_->value);
  if (to.is_floating()) return scratch_->encoder.nearest_even(scratch_->value);
  mpfr_ptr value = scratch_->value.get();
  if (mpfr_cmp_ui(value, 0) <= 0) return 0;
  if (mpfr_cmp_ui(value, to.all_mask()) >= 0) return to.all_mask();
  return mpfr_get_uj(value, MPFR_RNDZ);
}

bool ExactCast::representable(Bits input) {
  const DtypeTraits& from = traits(operation_.from);
  if (from.is_nan(input)) return false;
  const Bits result = (*this)(input);  // leaves the input's value in scratch
  decode(result, operation_.to, scratch_->got);
  return mpfr_equal_p(scratch_->got.get(), scratch_->value.get()) != 0;
}

double ExactCast::absolute_error(Bits input, Bits got) {
  decode(input, operation_.from, scratch_->value);
  decode(got, operation_.to, scratch_->got);
  mpfr_sub(scratch_->wide.get(), scratch_->got.get(), scratch_->value.get(), MPFR_RNDN);
  return std::fabs(mpfr_get_d(scratch_->wide.get(), MPFR_RNDU));
}

double ExactCast::relative_error(Bits input, Bits got) {
  decode(input, operation_.from, scratch_->value);
  decode(got, operation_.to, scratch_->got);
  mpfr_ptr error = scratch_->wide.get();
  mpfr_sub(error, scratch_->got.get(), scratch_->value.get(), MPFR_RNDN);
  if (mpfr_zero_p(error)) return 0;
  mpfr_div(error, error, scratch_->value.get(), MPFR_RNDA);
  return std::fabs(mpfr_get_d(error, MPFR_RNDA));
}

double ExactCast::ulp_error(Bits input, Bits got) {
  const DtypeTraits& to = traits(operation_.to);
  decode(input, operation_.from, scratch_->value);
  decode(got, operation_.to, scratch_->got);
  mpfr_ptr error = scratch_->wide.get();
  mpfr_sub(error, scratch_->got.get(), scratch_->value.get(), MPFR_RNDN);
  if (to.is_floating()) {
    const bool zero = mpfr_zero_p(scratch_->value.get()) != 0;
    const mpfr_exp_t leading = zero ? to.min_exponent : mpfr_get_exp(scratch_->value.get()) - 1;
    const mpfr_exp_t binade = leading < to.min_exponent ? to.min_exponent : leading;
    mpfr_mul_2si(error, error, to.fraction_bits() - binade, MPFR_RNDN);
  }
  return std::fabs(mpfr_get_d(error, MPFR_RNDA));
}

std::string value_text(Bits bits, Dtype dtype) {
  const DtypeTraits& format = traits(dtype);
  if (format.is_nan(bits)) {
    return fmt::format("{}nan ({}, payload {:#x})", format.is_negative(bits) ? "-" : "",
                       format.is_quiet(bits) ? "quiet" : "signalling", format.payload(bits));
  }
  MpfrReal value(kDecodePrecision);
  decode(bits, dtype, value);
  if (mpfr_inf_p(value.get())) return format.is_negative(bits) ? "-inf" : "inf";
  if (!format.is_floating()) return fmt::format("{}", mpfr_get_sj(value.get(), MPFR_RNDN));
  const double number = mpfr_get_d(value.get(), MPFR_RNDN);  // exact: every format fits binary64
  if (number == 0) return std::signbit(number) ? "-0" : "0";
  Encoder encoder(dtype);
  MpfrReal back(kDecodePrecision + 64);
  for (int digits = 1; digits <= 17; ++digits) {
    const std::string text = fmt::format("{:.{}g}", number, digits);
    mpfr_set_str(back.get(), text.c_str(), 10, MPFR_RNDN);
    if (encoder.nearest_even(back) == bits) return fmt::format("{} ({:a})", text, number);
  }
  return fmt::format("{:.17g} ({:a})", number, number);
}

int compare_with_text(Bits bits, Dtype dtype, const std::string& text) {
  MpfrReal value(kDecodePrecision);
  decode(bits, dtype, value);
  const std::size_t caret = text.find('^');
  MpfrReal bound(2048);  // holds any 2^1023 and any decimal of 600 digits exactly
  if (caret == std::string::npos) {
    mpfr_set_str(bound.get(), text.c_str(), 10, MPFR_RNDN);
  } else {
    const bool negative = text.front() == '-';
    mpfr_set_si_2exp(bound.get(), negative ? -1 : 1, std::stol(text.substr(caret + 1)), MPFR_RNDN);
  }
  return mpfr_cmp(value.get(), bound.get());
}

}  // namespace assay::oracle
