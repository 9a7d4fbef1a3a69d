// Sums of products: what is exactly true of them, and what the declared way of adding gives. By
// MPFR throughout.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "contracts/dtype.h"
#include "oracles/sum/terms.h"

namespace assay::oracle {

/// One sum of n products, and a bias where there is one, of operands in format F.
struct SumTruth {
  std::size_t products = 0;
  /// The exact sum, rounded to F once, to nearest even. The sign of an exact zero says nothing. NaN
  /// (the canonical one) and infinities by IEEE 754's rules for the exact operations: NaN where an
  /// operand is, or zero meets infinity, or infinities of both signs meet.
  Bits exact = 0;
  /// The sum evaluated in F: from +0 on, in the order of the terms, each product rounded and each
  /// sum rounded, to nearest even; then the bias is added.
  Bits model = 0;
  /// The same, but for the bias: the running sum starts with it instead of +0. Without a bias equal
  /// to `model`.
  Bits model_bias_first = 0;
  /// Whether all operands are finite.
  bool finite = false;
  /// Sum of the magnitudes of the products and of the bias; rounded up. Infinite where an operand
  /// is not finite.
  double magnitudes = 0;
  /// `magnitudes` over the magnitude of the exact sum: how much of the operands' accuracy the sum
  /// loses. Infinite where the exact sum is 0 and the magnitudes are not; 1 for an empty sum.
  double condition = 1;
  /// True where no partial sum in any order can leave F's finite range, so that the bound below
  /// speaks about every way of adding.
  bool bounded = false;
  /// The a-priori bound on the error of adding in F, one rounding for each product and each
  /// addition, in any order and with no fused operations: gamma_m * magnitudes with m the number
  /// of products, one more with a bias; gamma_m = m u / (1 - m u), u = 2^-p (Higham, Accuracy and
  /// Stability of Numerical Algorithms, 2nd ed., section 3.1 and lemma 3.1). Where m u >= 1/2, and
  /// gamma_m soon says nothing, m u * magnitudes, which holds for every m and every order
  /// (Jeannerod and Rump, Improved error bounds for inner products in floating-point arithmetic,
  /// SIAM J. Matrix Anal. Appl. 34(2), 2013). Products below the normal range lose up to half of
  /// the least subnormal eta each, additions nothing there, and what they lose takes part in the
  /// later roundings: (1 + m u) n eta is added, twice what is needed. Rounded up.
  double error_bound = 0;
};

/// How far a result is from the exact sum.
struct SumError {
  double absolute = 0;  ///< rounded to nearest; infinite for an infinite result
  double relative =
      0;           ///< to the exact sum's magnitude, or the least normal number if that is more
  double ulp = 0;  ///< in ulps of the exact sum (contracts/measure.h)
  bool within_bound = true;
};

/// Sums over two operand tensors and a bias, in one format.
class SumOracle {
 public:
  /// Throws std::invalid_argument unless `dtype` is a floating format.
  explicit SumOracle(Dtype dtype);
  SumOracle(SumOracle&&) noexcept;
  ~SumOracle();

  /// The operands that terms refer to; kept until the next load.
  void load(std::span<const Bits> x, std::span<const Bits> weight, std::span<const Bits> bias);

  /// The sum of these terms, and of the bias of this index where there is one. Indices must lie
  /// within the operands.
  const SumTruth& evaluate(const std::vector<Term>& terms, std::optional<std::size_t> bias);

  /// The error of `got` for the sum that was evaluated last. Its operands must be finite, and `got`
  /// must not be a NaN. An infinity is right, without error, where the exact sum rounds to it.
  SumError error(Bits got);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay::oracle
