// Shapes of one call: does the contract admit them, and what comes out?
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/fkc/document.h"
#include "contracts/fkc/evaluate.h"
#include "contracts/fkc/expected.h"
#include "contracts/fkc/standing.h"

namespace assay::fkc {

/// One call as far as shapes go. An optional operand that is left out has no entry; a parameter
/// without a value here is not known (an option that holds nothing is std::monostate).
struct CallShapes {
  std::map<std::string, Extents, std::less<>> operands;
  std::map<std::string, ParamValue, std::less<>> params;
};

/// The names that a formula of this contract can use: `role` and `role.dim` of every operand of the
/// call, and the parameters (which win over a role of the same name).
Scope scope_of(const KernelContract& contract, const CallShapes& call);

/// The shape of an output by its `shape_rule`.
struct OutputShape {
  std::optional<Extents> shape;
  /// `kHolds` with a shape. `kViolated` where the rule gives none (a window larger than its image,
  /// a stride of 0, a negative extent): such a call is outside of the contract. `kNotChecked`
  /// where the rule cannot be evaluated.
  Finding finding;
};
OutputShape output_shape(const KernelContract& contract, const OutputOperand& output,
                         const CallShapes& call);

/// One requirement of the contract and what became of it.
struct Requirement {
  std::string about;  ///< the operand or parameter
  std::string text;   ///< as the contract writes it: "divisible(x.dim[1], weight.dim[1])"
  Finding finding;
};

/// Every requirement on shapes and parameters: ranks, segments of shape constraints, constraints
/// of parameters, in the order of the contract. Names that stand alone in `dim[i]=name` and belong
/// to nothing are one unknown of the whole contract: the first use says what it is.
std::vector<Requirement> check_requirements(const KernelContract& contract, const CallShapes& call);

/// The value of a cost formula. Beside `scope_of` it knows `n`, the elements of the first output
/// (if its shape is known), and `dtype_bytes`. A text that is no formula has a fault too.
Expected<double, EvaluationFault> evaluate_cost(const std::string& formula,
                                                const KernelContract& contract,
                                                const CallShapes& call, std::size_t dtype_bytes);

}  // namespace assay::fkc
