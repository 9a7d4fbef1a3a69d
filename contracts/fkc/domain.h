// Parts of a kernel's domain, as the audit block writes them: "src < 0 or src is nan".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "contracts/claim.h"

namespace assay::fkc {

/// One condition on the values of an operand: an interval, or being NaN.
struct Condition {
  std::string role;
  std::optional<Interval> interval;  ///< absent for `is nan`
};

struct DomainFault {
  std::size_t column = 0;  ///< from 1, inside the text
  std::string message;
};

/// Reads
///
///     domain    := condition ("or" condition)*
///     condition := ROLE ("<" | "<=" | ">" | ">=") N
///                | N ("<" | "<=") ROLE ("<" | "<=") N
///                | ROLE "is" "nan"
///     N         := ["-"] digits | ["-"] "2^" K       without blanks, K from 0 to 1023, or from
///                                                    -1 to -1074
///
/// Digits have no leading zeros and are at most 400; conditions are at most 64. An interval that no
/// number lies in is a fault. Bounds stay texts, as `Interval` wants them.
std::variant<std::vector<Condition>, DomainFault> parse_domain(std::string_view text);

/// The order of two bounds as `parse_domain` returns them: negative, 0 or positive, exactly.
int compare_bounds(std::string_view a, std::string_view b);

}  // namespace assay::fkc
