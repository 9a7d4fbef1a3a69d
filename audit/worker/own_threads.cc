#include "audit/worker/own_threads.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace assay {

void ask_for_own_threads(unsigned count) {
  setenv("OMP_NUM_THREADS", std::to_string(count).c_str(), 1);
  setenv("OMP_DYNAMIC", "false", 1);  // the number is meant
  cpu_set_t all;
  if (sched_getaffinity(0, sizeof(all), &all) != 0) return;
  cpu_set_t some;
  CPU_ZERO(&some);
  // From the present one on: not all workers' children on the same.
  const int here = std::max(0, sched_getcpu());
  unsigned taken = 0;
  for (int step = 0; step < CPU_SETSIZE && taken < count; ++step) {
    const int cpu = (here + step) % CPU_SETSIZE;
    if (!CPU_ISSET(cpu, &all)) continue;
    CPU_SET(cpu, &some);
    ++taken;
  }
  sched_setaffinity(0, sizeof(some), &some);
}

}  // namespace assay
