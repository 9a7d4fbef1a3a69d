#include "contracts/fkc/scalar.h"

#include <charconv>
#include <system_error>

namespace assay::fkc {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Removes the digits at the front of `text`; false if there are none.
bool skip_digits(std::string_view& text) {
  const std::size_t before = text.size();
  while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
  return text.size() < before;
}

bool skip_any(std::string_view& text, std::string_view characters) {
  if (text.empty() || characters.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

bool is_decimal_number(std::string_view text) {
  skip_any(text, "-");
  if (text.size() > 1 && text[0] == '0' && is_digit(text[1])) return false;
  if (!skip_digits(text)) return false;
  if (skip_any(text, ".") && !skip_digits(text)) return false;
  if (skip_any(text, "eE")) {
    skip_any(text, "+-");
    if (!skip_digits(text)) return false;
  }
  return text.empty();
}

}  // namespace

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  std::string_view rest = text;
  if (!skip_digits(rest) || !rest.empty()) return std::nullopt;
  if (text.size() > 1 && text[0] == '0') return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_number(std::string_view text) {
  if (!is_decimal_number(text)) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<bool> parse_boolean(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return std::nullopt;
}

}  // namespace assay::fkc
