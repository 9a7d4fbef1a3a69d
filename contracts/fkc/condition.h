// Conditions on the parameters of an operation: "stride > 0", "0 <= axis <= 3",
// "== lhs.dim[-1] == rhs.dim[-2]", "a % 2 == 0 && b % 2 == 0", "in {1, 2, 4}", "must be None".
//
// The format gives them no grammar. These forms are recognised; everything else is free text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "contracts/fkc/evaluate.h"
#include "contracts/fkc/expression.h"
#include "contracts/fkc/standing.h"

namespace assay::fkc {

enum class Relation : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual
};

/// `terms[0] relations[0] terms[1] relations[1] terms[2] ...`: every neighbouring pair holds.
struct Chain {
  std::vector<Expression> terms;
  std::vector<Relation> relations;
};

struct Membership {
  Expression term;
  std::vector<Expression> set;
};

/// `must be None`.
struct MustBeNone {
  std::string name;
};

/// Holds where all of its parts hold.
struct ParamCondition {
  std::vector<std::variant<Chain, Membership, MustBeNone>> parts;
};

/// Parts are joined by `&&` or the word `and`. A part that begins with a relation, `in` or `must`
/// is about `subject`, the parameter that the condition stands beside; without one (empty) such
/// parts are free text. Nothing for free text, which any text may be.
std::optional<ParamCondition> parse_condition(std::string_view text, std::string_view subject);

/// In exact arithmetic. A violation is named even where another part cannot be evaluated; without
/// one, such a part (an unknown name, an overflow) makes the whole `kNotChecked`.
Finding check(const ParamCondition& condition, const Scope& scope);

}  // namespace assay::fkc
