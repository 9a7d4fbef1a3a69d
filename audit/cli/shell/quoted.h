// Words in the quotes of the shells.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

/// Separated by blanks.
inline std::string words_text(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// In single quotes, for bash and zsh.
inline std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

/// In single quotes, for fish, where a backslash takes the meaning from quotes and from itself.
inline std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

}  // namespace assay::cli
