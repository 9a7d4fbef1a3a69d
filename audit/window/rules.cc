#include "audit/window/rules.h"

#include <algorithm>

#include "contracts/measure.h"

namespace assay::window {

std::size_t result_claim_row(ClaimKind kind) {
  return static_cast<std::size_t>(std::find(kResultClaims.begin(), kResultClaims.end(), kind) -
                                  kResultClaims.begin());
}

Rules::Rules(const Operation& operation) {
  const fkc::KernelContract& contract = *operation.contract;
  for (std::size_t row = 0; row < kResultClaimCount; ++row) {
    declared[row] = contract.claim(kResultClaims[row]) != nullptr;
  }
  const auto not_for = [&](ClaimKind kind, const char* why) {
    not_judged[result_claim_row(kind)] = why;
  };
  if (operation.is_sum()) {
    not_for(ClaimKind::kSelectionExact, "a sum selects nothing");
  } else {
    not_for(ClaimKind::kAccumulator, "a selection adds nothing up");
    not_for(ClaimKind::kErrorBound, "a selection has no rounding errors");
  }
  if (const Claim* claim = contract.claim(ClaimKind::kMaxUlp)) {
    if (const auto* steps = std::get_if<std::uint64_t>(&claim->value)) max_ulp = *steps;
  }
  if (const Claim* claim = contract.claim(ClaimKind::kMaxRelative)) {
    if (const auto* bound = std::get_if<double>(&claim->value)) max_relative = *bound;
  }
  if (const Claim* claim = contract.claim(ClaimKind::kMaxAbsolute)) {
    if (const auto* bound = std::get_if<double>(&claim->value)) max_absolute = *bound;
  }
  if (const Claim* claim = contract.claim(ClaimKind::kNan)) {
    nan_declared = true;
    if (const auto* rule = std::get_if<NanRule>(&claim->value)) nan = *rule;
    const bool judged =
        nan == NanRule::kPreserved || (nan == NanRule::kIgnored && !operation.is_sum());
    if (!judged) not_for(ClaimKind::kNan, "this rule is not judged for this operation");
  } else if (contract.caller_error_nan) {
    // A domain that leaves NaNs out says as much of them, without a claim.
    nan_declared = true;
    nan = NanRule::kCallerError;
  }
  if (const Claim* claim = contract.claim(ClaimKind::kAccumulator)) {
    // The order that the oracle adds in is the operation's own.
    const auto* order = std::get_if<Accumulator>(&claim->value);
    const bool scattered = operation.kind == OperationKind::kTransposedConvolution;
    const Accumulator own = scattered ? Accumulator::kScatteredSum : Accumulator::kNestedSum;
    if (order != nullptr && *order != own && operation.is_sum()) {
      not_for(ClaimKind::kAccumulator,
              scattered ? "there is no oracle for a nested sum of a transposed convolution"
                        : "there is no oracle for a scattered sum of a direct convolution");
    }
  }
  bias_order = contract.bias_order;
  // What is scattered are pixels: there is nothing between them, nor around.
  gaps_skipped = contract.claim(ClaimKind::kPaddingSkipped) != nullptr ||
                 (operation.kind == OperationKind::kTransposedConvolution &&
                  judges(result_claim_row(ClaimKind::kAccumulator)));
}

bool is_open(const Rules& rules, const Truth& truth) {
  return truth.gap_decides && !rules.gaps_skipped;
}

bool equals_model(const Rules& rules, Dtype dtype, const Truth& truth, Bits got) {
  const DtypeTraits& format = traits(dtype);
  const auto equal = [&](Bits due) {
    return got == due || (format.is_nan(got) && format.is_nan(due)) ||
           (format.is_zero(got) && format.is_zero(due));
  };
  if (rules.bias_order == BiasOrder::kFirst) return equal(truth.model_bias_first);
  if (rules.bias_order == BiasOrder::kLast) return equal(truth.model);
  return equal(truth.model) || equal(truth.model_bias_first);  // the contract is silent
}

std::optional<std::uint64_t> distance(const Operation& operation, const Truth& truth, Bits got) {
  const DtypeTraits& format = traits(operation.dtype);
  // Which zero a sum or a window of both zeros gives is open.
  const bool open = operation.is_sum() || truth.both_zeros;
  if (open && format.is_zero(got) && format.is_zero(truth.exact)) return 0;
  return ulp_distance(got, truth.exact, operation.dtype);
}

Judgement judge_result(const Rules& rules, const Operation& operation, const Truth& truth, Bits got,
                       const std::function<oracle::SumError()>& error) {
  const DtypeTraits& format = traits(operation.dtype);
  Judgement judgement;
  const bool nan = format.is_nan(got);
  const auto judge = [&](ClaimKind kind, bool in_scope, auto&& violated) {
    const std::size_t row = result_claim_row(kind);
    if (!in_scope || !rules.judges(row)) return;
    judgement.in_scope |= 1u << row;
    if (violated()) judgement.violated |= 1u << row;
  };
  const auto beyond = [&](double known, double oracle::SumError::*measure, double bound) {
    if (nan) return true;
    if (got == truth.model) return known > bound;
    return error().*measure > bound;
  };
  // What becomes of NaNs is declared, but not such that anything is due here: the caller's error.
  const bool nan_given = truth.has_nan || truth.nan_in_gap;
  if (nan_given && rules.nan_declared && !rules.judges(result_claim_row(ClaimKind::kNan))) {
    return judgement;
  }
  if (is_open(rules, truth)) return judgement;
  const auto too_far = [&] {
    const std::optional<std::uint64_t> steps = distance(operation, truth, got);
    return !steps || *steps > rules.max_ulp;
  };
  if (!operation.is_sum()) {
    const bool numbers_meet_nan = truth.has_nan && !truth.only_nans;
    const bool right = is_right(truth.selection(), got, operation.dtype);
    const bool preserved = rules.nan_declared && rules.nan == NanRule::kPreserved;
    // Where a number meets a NaN and the contract says nothing of NaNs, either may win.
    const bool nan_wins = numbers_meet_nan && !rules.nan_declared && nan;
    const bool number_due = truth.finite && !(preserved && truth.has_nan);
    judge(ClaimKind::kMaxUlp, number_due, [&] { return !nan_wins && too_far(); });
    judge(ClaimKind::kMaxRelative, number_due,
          [&] { return !nan_wins && beyond(0, &oracle::SumError::relative, rules.max_relative); });
    judge(ClaimKind::kMaxAbsolute, number_due,
          [&] { return !nan_wins && beyond(0, &oracle::SumError::absolute, rules.max_absolute); });
    judge(ClaimKind::kNan, preserved ? truth.has_nan : numbers_meet_nan,
          [&] { return nan != preserved; });
    judge(ClaimKind::kSelectionExact, true,
          [&] { return preserved && truth.has_nan ? !nan : !nan_wins && !right; });
    return judgement;
  }
  judge(ClaimKind::kMaxUlp, truth.finite, too_far);
  judge(ClaimKind::kMaxRelative, truth.finite,
        [&] { return beyond(truth.relative, &oracle::SumError::relative, rules.max_relative); });
  judge(ClaimKind::kMaxAbsolute, truth.finite,
        [&] { return beyond(truth.absolute, &oracle::SumError::absolute, rules.max_absolute); });
  judge(ClaimKind::kNan, truth.has_nan, [&] { return !nan; });
  judge(ClaimKind::kAccumulator, true,
        [&] { return !equals_model(rules, operation.dtype, truth, got); });
  judge(ClaimKind::kErrorBound, truth.bounded, [&] {
    if (nan) return true;
    return got == truth.model ? !truth.within_bound : !error().within_bound;
  });
  return judgement;
}

}  // namespace assay::window
