// How long work takes.
#pragma once

#include "audit/worker/processor_time.h"

namespace assay::benchmarks {

/// Processor seconds of one of `times` calls of `work`.
template <typename Work>
double seconds_of(int times, Work&& work) {
  const double start = processor_seconds();
  for (int i = 0; i < times; ++i) work();
  return (processor_seconds() - start) / times;
}

}  // namespace assay::benchmarks
