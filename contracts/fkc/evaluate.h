// The value of a formula, where its names are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "contracts/fkc/expected.h"
#include "contracts/fkc/expression.h"
#include "contracts/fkc/rational.h"

namespace assay::fkc {

/// The extents of a tensor, or any other list of integers.
using Extents = std::vector<std::int64_t>;

/// What a parameter of an operation can be. The first stands for an option that holds nothing.
using ParamValue = std::variant<std::monostate, bool, std::int64_t, double, Extents>;

/// "none", "true", "-3", "0.5", "[1, 2]".
std::string to_string(const ParamValue& value);
std::string to_string(const Extents& extents);

/// What the names of a formula stand for.
struct Scope {
  std::map<std::string, ParamValue, std::less<>> names;
  /// The dim terms of shape rules can be called: `extent(role, axis|last)`, `const(N)`, `param(i)`,
  /// `add`, `sub`, `mul`, `div`. `params` are what `param(i)` counts, from 0.
  bool dim_terms = false;
  std::vector<std::string> params;
};

/// Why a formula has no value.
struct EvaluationFault {
  enum class Kind : std::uint8_t {
    kUnknownName,     ///< also: a function that nobody defines
    kNotANumber,      ///< a list or nothing where a number is due, or the reverse
    kIndex,           ///< no such element
    kDivisionByZero,  ///< or a remainder by zero
    kOverflow,        ///< a value beyond 64 bits, or beyond the doubles
    kNegative,        ///< a negative number is divided where extents are counted
    kFraction,        ///< an integer is due
  };
  Kind kind = Kind::kUnknownName;
  std::size_t at = 0;  ///< index into the formula's text
  std::string message;
};

/// `kExact` divides as the real numbers do: 7 / 2 is 7/2. `kWhole` divides as counting does and
/// rounds down; there a negative dividend is a fault (a window that is larger than its image).
enum class Division : std::uint8_t { kExact, kWhole };

/// Exact arithmetic; remainders are of integers, and have the dividend's sign. A fault of any kind
/// ends the evaluation; the first one is returned.
Expected<Rational, EvaluationFault> evaluate(const Expression& expression, const Scope& scope,
                                             Division division);

/// In doubles, as the format's costs are: at most a rounding for each operation. Neither infinity
/// nor NaN is a value: they are faults.
Expected<double, EvaluationFault> evaluate_real(const Expression& expression, const Scope& scope);

}  // namespace assay::fkc
