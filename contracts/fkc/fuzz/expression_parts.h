// A text as a formula, a condition, a constraint, and what their names stand for.
#pragma once

#include <string_view>

#include "contracts/fkc/evaluate.h"

namespace assay::fkc::fuzz {

/// The first lines are the formula, the condition with its subject, and the constraint on a shape;
/// each further line gives a name a value:
///
///     2 * x.dim[0] + k
///     k: k > 0 && k in {1, 2}
///     dim[0]=k; divisible(k, 2)
///     k = 3
///     x.dim = [4, -1]
///
/// A value is an integer, a number with a point, a list, `true`, `false`, or else nothing. The
/// names are also the parameters that `param(i)` counts. Parts that are missing are empty.
struct ExpressionParts {
  std::string_view formula;
  std::string_view subject;
  std::string_view condition;
  std::string_view constraint;
  Scope scope;
};

ExpressionParts expression_parts(std::string_view text);

}  // namespace assay::fkc::fuzz
