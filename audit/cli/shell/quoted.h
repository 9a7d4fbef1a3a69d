// Words in the quotes of the shells; for bash and zsh see contracts/command_words.h.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "contracts/command_words.h"  // IWYU pragma: export

namespace assay::cli {

/// Separated by blanks.
inline std::string words_text(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
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
