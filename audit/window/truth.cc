#include "audit/window/truth.h"

#include <algorithm>
#include <limits>

namespace assay::window {

TruthSource::TruthSource(const Operation& operation, const Geometry& geometry,
                         const Tensors& tensors)
    : operation_(operation), geometry_(geometry), tensors_(tensors) {
  if (!operation.is_sum()) return;
  const DtypeTraits& format = traits(operation.dtype);
  for (std::size_t i = 0; i < tensors.weight.size(); ++i) {
    if (!format.is_finite(tensors.weight[i])) special_weights_.push_back(i);
  }
}

TruthSource::~TruthSource() = default;

oracle::SumOracle& TruthSource::oracle() {
  if (oracle_ == nullptr) {
    oracle_ = std::make_unique<oracle::SumOracle>(operation_.dtype);
    oracle_->load(tensors_.x, tensors_.weight, tensors_.bias);
  }
  return *oracle_;
}

Truth TruthSource::truth(std::size_t result) {
  return operation_.is_sum() ? sum(result) : selection(result);
}

bool TruthSource::plausible(std::size_t result, Bits got) {
  const DtypeTraits& format = traits(operation_.dtype);
  const Truth expected = truth(result);
  if (!operation_.is_sum()) return is_right(expected.selection(), got, operation_.dtype);
  if (got == expected.model || (format.is_nan(got) && format.is_nan(expected.model))) return true;
  if (format.is_nan(got) && expected.gap_decides) return true;
  return expected.finite && !format.is_nan(got) && error(result, got).within_bound;
}

bool TruthSource::all_declared(const std::vector<Bits>& results) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Bits due = truth(i).model;
    if (results[i] != due && !traits(operation_.dtype).is_zero(results[i] | due)) return false;
  }
  return true;
}

Truth TruthSource::sum(std::size_t result) {
  const DtypeTraits& format = traits(operation_.dtype);
  const std::vector<oracle::Term> products = terms(operation_, geometry_, result);
  std::optional<std::size_t> bias;
  if (geometry_.bias) {
    bias = static_cast<std::size_t>(result_index(geometry_, result).channel);
  }
  const oracle::SumTruth& sum = oracle().evaluate(products, bias);
  Truth truth;
  truth.exact = sum.exact;
  truth.model = sum.model;
  truth.model_bias_first = sum.model_bias_first;
  truth.condition = sum.condition;
  truth.bound = sum.error_bound;
  truth.products = static_cast<std::uint32_t>(sum.products);
  truth.finite = sum.finite;
  truth.bounded = sum.finite && sum.bounded;
  truth.has_nan =
      (bias && format.is_nan(tensors_.bias[*bias])) ||
      std::any_of(products.begin(), products.end(), [&](const oracle::Term& term) {
        return format.is_nan(tensors_.x[term.x]) || format.is_nan(tensors_.weight[term.weight]);
      });
  look_into_gaps(result, products, truth);
  if (truth.finite && !format.is_nan(truth.model)) {
    const oracle::SumError error = oracle_->error(truth.model);
    truth.absolute = error.absolute;
    truth.relative = error.relative;
    truth.ulp = error.ulp;
    truth.within_bound = error.within_bound;
  }
  return truth;
}

void TruthSource::look_into_gaps(std::size_t result, const std::vector<oracle::Term>& products,
                                 Truth& truth) {
  const DtypeTraits& format = traits(operation_.dtype);
  if (special_weights_.empty()) return;
  for (const std::size_t weight : special_weights_) {
    if (!belongs_to(operation_, geometry_, weight, result)) continue;
    const bool used = std::ranges::any_of(
        products, [&](const oracle::Term& term) { return term.weight == weight; });
    if (used) continue;
    truth.gap_decides = !format.is_nan(truth.model);
    truth.nan_in_gap = truth.nan_in_gap || format.is_nan(tensors_.weight[weight]);
  }
}

oracle::SumError TruthSource::selection_error(std::size_t result, Bits got) const {
  const DtypeTraits& format = traits(operation_.dtype);
  const Bits due = selection(result).exact;
  oracle::SumError error;
  if (got == due) return error;
  if (format.is_infinite(due)) {
    error.absolute = error.relative = error.ulp = std::numeric_limits<double>::infinity();
    error.within_bound = false;
    return error;
  }
  // A sum of one exact product.
  oracle::SumOracle one(operation_.dtype);
  const Bits factors[] = {due, format.one()};
  one.load({factors, 1}, {factors + 1, 1}, {});
  one.evaluate({{0, 0}}, std::nullopt);
  return one.error(got);
}

oracle::SumError TruthSource::error(std::size_t result, Bits got) {
  if (!operation_.is_sum()) return selection_error(result, got);
  std::optional<std::size_t> bias;
  if (geometry_.bias) {
    bias = static_cast<std::size_t>(result_index(geometry_, result).channel);
  }
  oracle().evaluate(terms(operation_, geometry_, result), bias);
  return oracle().error(got);
}

Truth TruthSource::selection(std::size_t result) const {
  std::vector<Bits> window;
  for (const std::size_t at :
       oracle::pooling_window(geometry_.extents, result_index(geometry_, result))) {
    window.push_back(tensors_.x[at]);
  }
  const DtypeTraits& format = traits(operation_.dtype);
  const oracle::Selection selection = oracle::select_maximum(window, operation_.dtype);
  Truth truth;
  truth.exact = truth.model = truth.model_bias_first = selection.maximum;
  truth.products = static_cast<std::uint32_t>(window.size());
  truth.only_nans = selection.only_nans;
  truth.both_zeros = selection.both_zeros;
  truth.has_nan =
      std::any_of(window.begin(), window.end(), [&](Bits bits) { return format.is_nan(bits); });
  truth.finite = truth.bounded = !selection.only_nans;
  return truth;
}

}  // namespace assay::window
