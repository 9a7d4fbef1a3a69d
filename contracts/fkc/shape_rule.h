// The rules of `shape_rule`.
#pragma once

#include "contracts/fkc/call_shapes.h"

namespace assay::fkc {

/// What a rule needs to know.
struct RuleContext {
  const KernelContract& contract;
  const CallShapes& call;
  Scope scope;  ///< `scope_of` with the dim terms
};

/// What came of a rule: a shape, none for these arguments and why, or nothing to tell and why.
inline OutputShape shape_is(Extents shape) {
  return {std::move(shape), holds()};
}
inline OutputShape no_shape(std::string why) {
  return {std::nullopt, violated(std::move(why))};
}
inline OutputShape unknown_shape(std::string why) {
  return {std::nullopt, not_checked(std::move(why))};
}

/// `conv2d(params)`: input [N, Cin, H, W], weight [Cout, Cin/groups, Kh, Kw], and
/// `Hout = (H + 2 padding - dilation (Kh - 1) - 1) / stride + 1`, rounded down. Parameters
/// that the contract does not have are 1, paddings 0. No shape where an operand has not four
/// dimensions, channels do not fit, a value is not known or out of its range, or numbers overflow.
OutputShape conv2d_shape(const RuleContext& context);

/// `conv_transpose2d(params)`: weight [Cin, Cout/groups, Kh, Kw], and
/// `Hout = (H - 1) stride - 2 padding + dilation (Kh - 1) + output_padding + 1`. No shape in the
/// same cases.
OutputShape conv_transpose2d_shape(const RuleContext& context);

/// A formula whose value is an extent: an integer that is not negative, or why there is none.
Expected<std::int64_t, Finding> evaluate_extent(const Expression& expression, const Scope& scope);

}  // namespace assay::fkc
