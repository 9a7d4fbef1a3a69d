#include "audit/token/bit_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/options.h"
#include "audit/token/whole_number.h"
#include "contracts/unicode.h"

namespace assay {

std::string bit_list(const std::vector<Bits>& elements, Dtype dtype) {
  std::string text;
  for (std::size_t i = 0; i < elements.size();) {
    std::size_t times = 1;
    while (i + times < elements.size() && elements[i + times] == elements[i]) ++times;
    if (!text.empty()) text += ',';
    text += hex(elements[i], dtype).substr(2);
    if (times > 1) text += fmt::format(".{}", times);
    i += times;
  }
  return text;
}

std::vector<Bits> elements_of(std::string_view text, Dtype dtype, std::size_t most,
                              std::string_view what) {
  const auto digits = static_cast<std::size_t>(traits(dtype).width / 4);
  std::vector<Bits> elements;
  bool more = !text.empty();
  while (more) {
    const std::size_t comma = text.find(',');
    more = comma != std::string_view::npos;
    const std::string_view item = text.substr(0, comma);
    text.remove_prefix(more ? comma + 1 : text.size());
    const std::size_t point = item.find('.');
    const std::string_view pattern = item.substr(0, point);
    Bits bits = 0;
    if (pattern.size() != digits || !read_whole_number(pattern, bits, 16)) {
      throw UsageError(fmt::format("{}: '{}' is no element of {}, which takes {} digits of hex",
                                   what, one_line(item.substr(0, 40)), traits(dtype).name, digits));
    }
    std::size_t times = 1;
    if (point != std::string_view::npos &&
        (!read_whole_number(item.substr(point + 1), times) || times < 1)) {
      throw UsageError(fmt::format("{}: '{}' is no element and a number of times", what,
                                   one_line(item.substr(0, 40))));
    }
    if (times > most - elements.size()) {
      throw UsageError(fmt::format("{}: more than {} elements", what, most));
    }
    elements.insert(elements.end(), times, bits);
  }
  return elements;
}

}  // namespace assay
