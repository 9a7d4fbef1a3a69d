#include "audit/worker/own_threads.h"

#include <sched.h>

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
  unsigned taken = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE && taken < count; ++cpu) {
    if (!CPU_ISSET(cpu, &all)) continue;
    CPU_SET(cpu, &some);
    ++taken;
  }
  sched_setaffinity(0, sizeof(some), &some);
}

}  // namespace assay
