// Texts in memory that processes share.
#pragma once

#include <cstddef>
#include <string>

namespace assay {

/// Copies `text` into a fixed array, cut to fit.
template <std::size_t kSize>
void put(char (&to)[kSize], const std::string& text) {
  to[text.copy(to, kSize - 1)] = '\0';
}

}  // namespace assay
