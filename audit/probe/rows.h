// The inner loops of spaces: what writes the probes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

/// to[i] = from[i] + delta, modulo 2^width, for i in [0, n). The ranges do not overlap.
void add_to_row(const std::uint32_t* from, std::uint32_t delta, std::size_t n, std::uint32_t* to);
void add_to_row(const std::uint64_t* from, std::uint64_t delta, std::size_t n, std::uint64_t* to);

/// Eight stretches of 256 consecutive patterns, interleaved: to[8 * r + lane] = first[lane] +
/// (r ^ scramble), modulo 2^width, for r in [0, 256). `scramble` is below 256.
void interleave(const std::uint32_t* first, std::uint32_t scramble, std::uint32_t* to);

}  // namespace assay
