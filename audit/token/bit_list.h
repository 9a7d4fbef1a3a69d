// Elements of a tensor as text: "3f800000,00000000.63" is a one and 63 zeros.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/dtype.h"

namespace assay {

/// Hex of the format's full width for each element, with the number of times that it follows itself
/// where that is more than one. Empty for no elements.
std::string bit_list(const std::vector<Bits>& elements, Dtype dtype);

/// Any text. Throws UsageError, which names the list by `what`, where it is no list of this format
/// or has more than `most` elements; nothing is allocated for those.
std::vector<Bits> elements_of(std::string_view text, Dtype dtype, std::size_t most,
                              std::string_view what);

}  // namespace assay
