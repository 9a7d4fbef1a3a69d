#include "reports/xml_text.h"

#include "contracts/unicode.h"

namespace assay {

namespace {

constexpr std::string_view kNonCharacters[] = {"\xef\xbf\xbe", "\xef\xbf\xbf"};

}  // namespace

std::string_view markup_entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':  // "]]>" may not stand in the text of XML
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return "";
  }
}

std::string xml_line(std::string_view text) {
  const std::string line = one_line(text);
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view rest = std::string_view(line).substr(i);
    if (rest.starts_with(kNonCharacters[0]) || rest.starts_with(kNonCharacters[1])) {
      out += rest[2] == '\xbe' ? "\\u{fffe}" : "\\u{ffff}";
      i += 2;
      continue;
    }
    const std::string_view entity = markup_entity(line[i]);
    out += entity.empty() ? rest.substr(0, 1) : entity;
  }
  return out;
}

}  // namespace assay
