#include "oracles/sum/sum_oracle.h"

#include <cmath>
#include <deque>
#include <limits>
#include <stdexcept>

#include "oracles/codec.h"

namespace assay::oracle {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

/// A tensor's elements as MPFR numbers.
class Operand {
 public:
  void load(std::span<const Bits> elements, Dtype dtype) {
    while (values_.size() < elements.size()) values_.emplace_back(kDecodePrecision);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (traits(dtype).is_nan(elements[i])) {
        mpfr_set_nan(values_[i].get());
      } else {
        decode(elements[i], dtype, values_[i]);
      }
    }
  }
  const MpfrReal& operator[](std::size_t i) const { return values_[i]; }

 private:
  std::deque<MpfrReal> values_;  // MpfrReal does not move
};

}  // namespace

struct SumOracle::State {
  explicit State(Dtype format_dtype)
      : dtype(format_dtype),
        format(traits(format_dtype)),
        encoder(format_dtype),
        accumulator(format.precision),
        product(format.precision),
        sum(kDecodePrecision),
        scratch(kDecodePrecision) {}

  /// The exact products and the bias in `addends`, with room for one more behind them.
  void make_addends() {
    // Twice the operands' 64 bits of room: every product is exact.
    while (addends.size() < terms.size() + 2) addends.emplace_back(2 * kDecodePrecision);
    pointers.clear();
    for (std::size_t i = 0; i < terms.size(); ++i) {
      mpfr_mul(addends[i].get(), x[terms[i].x].get(), weight[terms[i].weight].get(), MPFR_RNDN);
      pointers.push_back(addends[i].get());
    }
    if (bias_index) {
      mpfr_set(addends[terms.size()].get(), bias[*bias_index].get(), MPFR_RNDN);
      pointers.push_back(addends[terms.size()].get());
    }
  }

  /// The addends' sum, rounded to `to` as `rounding` says. Exact but for that rounding.
  int add_up(MpfrReal& to, mpfr_rnd_t rounding) {
    return mpfr_sum(to.get(), pointers.data(), pointers.size(), rounding);
  }

  /// Evaluated in the format; with `bias_first` the sum starts with the bias there is.
  Bits model(bool bias_first) {
    {
      const FormatScope in_format(format);
      if (bias_first) {
        mpfr_set(accumulator.get(), bias[*bias_index].get(), MPFR_RNDN);
      } else {
        mpfr_set_zero(accumulator.get(), 1);
      }
      for (const Term& term : terms) {
        in_format.multiply(product, x[term.x], weight[term.weight]);
        in_format.add(accumulator, accumulator, product);
      }
      if (bias_index && !bias_first) in_format.add(accumulator, accumulator, bias[*bias_index]);
    }
    if (mpfr_nan_p(accumulator.get())) return format.infinity() | format.quiet_bit();
    return encoder.nearest_even(accumulator);
  }

  void magnitudes() {
    for (const mpfr_ptr addend : pointers) mpfr_abs(addend, addend, MPFR_RNDN);
    add_up(sum, MPFR_RNDU);
    truth.magnitudes = mpfr_get_d(sum.get(), MPFR_RNDU);
  }

  /// The bound that the header gives, where `sum` holds the magnitudes.
  void bound(std::size_t products, bool with_bias) {
    // m u is exact, and so is 1 - m u in 64 bits for any m that fits in memory; 1 + m u need not
    // be, where it stands before a term with a factor of 2 to spare.
    const double steps =
        std::ldexp(static_cast<double>(products + (with_bias ? 1 : 0)), -format.precision);
    mpfr_set_d(scratch.get(), steps, MPFR_RNDU);
    if (steps < 0.5) {
      mpfr_ui_sub(product_wide.get(), 1, scratch.get(), MPFR_RNDD);
      mpfr_div(scratch.get(), scratch.get(), product_wide.get(), MPFR_RNDU);
    }
    mpfr_mul(scratch.get(), scratch.get(), sum.get(), MPFR_RNDU);
    mpfr_add(limit.get(), scratch.get(), sum.get(), MPFR_RNDU);  // the largest a partial sum can be
    mpfr_set_ui_2exp(product_wide.get(), products, format.min_exponent - format.fraction_bits(),
                     MPFR_RNDU);
    mpfr_mul_d(product_wide.get(), product_wide.get(), 1 + steps, MPFR_RNDU);
    mpfr_add(scratch.get(), scratch.get(), product_wide.get(), MPFR_RNDU);
    mpfr_add(limit.get(), limit.get(), product_wide.get(), MPFR_RNDU);
    decode(format.max_finite(), dtype, product_wide);
    truth.bounded = mpfr_lessequal_p(limit.get(), product_wide.get()) != 0;
    truth.error_bound = mpfr_get_d(scratch.get(), MPFR_RNDU);
  }

  Dtype dtype;
  const DtypeTraits& format;
  Encoder encoder;
  Operand x;
  Operand weight;
  Operand bias;
  std::deque<MpfrReal> addends;
  std::vector<mpfr_ptr> pointers;
  MpfrReal accumulator;
  MpfrReal product;
  MpfrReal sum;
  MpfrReal scratch;
  MpfrReal product_wide{kDecodePrecision};
  MpfrReal limit{kDecodePrecision};
  SumTruth truth;
  std::vector<Term> terms;
  std::optional<std::size_t> bias_index;
};

SumOracle::SumOracle(Dtype dtype) {
  if (!traits(dtype).is_floating()) {
    throw std::invalid_argument("sums are for floating formats");
  }
  state_ = std::make_unique<State>(dtype);
}

SumOracle::SumOracle(SumOracle&&) noexcept = default;
SumOracle::~SumOracle() = default;

void SumOracle::load(std::span<const Bits> x, std::span<const Bits> weight,
                     std::span<const Bits> bias) {
  state_->x.load(x, state_->dtype);
  state_->weight.load(weight, state_->dtype);
  state_->bias.load(bias, state_->dtype);
}

const SumTruth& SumOracle::evaluate(const std::vector<Term>& terms,
                                    std::optional<std::size_t> bias) {
  State& s = *state_;
  s.terms = terms;
  s.bias_index = bias;
  SumTruth& truth = s.truth;
  truth = SumTruth{};
  truth.products = terms.size();
  truth.model = s.model(false);
  truth.model_bias_first = bias ? s.model(true) : truth.model;

  s.make_addends();
  truth.finite = !bias || mpfr_number_p(s.bias[*bias].get()) != 0;
  for (const Term& term : terms) {
    truth.finite = truth.finite && mpfr_number_p(s.x[term.x].get()) != 0 &&
                   mpfr_number_p(s.weight[term.weight].get()) != 0;
  }
  truth.exact = s.encoder.nearest_even_sum(s.pointers);
  if (!truth.finite) {
    truth.magnitudes = kInfinity;
    truth.condition = kInfinity;
    truth.error_bound = kInfinity;
    return truth;
  }
  s.add_up(s.scratch, MPFR_RNDN);  // for the condition: 64 bits are plenty
  mpfr_abs(s.scratch.get(), s.scratch.get(), MPFR_RNDN);
  s.magnitudes();
  if (truth.magnitudes != 0) {
    mpfr_div(s.scratch.get(), s.sum.get(), s.scratch.get(), MPFR_RNDN);
    truth.condition = mpfr_get_d(s.scratch.get(), MPFR_RNDN);
  }
  s.bound(terms.size(), bias.has_value());
  return truth;
}

SumError SumOracle::error(Bits got) {
  State& s = *state_;
  SumError result;
  if (s.format.is_infinite(got) && got == s.truth.exact) return result;
  if (s.format.is_infinite(got)) {
    result.absolute = result.relative = result.ulp = kInfinity;
    result.within_bound = false;
    return result;
  }
  // The exact sum again, since evaluating made magnitudes of the addends.
  s.make_addends();
  s.add_up(s.scratch, MPFR_RNDZ);  // toward zero: a sum just below a power of two stays below
  MpfrReal& difference = s.sum;
  mpfr_ptr negated = s.addends[s.pointers.size()].get();
  decode(got, s.dtype, s.addends[s.pointers.size()]);
  mpfr_neg(negated, negated, MPFR_RNDN);
  s.pointers.push_back(negated);
  s.add_up(difference, MPFR_RNDN);
  s.pointers.pop_back();
  mpfr_abs(difference.get(), difference.get(), MPFR_RNDN);
  result.absolute = mpfr_get_d(difference.get(), MPFR_RNDN);
  result.within_bound = mpfr_get_d(difference.get(), MPFR_RNDD) <= s.truth.error_bound;
  if (mpfr_zero_p(difference.get())) return result;
  const bool zero = mpfr_zero_p(s.scratch.get()) != 0;
  const mpfr_exp_t leading = zero ? s.format.min_exponent : mpfr_get_exp(s.scratch.get()) - 1;
  const mpfr_exp_t binade = leading < s.format.min_exponent ? s.format.min_exponent : leading;
  mpfr_abs(s.scratch.get(), s.scratch.get(), MPFR_RNDN);
  if (leading < s.format.min_exponent || zero) {
    mpfr_set_ui_2exp(s.scratch.get(), 1, s.format.min_exponent, MPFR_RNDN);
  }
  mpfr_div(s.limit.get(), difference.get(), s.scratch.get(), MPFR_RNDN);
  result.relative = mpfr_get_d(s.limit.get(), MPFR_RNDN);
  mpfr_mul_2si(difference.get(), difference.get(), s.format.fraction_bits() - binade, MPFR_RNDN);
  result.ulp = mpfr_get_d(difference.get(), MPFR_RNDN);
  return result;
}

}  // namespace assay::oracle
