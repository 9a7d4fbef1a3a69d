// Sums of products by MPFR alone: the authority that the fast way (sum_oracle.h) is held against.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "contracts/dtype.h"
#include "oracles/sum/sum_truth.h"

namespace assay::oracle {

class SumByMpfr {
 public:
  /// `dtype` is a floating format.
  explicit SumByMpfr(Dtype dtype);
  SumByMpfr(SumByMpfr&&) noexcept;
  ~SumByMpfr();

  /// The sum of x[i] * weight[i], as many of either, and of the bias where there is one.
  const SumTruth& evaluate(std::span<const Bits> x, std::span<const Bits> weight,
                           std::optional<Bits> bias);

  /// As SumOracle::error.
  SumError error(Bits got);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay::oracle
