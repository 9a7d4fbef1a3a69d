#include "contracts/fkc/fuzz/expression_parts.h"

#include <charconv>
#include <string>

namespace assay::fkc::fuzz {

namespace {

/// What stands before the first `mark`, which is taken off `text` with it; all of it without one.
std::string_view take(std::string_view& text, char mark) {
  const std::size_t end = text.find(mark);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

ParamValue value_of(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  if (!text.empty() && text.front() == '[') {
    Extents list;
    text.remove_prefix(1);
    while (!text.empty()) {
      const std::string_view item = without_blanks(take(text, ','));
      std::int64_t integer = 0;
      std::from_chars(item.data(), item.data() + item.size(), integer);
      list.push_back(integer);
    }
    return list;
  }
  if (text.find('.') != std::string_view::npos) {
    double real = 0;
    std::from_chars(text.data(), text.data() + text.size(), real);
    return real;
  }
  std::int64_t integer = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (read.ec == std::errc()) return integer;
  return std::monostate();
}

}  // namespace

ExpressionParts expression_parts(std::string_view text) {
  ExpressionParts parts;
  parts.formula = take(text, '\n');
  parts.condition = take(text, '\n');
  if (parts.condition.find(':') != std::string_view::npos) {
    parts.subject = without_blanks(take(parts.condition, ':'));
  }
  parts.constraint = take(text, '\n');
  parts.scope.dim_terms = true;
  while (!text.empty() && parts.scope.names.size() < 20) {
    std::string_view line = take(text, '\n');
    const std::string_view name = without_blanks(take(line, '='));
    if (name.empty()) continue;
    parts.scope.names.insert_or_assign(std::string(name), value_of(without_blanks(line)));
    parts.scope.params.emplace_back(name);
  }
  return parts;
}

}  // namespace assay::fkc::fuzz
