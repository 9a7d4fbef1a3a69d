// A number that is a whole text.
#pragma once

#include <charconv>
#include <string_view>
#include <system_error>

namespace assay {

/// True where all of `text` is one number that `number` can hold: no blanks, no sign but a minus,
/// no prefix. Else `number` may have changed.
template <typename T>
bool read_whole_number(std::string_view text, T& number, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace assay
