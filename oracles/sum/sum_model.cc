#include "oracles/sum/sum_model.h"

#include <cfloat>

namespace assay::oracle {

static_assert(FLT_EVAL_METHOD == 0, "each operation has to round to its operands' format");

namespace {

template <typename Float>
double add_up_in(double start, std::span<const double> x, std::span<const double> weight) {
  auto sum = static_cast<Float>(start);
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += static_cast<Float>(x[i]) * static_cast<Float>(weight[i]);
  }
  return sum;
}

}  // namespace

double SumModel::add_up(double start, std::span<const double> x,
                        std::span<const double> weight) const {
  if (dtype_ == Dtype::kF64) return add_up_in<double>(start, x, weight);
  if (dtype_ == Dtype::kF32) return add_up_in<float>(start, x, weight);
  // Products of two numbers of at most 11 bits are exact in binary64. Sums are too, or are rounded
  // at 53 bits, more than twice the format's and two: then rounding twice gives what rounding once
  // does (Figueroa, When is double rounding innocuous?, SIGNUM Newsletter 30(3), 1995).
  double sum = start;
  for (std::size_t i = 0; i < x.size(); ++i) sum = narrow_(sum + narrow_(x[i] * weight[i]));
  return sum;
}

Bits SumModel::sum(std::span<const double> x, std::span<const double> weight,
                   std::optional<double> bias) const {
  double sum = add_up(0, x, weight);
  if (bias) {
    const double one[] = {1};
    sum = add_up(sum, {&*bias, 1}, one);
  }
  return narrow_.bits(sum);
}

Bits SumModel::sum_bias_first(std::span<const double> x, std::span<const double> weight,
                              double bias) const {
  return narrow_.bits(add_up(bias, x, weight));
}

}  // namespace assay::oracle
