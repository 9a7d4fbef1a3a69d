#include "oracles/sum/sum_by_mpfr.h"

#include <deque>
#include <limits>
#include <vector>

#include "oracles/codec.h"
#include "oracles/sum/sum_bound.h"

namespace assay::oracle {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Enough for the sum of any 2^64 products of binary64 numbers, exactly: they reach from 2^-2148 to
/// 2^2048.
constexpr mpfr_prec_t kExactPrecision = 4288;

/// Arithmetic in one floating format on MPFR numbers of its precision: every operation rounds once,
/// to nearest even, with subnormals and overflow. A scope in which MPFR's exponent range is the
/// format's.
class FormatScope {
 public:
  explicit FormatScope(const DtypeTraits& format) : range_(exponents_of(format)) {}

  void multiply(MpfrReal& to, const MpfrReal& a, const MpfrReal& b) const {
    finish(to, mpfr_mul(to.get(), a.get(), b.get(), MPFR_RNDN));
  }
  void add(MpfrReal& to, const MpfrReal& a, const MpfrReal& b) const {
    finish(to, mpfr_add(to.get(), a.get(), b.get(), MPFR_RNDN));
  }

 private:
  static void finish(MpfrReal& value, int ternary) {
    mpfr_subnormalize(value.get(), ternary, MPFR_RNDN);
  }

  ExponentRange range_;
};

}  // namespace

struct SumByMpfr::State {
  explicit State(Dtype format_dtype)
      : dtype(format_dtype),
        format(traits(format_dtype)),
        encoder(format_dtype),
        factor(kDecodePrecision),
        other_factor(kDecodePrecision),
        accumulator(format.precision),
        product(format.precision),
        sum(kExactPrecision),
        difference(kExactPrecision),
        narrow(std::numeric_limits<double>::digits) {}

  static void set(MpfrReal& to, Bits bits, Dtype dtype) {
    if (traits(dtype).is_nan(bits)) {
      mpfr_set_nan(to.get());
    } else {
      decode(bits, dtype, to);
    }
  }

  /// Evaluated in the format; with `bias_first` the sum starts with the bias there is.
  Bits model(std::span<const Bits> x, std::span<const Bits> weight, std::optional<Bits> bias,
             bool bias_first) {
    {
      const FormatScope in_format(format);
      if (bias_first) {
        set(accumulator, *bias, dtype);
      } else {
        mpfr_set_zero(accumulator.get(), 1);
      }
      for (std::size_t i = 0; i < x.size(); ++i) {
        set(factor, x[i], dtype);
        set(other_factor, weight[i], dtype);
        in_format.multiply(product, factor, other_factor);
        in_format.add(accumulator, accumulator, product);
      }
      if (bias && !bias_first) {
        set(factor, *bias, dtype);
        in_format.add(accumulator, accumulator, factor);
      }
    }
    if (mpfr_nan_p(accumulator.get())) return format.infinity() | format.quiet_bit();
    return encoder.nearest_even(accumulator);
  }

  /// The exact products and the bias in `addends`. Returns whether all operands are finite.
  bool make_addends(std::span<const Bits> x, std::span<const Bits> weight,
                    std::optional<Bits> bias) {
    // Twice the operands' 64 bits of room: every product is exact.
    while (addends.size() < x.size() + 1) addends.emplace_back(2 * kDecodePrecision);
    pointers.clear();
    bool finite = !bias || format.is_finite(*bias);
    for (std::size_t i = 0; i < x.size(); ++i) {
      finite = finite && format.is_finite(x[i]) && format.is_finite(weight[i]);
      set(factor, x[i], dtype);
      set(other_factor, weight[i], dtype);
      mpfr_mul(addends[i].get(), factor.get(), other_factor.get(), MPFR_RNDN);
      pointers.push_back(addends[i].get());
    }
    if (bias) {
      set(addends[x.size()], *bias, dtype);
      pointers.push_back(addends[x.size()].get());
    }
    return finite;
  }

  void add_up(MpfrReal& to) { mpfr_sum(to.get(), pointers.data(), pointers.size(), MPFR_RNDN); }

  Dtype dtype;
  const DtypeTraits& format;
  Encoder encoder;
  MpfrReal factor;
  MpfrReal other_factor;
  std::deque<MpfrReal> addends;  // MpfrReal does not move
  std::vector<mpfr_ptr> pointers;
  MpfrReal accumulator;
  MpfrReal product;
  MpfrReal sum;  ///< exact
  MpfrReal difference;
  MpfrReal narrow;
  SumTruth truth;
};

SumByMpfr::SumByMpfr(Dtype dtype) : state_(std::make_unique<State>(dtype)) {}
SumByMpfr::SumByMpfr(SumByMpfr&&) noexcept = default;
SumByMpfr::~SumByMpfr() = default;

const SumTruth& SumByMpfr::evaluate(std::span<const Bits> x, std::span<const Bits> weight,
                                    std::optional<Bits> bias) {
  State& s = *state_;
  SumTruth& truth = s.truth;
  truth = SumTruth{};
  truth.products = x.size();
  truth.model = s.model(x, weight, bias, false);
  truth.model_bias_first = bias ? s.model(x, weight, bias, true) : truth.model;
  truth.finite = s.make_addends(x, weight, bias);
  s.add_up(s.sum);
  truth.exact = mpfr_zero_p(s.sum.get()) != 0 ? 0 : s.encoder.nearest_even_sum(s.pointers);
  if (!truth.finite) {
    truth.magnitudes = truth.condition = truth.error_bound = kInfinity;
    return truth;
  }
  const double sum = mpfr_get_d(s.sum.get(), MPFR_RNDN);
  for (const mpfr_ptr addend : s.pointers) mpfr_abs(addend, addend, MPFR_RNDN);
  s.add_up(s.difference);
  truth.magnitudes = mpfr_get_d(s.difference.get(), MPFR_RNDU);
  truth.condition = condition_of(truth.magnitudes, sum);
  const SumBound bound = sum_bound(x.size(), bias.has_value(), truth.magnitudes, s.format);
  truth.error_bound = bound.error;
  truth.bounded = bound.covers_every_order;
  return truth;
}

SumError SumByMpfr::error(Bits got) {
  State& s = *state_;
  if (s.format.is_infinite(got)) return error_of_infinity(got == s.truth.exact);
  SumError result;
  State::set(s.factor, got, s.dtype);
  mpfr_sub(s.difference.get(), s.sum.get(), s.factor.get(), MPFR_RNDN);
  mpfr_abs(s.difference.get(), s.difference.get(), MPFR_RNDN);
  result.absolute = mpfr_get_d(s.difference.get(), MPFR_RNDN);
  result.within_bound = mpfr_get_d(s.difference.get(), MPFR_RNDU) <= s.truth.error_bound;
  if (mpfr_zero_p(s.difference.get())) return result;
  mpfr_exp_t binade = s.format.min_exponent;
  MpfrReal least(kDecodePrecision);
  mpfr_set_ui_2exp(least.get(), 1, binade, MPFR_RNDN);
  const bool normal = mpfr_cmpabs(s.sum.get(), least.get()) >= 0;
  if (normal) binade = mpfr_get_exp(s.sum.get()) - 1;
  MpfrReal relative_to(std::numeric_limits<double>::digits);
  mpfr_set(s.narrow.get(), s.difference.get(), MPFR_RNDN);
  mpfr_set(relative_to.get(), normal ? s.sum.get() : least.get(), MPFR_RNDN);
  mpfr_div(s.narrow.get(), s.narrow.get(), relative_to.get(), MPFR_RNDN);
  mpfr_abs(s.narrow.get(), s.narrow.get(), MPFR_RNDN);
  result.relative = mpfr_get_d(s.narrow.get(), MPFR_RNDN);
  mpfr_mul_2si(s.difference.get(), s.difference.get(), s.format.fraction_bits() - binade,
               MPFR_RNDN);
  result.ulp = mpfr_get_d(s.difference.get(), MPFR_RNDN);
  return result;
}

}  // namespace assay::oracle
