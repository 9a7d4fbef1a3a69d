#include "contracts/unicode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace assay {

namespace {

/// Characters that act on a display instead of standing on it.
bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) ||  // C0, DEL, C1
         c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xc2 || lead > 0xf4) return {};
  const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (text.size() < length) return {};
  char32_t value = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    value = (value << 6) | (byte(i) & 0x3fu);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < kLeast[length] || value > 0x10ffff || surrogate) return {};
  return {value, length};
}

std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    const std::size_t length = std::max<std::size_t>(point.length, 1);
    if (point.length == 0) {
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (point.value == '\n' || point.value == '\t' || point.value == '\r') {
      line += ' ';
    } else if (is_control(point.value)) {
      line += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(point.value));
    } else {
      line += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return line;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // every byte but continuation bytes
  }));
}

}  // namespace assay
