// resources_kept: what a call leaves running or open when it has returned.
#include <fmt/format.h>

#include <algorithm>

#include "audit/window/bench.h"
#include "audit/window/call_judges.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/process_resources.h"

namespace assay::window {

void judge_resources(Subject& subject, CallTally& tally) {
  const bool own_threads = subject.variant.threads;
  Bench bench(subject, tally);
  const std::vector<Case> cases = small_cases(subject.job, 30);
  if (cases.empty()) return;
  // A library that says it has threads starts them where there is enough to do.
  const Case& largest =
      *std::max_element(cases.begin(), cases.end(), [&](const auto& a, const auto& b) {
        return input_elements(subject.operation(), a.geometry) <
               input_elements(subject.operation(), b.geometry);
      });
  for (int call = 0; own_threads && call < kCallsToStartThreads; ++call) {
    bench.lay_out(largest);
    if (!bench.run()) return;
  }
  ResourceWatch watch;
  if (own_threads) watch.look(true);
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
      fmt::format("{} cases, twice, in a process of their own; its threads and file descriptors "
                  "compared after each call with those before{}",
                  cases.size(),
                  own_threads
                      ? "; the threads that the library says it has were started before, by "
                        "3 calls of the largest case"
                      : ""));
}

}  // namespace assay::window
