// What single results of an operation with windows are judged by.
#pragma once

#include <array>
#include <functional>

#include "audit/window/truth.h"
#include "contracts/claim.h"

namespace assay::window {

/// The claims that are judged result by result.
inline constexpr std::array<ClaimKind, 7> kResultClaims = {
    ClaimKind::kMaxUlp,      ClaimKind::kMaxRelative, ClaimKind::kMaxAbsolute,   ClaimKind::kNan,
    ClaimKind::kAccumulator, ClaimKind::kErrorBound,  ClaimKind::kSelectionExact};
inline constexpr std::size_t kResultClaimCount = kResultClaims.size();

/// The row of a kind in `kResultClaims`, or kResultClaimCount.
std::size_t result_claim_row(ClaimKind kind);

/// The declared values.
struct Rules {
  std::array<bool, kResultClaimCount> declared{};
  /// Why a declared value is not judged for this operation; empty where it is.
  std::array<std::string, kResultClaimCount> not_judged;
  std::uint64_t max_ulp = 0;
  double max_relative = 0;
  double max_absolute = 0;
  NanRule nan = NanRule::kIgnored;
  bool nan_declared = false;
  std::optional<BiasOrder> bias_order;
  /// The contract says that padding, and gaps between pixels, are no terms of a sum.
  bool gaps_skipped = false;

  explicit Rules(const Operation& operation);

  bool judges(std::size_t row) const { return declared[row] && not_judged[row].empty(); }
};

/// Which of kResultClaims a result is evidence about, and which it violates: bits by row.
struct Judgement {
  std::uint32_t in_scope = 0;
  std::uint32_t violated = 0;
};

/// Judges one result. `error` gives its error against the exact sum, and is asked only where the
/// truth does not say it already.
Judgement judge_result(const Rules& rules, const Operation& operation, const Truth& truth, Bits got,
                       const std::function<oracle::SumError()>& error);

/// Whether NaN and the sum without padding are both right, since the contract does not say what
/// becomes of a weight that is infinite or NaN and meets padding only.
bool is_open(const Rules& rules, const Truth& truth);

/// Whether the result is the declared sum. Two NaNs are equal, and so are zeros of both signs: no
/// contract says which sign a zero sum has.
bool equals_model(const Rules& rules, Dtype dtype, const Truth& truth, Bits got);

/// Steps between a result and the correctly rounded one; nothing where one of them is a NaN and the
/// other is not.
std::optional<std::uint64_t> distance(const Operation& operation, const Truth& truth, Bits got);

}  // namespace assay::window
