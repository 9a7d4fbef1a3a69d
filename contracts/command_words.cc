#include "contracts/command_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {

namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./:,+@%=").find(c) != std::string_view::npos;
}

bool is_printable_ascii(char c) {
  return c >= 0x20 && c < 0x7f;
}

}  // namespace

std::string shell_quoted(std::string_view word) {
  // An equals sign at the beginning has a meaning to zsh.
  const bool plain = !word.empty() && word.front() != '=' && std::ranges::all_of(word, is_plain);
  if (plain) return std::string(word);
  const bool printable = std::ranges::all_of(word, is_printable_ascii);
  std::string quoted = printable ? "'" : "$'";
  for (const char c : word) {
    if (printable) {
      quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    } else if (is_printable_ascii(c)) {
      if (c == '\'' || c == '\\') quoted += '\\';
      quoted += c;
    } else {
      // Three octal digits: unlike \xNN, a digit that follows cannot be taken for part of it.
      quoted += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return quoted + "'";
}

std::string exact_pattern(std::string_view name) {
  std::string pattern;
  for (const char c : name) {
    if (c == '-' && pattern.empty()) {
      pattern = "[-]";
      continue;
    }
    if (std::string_view("*?[\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

std::string path_word(std::string_view path) {
  return (path.starts_with('-') ? "./" : "") + std::string(path);
}

}  // namespace assay
