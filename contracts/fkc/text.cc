#include "contracts/fkc/text.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

namespace assay::fkc {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The length in bytes of the UTF-8 sequence at the start of `text`, or 0 if it is not valid
/// (Unicode 15, table 3-7: well-formed byte sequences).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
  };
  const auto continues = [byte](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const std::uint8_t first = byte(0);
  const std::uint8_t second = byte(1);
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;  // a continuation byte, or an overlong form of ASCII
  if (first < 0xE0) return continues(1) ? 2 : 0;
  if (first < 0xF0) {
    if (first == 0xE0 && second < 0xA0) return 0;  // overlong
    if (first == 0xED && second > 0x9F) return 0;  // surrogate
    return continues(1) && continues(2) ? 3 : 0;
  }
  if (first > 0xF4) return 0;
  if (first == 0xF0 && second < 0x90) return 0;  // overlong
  if (first == 0xF4 && second > 0x8F) return 0;  // above U+10FFFF
  return continues(1) && continues(2) && continues(3) ? 4 : 0;
}

std::optional<TextFault> first_fault(std::string_view line, int number) {
  for (std::size_t i = 0; i < line.size();) {
    const Place place{number, static_cast<int>(i) + 1};
    const auto byte = static_cast<std::uint8_t>(line[i]);
    if ((byte < 0x20 && byte != '\t') || byte == 0x7F) {
      return TextFault{place, fmt::format("control character 0x{:02x}", byte)};
    }
    const std::size_t length = sequence_length(line.substr(i));
    if (length == 0) return TextFault{place, fmt::format("byte 0x{:02x} is no UTF-8", byte)};
    if (line.substr(i, length) == kByteOrderMark) {
      return TextFault{place, "a byte order mark inside the document"};
    }
    i += length;
  }
  return std::nullopt;
}

}  // namespace

Lines split_lines(std::string_view text) {
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    text.remove_prefix(kByteOrderMark.size());
  }
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<TextFault> text_faults(const Lines& lines) {
  std::vector<TextFault> faults;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (auto fault = first_fault(lines[i], static_cast<int>(i) + 1)) {
      faults.push_back(std::move(*fault));
    }
  }
  return faults;
}

}  // namespace assay::fkc
