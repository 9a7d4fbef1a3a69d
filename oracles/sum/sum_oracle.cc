#include "oracles/sum/sum_oracle.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include "oracles/cast_measure.h"
#include "oracles/codec.h"
#include "oracles/sum/compensated_dot.h"
#include "oracles/sum/rounding_scope.h"
#include "oracles/sum/sum_bound.h"
#include "oracles/sum/sum_by_mpfr.h"
#include "oracles/sum/sum_model.h"
#include "oracles/sum/wide_real.h"

namespace assay::oracle {

namespace {

/// A tensor's elements, as patterns and as numbers.
struct Operand {
  std::vector<Bits> bits;
  std::vector<double> values;

  void load(std::span<const Bits> elements, Dtype dtype) {
    bits.assign(elements.begin(), elements.end());
    values.clear();
    for (const Bits element : elements) values.push_back(to_double(element, dtype));
  }
};

}  // namespace

struct SumOracle::State {
  explicit State(Dtype format_dtype)
      : dtype(format_dtype),
        format(traits(format_dtype)),
        exact_products(format_dtype != Dtype::kF64),
        encoder(format_dtype),
        model(format_dtype),
        by_mpfr(format_dtype) {}

  /// The factors of the terms side by side; the bias, times one, is the last of the addends.
  void gather(const std::vector<Term>& terms, std::optional<std::size_t> bias_index) {
    products = terms.size();
    left.clear();
    right.clear();
    finite = true;
    const auto add = [&](double a, double b) {
      finite = finite && std::isfinite(a) && std::isfinite(b);
      left.push_back(a);
      right.push_back(b);
    };
    for (const Term& term : terms) add(x.values[term.x], weight.values[term.weight]);
    if (bias_index) add(bias.values[*bias_index], 1);
  }

  std::span<const double> factors() const { return {left.data(), products}; }
  std::span<const double> other_factors() const { return {right.data(), products}; }

  void evaluate_models() {
    const bool has_bias = left.size() > products;
    const std::optional<double> last = has_bias ? std::optional(left.back()) : std::nullopt;
    truth.model = model.sum(factors(), other_factors(), last);
    truth.model_bias_first =
        last ? model.sum_bias_first(factors(), other_factors(), *last) : truth.model;
  }

  /// The exact sum and the magnitudes where compensated summation tells them.
  bool sum_compensated() {
    if (left.size() > kMostCompensated) return false;
    const BoundedSum sum = compensated_dot(left.data(), right.data(), left.size(), exact_products);
    const std::optional<Bits> exact = nearest_even(sum, dtype);
    const std::optional<double> nearest = nearest_double(sum);
    if (!exact || !nearest) return false;
    const std::optional<double> magnitudes = upward_double(
        compensated_magnitudes(left.data(), right.data(), left.size(), exact_products));
    if (!magnitudes) return false;
    truth.exact = *exact;
    truth.magnitudes = *magnitudes;
    truth.condition = condition_of(*magnitudes, *nearest);
    return true;
  }

  void accumulate() {
    if (accumulated) return;
    accumulator.clear();
    for (std::size_t i = 0; i < left.size(); ++i) accumulator.add_product(left[i], right[i]);
    accumulated = true;
  }

  void sum_exactly() {
    accumulate();
    set(wide, accumulator.sum(), scratch);
    truth.exact = mpfr_zero_p(wide.get()) != 0 ? 0 : encoder.nearest_even(wide);
    const double nearest = mpfr_get_d(wide.get(), MPFR_RNDN);
    set(wide, accumulator.magnitudes(), scratch);
    truth.magnitudes = mpfr_get_d(wide.get(), MPFR_RNDU);
    truth.condition = condition_of(truth.magnitudes, nearest);
  }

  const SumTruth& evaluate_by_mpfr(const std::vector<Term>& terms,
                                   std::optional<std::size_t> bias_index) {
    left_bits.clear();
    right_bits.clear();
    for (const Term& term : terms) {
      left_bits.push_back(x.bits[term.x]);
      right_bits.push_back(weight.bits[term.weight]);
    }
    return by_mpfr.evaluate(left_bits, right_bits,
                            bias_index ? std::optional(bias.bits[*bias_index]) : std::nullopt);
  }

  SumError error(Bits got) {
    if (!finite) return by_mpfr.error(got);
    if (format.is_infinite(got)) return error_of_infinity(got == truth.exact);
    SumError result;
    accumulate();
    const double value = to_double(got, dtype);
    accumulator.add_product(value, -1);
    const WideReal difference = accumulator.sum();
    accumulator.add_product(value, 1);
    if (difference.high == 0) return result;
    set(wide, difference, scratch);
    mpfr_abs(wide.get(), wide.get(), MPFR_RNDN);
    result.absolute = mpfr_get_d(wide.get(), MPFR_RNDN);
    result.within_bound = mpfr_get_d(wide.get(), MPFR_RNDU) <= truth.error_bound;
    // Relative to the exact sum, and in its ulps; below the normal numbers, in those of the least.
    set(other, accumulator.sum(), scratch);
    mpfr_exp_t binade = format.min_exponent;
    const bool normal =
        mpfr_zero_p(other.get()) == 0 && mpfr_get_exp(other.get()) - 1 >= format.min_exponent;
    if (normal) {
      binade = mpfr_get_exp(other.get()) - 1;
    } else {
      mpfr_set_ui_2exp(other.get(), 1, binade, MPFR_RNDN);
    }
    // Both rounded first: two numbers rounded to odd do not make a quotient that is.
    mpfr_set(narrow.get(), wide.get(), MPFR_RNDN);
    mpfr_set(other_narrow.get(), other.get(), MPFR_RNDN);
    mpfr_div(narrow.get(), narrow.get(), other_narrow.get(), MPFR_RNDN);
    mpfr_abs(narrow.get(), narrow.get(), MPFR_RNDN);
    result.relative = mpfr_get_d(narrow.get(), MPFR_RNDN);
    mpfr_mul_2si(wide.get(), wide.get(), format.fraction_bits() - binade, MPFR_RNDN);
    result.ulp = mpfr_get_d(wide.get(), MPFR_RNDN);
    return result;
  }

  Dtype dtype;
  const DtypeTraits& format;
  bool exact_products;  ///< products of two numbers of the format are binary64 numbers
  Encoder encoder;
  SumModel model;
  SumByMpfr by_mpfr;
  Operand x;
  Operand weight;
  Operand bias;

  // Of the sum that was evaluated last.
  std::vector<double> left;
  std::vector<double> right;
  std::size_t products = 0;
  bool finite = true;
  bool accumulated = false;
  Superaccumulator accumulator;
  SumTruth truth;

  std::uint64_t evaluations = 0;  ///< since the last that MPFR was asked for as well
  std::vector<Bits> left_bits;
  std::vector<Bits> right_bits;
  MpfrReal wide{kWidePrecision};
  MpfrReal other{kWidePrecision};
  MpfrReal scratch{kWidePrecision};
  MpfrReal narrow{std::numeric_limits<double>::digits};
  MpfrReal other_narrow{std::numeric_limits<double>::digits};
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
  state_->evaluations = 0;
}

const SumTruth& SumOracle::evaluate(const std::vector<Term>& terms,
                                    std::optional<std::size_t> bias) {
  State& s = *state_;
  const RoundingScope scope;
  s.gather(terms, bias);
  s.accumulated = false;
  if (!s.finite) {
    s.truth = s.evaluate_by_mpfr(terms, bias);
    return s.truth;
  }
  s.truth = SumTruth{};
  s.truth.products = terms.size();
  s.truth.finite = true;
  s.evaluate_models();
  if (!s.sum_compensated()) s.sum_exactly();
  const SumBound bound = sum_bound(terms.size(), bias.has_value(), s.truth.magnitudes, s.format);
  s.truth.error_bound = bound.error;
  s.truth.bounded = bound.covers_every_order;
  if (s.evaluations++ % kMpfrInterval == 0) check(terms, bias);
  return s.truth;
}

void SumOracle::check(const std::vector<Term>& terms, std::optional<std::size_t> bias) {
  State& s = *state_;
  const SumTruth& due = s.evaluate_by_mpfr(terms, bias);
  SumError error;
  SumError due_error;
  if (!s.format.is_nan(s.truth.model)) {
    error = s.error(s.truth.model);
    due_error = s.by_mpfr.error(s.truth.model);
  }
  if (due == s.truth && error == due_error) return;
  std::string differences;
  const auto compare = [&](std::string_view what, const auto& got, const auto& mpfr) {
    if (got != mpfr) differences += fmt::format("; {}: {}, by MPFR {}", what, got, mpfr);
  };
  compare("exact bits", s.truth.exact, due.exact);
  compare("model's bits", s.truth.model, due.model);
  compare("with the bias first", s.truth.model_bias_first, due.model_bias_first);
  compare("magnitudes", s.truth.magnitudes, due.magnitudes);
  compare("condition", s.truth.condition, due.condition);
  compare("bound", s.truth.error_bound, due.error_bound);
  compare("model's error", error.absolute, due_error.absolute);
  compare("relative", error.relative, due_error.relative);
  compare("in ulps", error.ulp, due_error.ulp);
  throw std::logic_error(fmt::format("a sum of {} products in {} is not what MPFR gives{}",
                                     terms.size(), s.format.name, differences));
}

SumError SumOracle::error(Bits got) {
  const RoundingScope scope;
  return state_->error(got);
}

}  // namespace assay::oracle
