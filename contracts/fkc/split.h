// Cutting texts where no bracket is open.
#pragma once

#include <string_view>
#include <vector>

namespace assay::fkc {

/// The pieces of `text` between `separator`s at bracket depth 0 ((), [] and {} count), each
/// trimmed. One empty piece for an empty text.
std::vector<std::string_view> split_outside_brackets(std::string_view text,
                                                     std::string_view separator);

}  // namespace assay::fkc
