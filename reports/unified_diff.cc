#include "reports/unified_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace assay {

namespace {

/// Lines with their LF, which the last one may lack.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

std::string marked(char mark, std::string_view line) {
  const bool ends = line.ends_with('\n');
  return fmt::format("{}{}{}", mark, line, ends ? "" : "\n\\ No newline at end of file\n");
}

/// "START,COUNT"; where nothing is left, the line before it.
std::string range(std::size_t start, std::size_t count) {
  return fmt::format("{},{}", count == 0 ? start : start + 1, count);
}

/// A name as git writes it: in quotes, with escapes in octal, where it has odd bytes.
std::string file_name(std::string_view prefix, std::string_view path) {
  const auto odd = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte >= 0x7f || c == '"' || c == '\\';
  };
  if (std::ranges::none_of(path, odd)) {
    // A tab ends a name that has blanks.
    const bool blank = path.find(' ') != std::string_view::npos;
    return fmt::format("{}{}{}", prefix, path, blank ? "\t" : "");
  }
  std::string text = fmt::format("\"{}", prefix);
  for (const char c : path) {
    text += odd(c) ? fmt::format("\\{:03o}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return text + '"';
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, std::string_view path) {
  constexpr std::size_t kContext = 3;
  const std::vector<std::string_view> old = lines_of(before);
  const std::vector<std::string_view> now = lines_of(after);
  const std::size_t shorter = std::min(old.size(), now.size());
  std::size_t head = 0;
  while (head < shorter && old[head] == now[head]) ++head;
  if (head == old.size() && head == now.size()) return "";
  std::size_t tail = 0;
  while (tail < shorter - head && old[old.size() - 1 - tail] == now[now.size() - 1 - tail]) ++tail;

  const std::size_t first = head - std::min(head, kContext);
  const std::size_t behind = std::min(tail, kContext);
  const std::size_t old_end = old.size() - tail;
  const std::size_t now_end = now.size() - tail;
  std::string text =
      fmt::format("--- {}\n+++ {}\n@@ -{} +{} @@\n", file_name("a/", path), file_name("b/", path),
                  range(first, old_end + behind - first), range(first, now_end + behind - first));
  for (std::size_t i = first; i < head; ++i) text += marked(' ', old[i]);
  for (std::size_t i = head; i < old_end; ++i) text += marked('-', old[i]);
  for (std::size_t i = head; i < now_end; ++i) text += marked('+', now[i]);
  for (std::size_t i = old_end; i < old_end + behind; ++i) text += marked(' ', old[i]);
  return text;
}

}  // namespace assay
