#include "audit/probe/rows.h"

// Compiled once per instruction set where the toolchain can pick one when the program starts: with
// vectors of 128 bits this loop takes as long as a kernel. Not under AddressSanitizer, which is not
// ready yet when the picking is done.
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

}  // namespace assay
