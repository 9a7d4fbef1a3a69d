// Cells: the parts of a cast's input line in which claims differ.
//
// Seen on the ordered line of input patterns, every question that a claim asks ("is the exact
// result a subnormal?", "is this outside the contract's domain?") changes its answer at a handful
// of points only. The line is cut at all of them; a cell lies between two cuts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "audit/judge/input_axis.h"
#include "contracts/claim.h"
#include "contracts/dtype.h"
#include "contracts/fkc/document.h"
#include "oracles/cast_oracle.h"

namespace assay {

/// What kind of input a probe is, by the exact result.
enum class CellClass : std::uint8_t {
  kZero,       ///< the input is a zero
  kUnderflow,  ///< not zero, but the correctly rounded result is
  kSubnormal,  ///< the result is not zero, and input or result is subnormal
  kNormal,
  kOverflow,  ///< finite, but the correctly rounded result is infinite or not in the integer range
  kInfinite,
  kNan,
};
inline constexpr std::size_t kCellClasses = 7;

struct Cell {
  std::int64_t first_key = 0;  ///< on the input format's ordered line
  CellClass kind = CellClass::kNormal;
  bool exact_domain = false;  ///< inside the part that a `domain_exact` claim names
  bool caller_error = false;  ///< outside the contract
  /// No result is due: the contract makes such inputs the caller's error, by its rule for overflow
  /// or NaN; or the destination has no value for them (integers have none for NaN, infinities and
  /// what is out of their range), and the contract does not say what stands for it.
  bool nothing_due = false;
};

inline constexpr std::size_t kMaxCells = 64;

class CellMap {
 public:
  /// `contract` gives the domain texts; the claims need not be declared.
  CellMap(const oracle::CastOracle& oracle, const fkc::KernelContract& contract);

  const std::vector<Cell>& cells() const { return cells_; }

  /// The index of the cell that `bits` lies in.
  std::size_t index(Bits bits) const {
    const std::int64_t key = order_key_of(bits);
    std::size_t low = 0;
    std::size_t n = cells_.size();
    while (n > 1) {
      const std::size_t half = n / 2;
      low += cells_[low + half].first_key <= key ? half : 0;
      n -= half;
    }
    return low;
  }
  const Cell& of(Bits bits) const { return cells_[index(bits)]; }

  const oracle::CastOperation& operation() const { return operation_; }
  const InputAxis& axis() const { return axis_; }

 private:
  std::int64_t order_key_of(Bits bits) const;

  oracle::CastOperation operation_;
  InputAxis axis_;
  std::vector<Cell> cells_;
};

/// True when a claim of this kind speaks about the inputs of `cell`. Inputs outside the contract
/// belong to no claim.
bool in_scope(ClaimKind kind, const Cell& cell);

}  // namespace assay
