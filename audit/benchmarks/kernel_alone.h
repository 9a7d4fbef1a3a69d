// A cast kernel driven as sweeps drive it, but with nothing looked at.
#pragma once

#include <cstdint>

#include "audit/job.h"
#include "audit/worker/buffer.h"

namespace assay::benchmarks {

class KernelAlone {
 public:
  /// Both must outlive it.
  KernelAlone(const Job& job, const KernelVariant& variant);

  /// Generates every `step`-th block of a chunk, and calls the kernel on each `calls` times. Throws
  /// where a call is refused, or where the last block's results are not the oracle's: then the
  /// kernel did not run. Returns processor seconds.
  double seconds(const ProbeSpace& space, std::uint64_t chunk, std::uint64_t step = 1,
                 int calls = 1);

 private:
  const Job& job_;
  const KernelVariant& variant_;
  GuardedPages in_;
  GuardedPages out_;
};

/// Processor seconds that the kernel itself takes for all probes of `space`, from every `step`-th
/// block of each chunk. What a block costs besides is in the calls once and many times alike, and
/// cancels.
double kernel_seconds(const Job& job, const KernelVariant& variant, const ProbeSpace& space,
                      std::uint64_t step);

}  // namespace assay::benchmarks
