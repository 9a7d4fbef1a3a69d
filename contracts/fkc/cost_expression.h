// The grammar of cost formulas ("n * (4 + 8)").
#pragma once

#include <optional>
#include <string_view>

namespace assay::fkc {

/// Sums, products, quotients and remainders of numbers, names, calls and indexed values. Returns
/// where `text` leaves the grammar (an index into it), or nothing if it is an expression.
std::optional<std::size_t> cost_expression_fault(std::string_view text);

}  // namespace assay::fkc
