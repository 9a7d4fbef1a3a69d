#include "audit/benchmarks/machine_speed.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "audit/worker/processor_time.h"

// Compiled once per instruction set where the toolchain can pick one when the program starts.
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#define ASSAY_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ASSAY_CLONES
#endif

namespace assay::benchmarks {

namespace {

using Vector = float __attribute__((vector_size(64)));
constexpr std::size_t kLanes = sizeof(Vector) / sizeof(float);
// Enough to keep two units of four cycles' latency busy with a multiplication and an addition each.
constexpr std::size_t kChains = 8;
constexpr std::size_t kRounds = 4'000'000;

/// The sum of the chains, so that they are needed.
ASSAY_CLONES float multiply_and_add(float factor, float term) {
  Vector chains[kChains];
  for (Vector& chain : chains) chain = Vector{} + 1.0f;
  for (std::size_t round = 0; round < kRounds; ++round) {
#pragma GCC unroll 8
    for (std::size_t c = 0; c < kChains; ++c) chains[c] = chains[c] * factor + term;
  }
  float sum = 0;
  for (const Vector& chain : chains) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sum += chain[lane];
  }
  return sum;
}

}  // namespace

double memory_gigabytes() {
  constexpr std::size_t kBytes = std::size_t{512} << 20;
  std::vector<char> from(kBytes, 'x');
  std::vector<char> to(kBytes, 'y');
  double best = 0;
  for (int i = 0; i < 4; ++i) {
    from[static_cast<std::size_t>(i)] = static_cast<char>('0' + i);
    const double start = processor_seconds();
    std::memcpy(to.data(), from.data(), kBytes);
    benchmark::ClobberMemory();
    best = std::max(best, 2.0 * kBytes / (processor_seconds() - start) / 1e9);
    if (to[static_cast<std::size_t>(i)] != '0' + i || to.back() != 'x') {
      throw std::runtime_error("the copy is not equal");
    }
  }
  return best;
}

double peak_gigaflops() {
  double best = 0;
  for (int i = 0; i < 3; ++i) {
    const double start = processor_seconds();
    // 1 stays 1: 1 * 0.5 + 0.5.
    const float sum = multiply_and_add(0.5f, 0.5f);
    const double spent = processor_seconds() - start;
    if (sum != static_cast<float>(kLanes * kChains)) throw std::runtime_error("a wrong sum");
    best = std::max(best, 2.0 * kLanes * kChains * kRounds / spent / 1e9);
  }
  return best;
}

}  // namespace assay::benchmarks
