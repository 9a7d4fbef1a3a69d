// What is true of a sum of products, whatever kernel forms it.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include "contracts/dtype.h"

namespace assay::oracle {

/// One sum of n products, and a bias where there is one, of operands in format F.
struct SumTruth {
  std::size_t products = 0;
  /// The exact sum, rounded to F once, to nearest even; +0 where it is exactly zero. NaN
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
  /// Sum of the magnitudes of the products and of the bias, rounded up to binary64. Infinite where
  /// an operand is not finite.
  double magnitudes = 0;
  /// `magnitudes` over the magnitude of the exact sum, that rounded to binary64: how much of the
  /// operands' accuracy the sum loses. 1 where both are 0; infinite where only the sum is, or where
  /// the magnitudes are.
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

  bool operator==(const SumTruth&) const = default;
};

/// How far a result is from the exact sum.
struct SumError {
  double absolute = 0;  ///< rounded to nearest; infinite for an infinite result
  /// To the exact sum's magnitude, or the least normal number if that is more: the quotient of
  /// both, each rounded to 53 bits.
  double relative = 0;
  double ulp = 0;  ///< in ulps of the exact sum (contracts/measure.h)
  bool within_bound = true;

  bool operator==(const SumError&) const = default;
};

/// `SumTruth::condition`, of the exact sum rounded to binary64.
inline double condition_of(double magnitudes, double sum) {
  if (std::isinf(magnitudes)) return magnitudes;  // where the sum may have become one too
  return magnitudes == 0 ? 1 : magnitudes / std::fabs(sum);
}

/// The error of an infinite result, which is right where the exact sum rounds to it.
inline SumError error_of_infinity(bool right) {
  SumError error;
  if (right) return error;
  error.absolute = error.relative = error.ulp = std::numeric_limits<double>::infinity();
  error.within_bound = false;
  return error;
}

}  // namespace assay::oracle
