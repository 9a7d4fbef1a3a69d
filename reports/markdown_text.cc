#include "reports/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "reports/text.h"

namespace assay {

namespace {

/// The punctuation that means something to Markdown, GitHub's maths or HTML within a line. At
/// a line's beginning more would, but our own words begin every line.
bool is_markup(char c) {
  return std::string_view("\\`*_[]<>&|~!$#").find(c) != std::string_view::npos;
}

/// mdBook takes {{...}} for a command of its own, also in code, and whatever stands before it.
bool begins_command(std::string_view line, std::size_t at) {
  return line.substr(at, 2) == "{{";
}

bool has_command(std::string_view line) {
  return line.find("{{") != std::string_view::npos;
}

std::string entity(char c) {
  return fmt::format("&#{};", static_cast<int>(c));
}

}  // namespace

std::string md_text(std::string_view text) {
  const std::string line = one_line(text);
  const auto is_word = [&](std::size_t i) {
    return i < line.size() && std::isalnum(static_cast<unsigned char>(line[i])) != 0;
  };
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    // HTML needs entities, and so does a pipe, which would still end a cell in some renderers.
    if (c == '<' || c == '>' || c == '&' || c == '|' || begins_command(line, i)) {
      out += entity(c);
      continue;
    }
    // An underscore within a word means nothing: max_ulp stays legible in the source.
    const bool within_word = c == '_' && i > 0 && is_word(i - 1) && is_word(i + 1);
    if (is_markup(c) && !within_word) out += '\\';
    out += c;
  }
  return out;
}

std::string md_code(std::string_view text) {
  const std::string line = one_line(text);
  if (line.empty()) return "";
  const bool blank_at_an_end = line.front() == ' ' || line.back() == ' ';
  const bool plain = line.find_first_of("`|") == std::string::npos && !has_command(line);
  if (!blank_at_an_end && plain) {
    return fmt::format("`{}`", line);
  }
  // A code span cannot hold a pipe both inside and outside of a table, nor a backtick without
  // counting; the HTML element can.
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    out += is_markup(c) || begins_command(line, i) ? entity(c) : std::string(1, c);
  }
  return fmt::format("<code>{}</code>", out);
}

std::string md_shell_block(std::string_view command) {
  const std::string line = one_line(command);
  if (has_command(line)) return md_code(line) + "\n\n";
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : line) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  return fmt::format("{}sh\n{}\n{}\n\n", fence, line, fence);
}

std::string md_row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += fmt::format(" {} |", cell);
  return out + "\n";
}

std::string md_head(const std::vector<std::string>& headings) {
  std::string out = md_row(headings) + "|";
  for (std::size_t i = 0; i < headings.size(); ++i) out += " --- |";
  return out + "\n";
}

}  // namespace assay
