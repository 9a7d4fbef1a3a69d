// What is true of each result of a case, whatever kernel gives it.
#pragma once

#include <memory>
#include <vector>

#include "audit/window/values.h"
#include "oracles/sum/selection.h"
#include "oracles/sum/sum_oracle.h"

namespace assay::window {

/// One result. Trivially copyable: workers write it to shared memory.
struct Truth {
  Bits exact = 0;             ///< sum: exactly, rounded once; pooling: the greatest number
  Bits model = 0;             ///< sum: in the declared order; pooling: as `exact`
  Bits model_bias_first = 0;  ///< the same with the bias first
  double condition = 1;       ///< of the sum
  double bound = 0;           ///< of its error, a priori
  // Of `model` against the exact sum, where both are finite.
  double absolute = 0;
  double relative = 0;
  double ulp = 0;
  std::uint32_t products = 0;
  bool finite = false;        ///< all operands of the sum are
  bool bounded = false;       ///< no partial sum in any order can overflow
  bool within_bound = false;  ///< `model` is
  bool has_nan = false;       ///< an operand, or an element of the window, is NaN
  /// A weight that is infinite or NaN meets nothing but padding, or the gaps that a stride leaves
  /// between the pixels of a transposed convolution, and no NaN is due otherwise: whoever
  /// multiplies those as zeros gets one.
  bool gap_decides = false;
  bool nan_in_gap = false;  ///< one of those weights is NaN
  bool only_nans = false;   ///< pooling: nothing else is in the window
  bool both_zeros = false;  ///< pooling: zeros of both signs are the greatest number

  oracle::Selection selection() const { return {only_nans, both_zeros, exact}; }
};

/// Truths of one tensor set. Throws std::logic_error where the oracle of sums is not what MPFR is.
class TruthSource {
 public:
  /// `operation`, `geometry` and `tensors` must outlive it.
  TruthSource(const Operation& operation, const Geometry& geometry, const Tensors& tensors);
  ~TruthSource();

  Truth truth(std::size_t result);

  /// Whether `got` can be the result at all: the declared sum, or one within the bound for its
  /// roundings; of a window, a right selection.
  bool plausible(std::size_t result, Bits got);

  /// Whether these results, all there are, are the declared ones bit for bit, but for the sign of
  /// zeros: of integers, whose sums are exact in any order, whether the kernel computes the
  /// operation.
  bool all_declared(const std::vector<Bits>& results);

  /// The error of `got` (no NaN) for the sum of `result`, whose operands must be finite, or for the
  /// greatest number of its window.
  oracle::SumError error(std::size_t result, Bits got);

 private:
  /// Loaded when it is first asked: where all results are the expected ones it is not.
  oracle::SumOracle& oracle();

  Truth sum(std::size_t result);
  void look_into_gaps(std::size_t result, const std::vector<oracle::Term>& products, Truth& truth);
  oracle::SumError selection_error(std::size_t result, Bits got) const;
  Truth selection(std::size_t result) const;

  const Operation& operation_;
  const Geometry& geometry_;
  const Tensors& tensors_;
  std::unique_ptr<oracle::SumOracle> oracle_;
  std::vector<std::size_t> special_weights_;  ///< that are infinite or NaN
};

}  // namespace assay::window
