#include "audit/probe/rows.h"

#include <cstring>

// Compiled once per instruction set where the toolchain can pick one when the program starts: with
// vectors of 128 bits these loops take as long as a kernel. Not under AddressSanitizer, which is
// not ready yet when the picking is done.
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#if defined(__has_feature)
#if !__has_feature(address_sanitizer)
#define ASSAY_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#else
#define ASSAY_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#endif
#ifndef ASSAY_CLONES
#define ASSAY_CLONES
#endif

namespace assay {

namespace {

template <typename Word>
inline __attribute__((always_inline)) void add(const Word* __restrict from, Word delta,
                                               std::size_t n, Word* __restrict to) {
  for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<Word>(from[i] + delta);
}

}  // namespace

ASSAY_CLONES
void add_to_row(const std::uint32_t* from, std::uint32_t delta, std::size_t n, std::uint32_t* to) {
  add(from, delta, n, to);
}

ASSAY_CLONES
void add_to_row(const std::uint64_t* from, std::uint64_t delta, std::size_t n, std::uint64_t* to) {
  add(from, delta, n, to);
}

ASSAY_CLONES
void interleave(const std::uint32_t* first, std::uint32_t scramble, std::uint32_t* to) {
  // Two rows at a time, which is as many elements as the widest vector has: r ^ scramble of an even
  // r and that of the next differ by one, up or down.
  using Rows = std::uint32_t __attribute__((vector_size(64)));
  constexpr std::uint32_t kLanes = 8;
  std::uint32_t two[2 * kLanes];
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    two[lane] = first[lane];
    two[kLanes + lane] = first[lane] + ((scramble & 1) == 0 ? 1u : ~0u);
  }
  Rows rows;
  std::memcpy(&rows, two, sizeof(rows));
  for (std::uint32_t r = 0; r < 256; r += 2) {
    const Rows written = rows + (r ^ scramble);
    std::memcpy(to + r * kLanes, &written, sizeof(written));
  }
}

}  // namespace assay
