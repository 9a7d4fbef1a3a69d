// Scalars by their written form. YAML readers take `010` for 8, `.inf` for a number and `yes` for
// true; contracts may not.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::fkc {

// Each takes any text and returns nothing for what it does not accept.

/// Decimal digits without sign and without leading zeros, below 2^64.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);

/// A decimal number `[-]digits[.digits][e[+-]digits]`, finite and in the range of double, rounded
/// to the nearest double.
std::optional<double> parse_number(std::string_view text);

/// `true` or `false`.
std::optional<bool> parse_boolean(std::string_view text);

}  // namespace assay::fkc
