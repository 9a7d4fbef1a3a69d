// Rules of the form `name(argument)`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "contracts/fkc/text.h"

namespace assay::fkc {

/// The trimmed argument if `text` is exactly `name(argument)`, or nothing.
inline std::optional<std::string> call_argument(std::string_view text, std::string_view name) {
  text = trim(text);
  if (text.size() < name.size() + 2 || text.substr(0, name.size()) != name ||
      text[name.size()] != '(' || text.back() != ')') {
    return std::nullopt;
  }
  return std::string(trim(text.substr(name.size() + 1, text.size() - name.size() - 2)));
}

}  // namespace assay::fkc
