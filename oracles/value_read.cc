#include "oracles/value_read.h"

#include "oracles/codec.h"

namespace assay::oracle {

namespace {

constexpr std::size_t kMostCharacters = 4096;
constexpr mpfr_prec_t kPrecision = 1280;

/// The number of a text, up to `kPrecision` bits; where it has more, a number strictly between the
/// two next to it, so that rounding it again is rounding once.
bool read_number(const std::string& text, MpfrReal& out) {
  char* end = nullptr;
  MpfrReal toward_zero(kPrecision);
  const int rest = mpfr_strtofr(toward_zero.get(), text.c_str(), &end, 0, MPFR_RNDZ);
  if (end == text.c_str() || *end != '\0') return false;
  mpfr_set(out.get(), toward_zero.get(), MPFR_RNDN);  // one bit more: exact
  if (rest > 0) mpfr_nextbelow(out.get());
  if (rest < 0) mpfr_nextabove(out.get());
  return true;
}

}  // namespace

std::optional<ReadValue> read_value(const std::string& text, Dtype dtype) {
  if (text.empty() || text.size() > kMostCharacters ||
      text.find_first_not_of("0123456789abcdefABCDEFxXpPnNiItTyY+-.") != std::string::npos) {
    return std::nullopt;
  }
  MpfrReal number(kPrecision + 1);
  if (!read_number(text, number)) return std::nullopt;
  const DtypeTraits& format = traits(dtype);
  if (!format.is_floating()) {
    if (mpfr_integer_p(number.get()) == 0 || mpfr_fits_intmax_p(number.get(), MPFR_RNDN) == 0) {
      return std::nullopt;
    }
    const std::intmax_t whole = mpfr_get_sj(number.get(), MPFR_RNDN);
    const Bits bits = static_cast<Bits>(whole) & format.all_mask();
    MpfrReal back(kDecodePrecision);
    decode(bits, dtype, back);
    if (mpfr_cmp(back.get(), number.get()) != 0) return std::nullopt;
    return ReadValue{bits, true};
  }
  if (mpfr_nan_p(number.get()) != 0) return ReadValue{format.infinity() | format.quiet_bit(), true};
  const Bits bits = Encoder(dtype).nearest_even(number);
  MpfrReal back(kDecodePrecision);
  decode(bits, dtype, back);
  return ReadValue{bits, mpfr_cmp(back.get(), number.get()) == 0};
}

}  // namespace assay::oracle
