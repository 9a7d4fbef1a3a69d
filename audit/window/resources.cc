// resources_kept: what a call leaves running or open when it has returned.
#include <fmt/format.h>

#include "audit/window/bench.h"
#include "audit/window/call_judges.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/process_resources.h"

namespace assay::window {

void judge_resources(Subject& subject, CallTally& tally) {
  ResourceWatch watch(subject.variant.threads);
  const std::string earlier = watch.look();
  if (!earlier.empty()) {
    ++tally.planned;
    ++tally.probes;
    add_violation(tally, nullptr, "calls of this process that were made to judge other claims",
                  "they left behind " + earlier);
  }
  Bench bench(subject, tally);
  const std::vector<Case> cases = small_cases(subject.job, 30);
  for (int round = 0; round < 2; ++round) {
    for (const Case& the_case : cases) {
      bench.lay_out(the_case);
      if (!bench.run()) return;
      const std::string left = watch.look();
      if (left.empty()) continue;
      add_violation(tally, &the_case, bench.circumstances(), "the call left behind " + left);
    }
  }
  put(tally.space,
      fmt::format("{} cases, twice; threads and file descriptors of the process compared after "
                  "each call with those before, and with those at its start{}",
                  cases.size(),
                  subject.variant.threads ? "; the threads that the library declares may be "
                                            "started by the first 3 calls"
                                          : ""));
}

}  // namespace assay::window
