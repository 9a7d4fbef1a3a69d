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
/// `Hout = (H + 2 padding - dilation (Kh - 1) - 1) / stride + 1`, rounded down.
OutputShape conv2d_shape(const RuleContext& context);

/// `conv_transpose2d(params)`: weight [Cin, Cout/groups, Kh, Kw], and
/// `Hout = (H - 1) stride - 2 padding + dilation (Kh - 1) + output_padding + 1`.
OutputShape conv_transpose2d_shape(const RuleContext& context);

/// A formula whose value is an extent.
Expected<std::int64_t, Finding> evaluate_extent(const Expression& expression, const Scope& scope);

}  // namespace assay::fkc
