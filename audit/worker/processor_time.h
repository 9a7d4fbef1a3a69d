// Processor time, for the account of what work costs.
#pragma once

#include <ctime>

namespace assay {

/// Seconds of the calling thread so far.
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace assay
