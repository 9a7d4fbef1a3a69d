// The declared way of adding, step by step, in the processor's own arithmetic.
#pragma once

#include <optional>
#include <span>

#include "contracts/dtype.h"
#include "oracles/sum/narrow.h"

namespace assay::oracle {

class SumModel {
 public:
  explicit SumModel(Dtype dtype) : dtype_(dtype), narrow_(dtype) {}

  /// `SumTruth::model` of the sum of x[i] * weight[i], as many of either, which are numbers of the
  /// format, infinities or NaNs. Needs rounding to nearest with subnormals (rounding_scope.h).
  Bits sum(std::span<const double> x, std::span<const double> weight,
           std::optional<double> bias) const;
  /// `SumTruth::model_bias_first`.
  Bits sum_bias_first(std::span<const double> x, std::span<const double> weight, double bias) const;

 private:
  double add_up(double start, std::span<const double> x, std::span<const double> weight) const;

  Dtype dtype_;
  Narrow narrow_;
};

}  // namespace assay::oracle
