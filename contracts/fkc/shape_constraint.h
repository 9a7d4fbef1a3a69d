// `shape_constraint`: what the extents of an operand have to be.
//
//     constraint := segment (';' segment)*
//     segment    := 'same_as=' role | 'same_rank=' role | 'broadcast_to=' role
//                 | 'last_dim_eq=' role | 'rank=' rank | 'dim[' int ']=' expr
//                 | 'divisible(' expr ',' expr ')' | 'capacity_ge(dim[' int '],' expr ')'
//                 | free text
//
// `same_as=role.dim[i]` is not in the format's grammar, yet contracts write it: the operand's one
// extent is that of `role`'s axis i.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "contracts/fkc/document.h"
#include "contracts/fkc/expression.h"

namespace assay::fkc {

/// `same_as`, `same_rank`, `broadcast_to` and `last_dim_eq`.
struct RoleSegment {
  enum class Kind : std::uint8_t { kSameAs, kSameRank, kBroadcastTo, kLastDimEqual };
  Kind kind = Kind::kSameAs;
  std::string role;
  std::optional<std::int64_t> axis;  ///< of `same_as=role.dim[axis]`
};

struct RankSegment {
  RankRange range;
};

/// `dim[axis]=value`, or `capacity_ge(dim[axis], value)` with `at_least`.
struct DimSegment {
  std::int64_t axis = 0;
  Expression value;
  bool at_least = false;
};

struct DivisibleSegment {
  Expression dividend;
  Expression divisor;
};

/// Kept and shown, never evaluated. `fault` says where a segment that begins like one of the
/// above leaves its grammar (UnparseableShapeConstraint); without it the text is merely unknown.
struct FreeSegment {
  std::optional<ParseFault> fault;
};

struct ShapeSegment {
  std::string text;    ///< as written, trimmed
  std::size_t at = 0;  ///< index into the constraint
  std::variant<RoleSegment, RankSegment, DimSegment, DivisibleSegment, FreeSegment> content;
};

/// Every text is a list of segments; empty ones are skipped.
std::vector<ShapeSegment> parse_shape_constraint(std::string_view text);

/// `any`, `N`, `A..=B` or `A..`, blanks around numbers tolerated; nothing for anything else.
std::optional<RankRange> parse_rank_range(std::string_view text);

}  // namespace assay::fkc
