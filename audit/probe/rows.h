// The inner loop of spaces that are made of rows.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

/// to[i] = from[i] + delta, modulo 2^width, for i in [0, n). The ranges do not overlap.
void add_to_row(const std::uint32_t* from, std::uint32_t delta, std::size_t n, std::uint32_t* to);
void add_to_row(const std::uint64_t* from, std::uint64_t delta, std::size_t n, std::uint64_t* to);

}  // namespace assay
