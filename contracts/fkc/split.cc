#include "contracts/fkc/split.h"

#include "contracts/fkc/text.h"

namespace assay::fkc {

std::vector<std::string_view> split_outside_brackets(std::string_view text,
                                                     std::string_view separator) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && text.substr(i, separator.size()) == separator) {
      pieces.push_back(trim(text.substr(start, i - start)));
      start = i + separator.size();
      i = start - 1;
    }
  }
  pieces.push_back(trim(text.substr(start)));
  return pieces;
}

}  // namespace assay::fkc
