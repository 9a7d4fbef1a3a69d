// Sums of products: what is exactly true of them, and what the declared way of adding gives.
//
// Where all operands are finite, the exact sum comes from compensated summation (compensated_dot.h)
// where its bound leaves one answer, else from a sum without roundings (superaccumulator.h), as do
// errors; the model is evaluated in the processor's arithmetic (sum_model.h). Everything else comes
// from MPFR (sum_by_mpfr.h), and so does a sample of the rest, to be compared with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "contracts/dtype.h"
#include "oracles/sum/sum_truth.h"
#include "oracles/sum/terms.h"

namespace assay::oracle {

/// Sums over two operand tensors and a bias, in one format.
class SumOracle {
 public:
  static constexpr std::uint64_t kMpfrInterval = 64;

  /// Throws std::invalid_argument unless `dtype` is a floating format.
  explicit SumOracle(Dtype dtype);
  SumOracle(SumOracle&&) noexcept;
  ~SumOracle();

  /// The operands that terms refer to; kept until the next load.
  void load(std::span<const Bits> x, std::span<const Bits> weight, std::span<const Bits> bias);

  /// The sum of these terms, and of the bias of this index where there is one. Indices must lie
  /// within the operands.
  ///
  /// The first sum after a load and every kMpfrInterval-th of an oracle's are formed by MPFR too.
  /// Throws std::logic_error where they differ in any member, or in the error of the model.
  const SumTruth& evaluate(const std::vector<Term>& terms, std::optional<std::size_t> bias);

  /// The error of `got` for the sum that was evaluated last. Its operands must be finite, and `got`
  /// must not be a NaN. An infinity is right, without error, where the exact sum rounds to it.
  SumError error(Bits got);

 private:
  void check(const std::vector<Term>& terms, std::optional<std::size_t> bias);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay::oracle
