#include "contracts/fkc/text.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "contracts/unicode.h"

namespace assay::fkc {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::optional<TextFault> first_fault(std::string_view line, int number) {
  for (std::size_t i = 0; i < line.size();) {
    const Place place{number, static_cast<int>(i) + 1};
    const auto byte = static_cast<std::uint8_t>(line[i]);
    if ((byte < 0x20 && byte != '\t') || byte == 0x7F) {
      return TextFault{place, fmt::format("control character 0x{:02x}", byte)};
    }
    const std::size_t length = first_code_point(line.substr(i)).length;
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
