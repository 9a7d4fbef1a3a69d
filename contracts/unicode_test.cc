#include "contracts/unicode.h"

#include <vector>

#include "contracts/testing/catch.h"

namespace assay {
namespace {

TEST_CASE("a text becomes one line without control characters") {
  struct Row {
    std::string text;
    std::string line;
  };
  const std::vector<Row> rows = {
      {"plain", "plain"},
      {"a\nb\tc\rd", "a b c d"},
      {"\x1b[31mred", "\\u{1b}[31mred"},
      {std::string("nul\0", 4), "nul\\u{0}"},
      {"caf\xc3\xa9", "caf\xc3\xa9"},
      {"\xe2\x89\xa4 \xf0\x9d\x94\xb8", "\xe2\x89\xa4 \xf0\x9d\x94\xb8"},
      {"\xc2\x9b", "\\u{9b}"},                       // a C1 control: CSI in some terminals
      {"\xe2\x80\xae", "\\u{202e}"},                 // right-to-left override
      {"\xe2\x80\xa8", "\\u{2028}"},                 // line separator
      {"\xff\xfe", "\\xff\\xfe"},                    // never UTF-8
      {"\xc0\xaf", "\\xc0\\xaf"},                    // overlong
      {"\xe0\x80\x80", "\\xe0\\x80\\x80"},           // overlong
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // a surrogate
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // above U+10FFFF
      {"\xe2\x82", "\\xe2\\x82"},                    // cut short
      {"\xe2(\xa1", "\\xe2(\\xa1"},  // a bad continuation does not swallow what follows
  };
  for (const Row& row : rows) CHECK(one_line(row.text) == row.line);
  CHECK(display_width("caf\xc3\xa9") == 4);
}

}  // namespace
}  // namespace assay
