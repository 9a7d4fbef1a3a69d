// resources_kept: what a call leaves running or open when it has returned.
#include <fmt/format.h>

#include <algorithm>

#include "audit/judge/structure.h"
#include "audit/worker/buffer.h"
#include "audit/worker/process_resources.h"

namespace assay {

void judge_resources(Subject& subject, StructureTally& tally) {
  CastRunner runner(subject.kernel, subject.variant, subject.environment);
  constexpr std::size_t kLargest = 65539;  // worth a thread to kernels that have threads
  const std::vector<Bits> few = structure_values(subject, 64);
  std::vector<Bits> values(kLargest);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = few[i % few.size()];
  GuardedPages in_pages(kLargest * subject.from_bytes() + kSlack);
  GuardedPages out_pages(kLargest * subject.to_bytes() + kSlack);
  write_elements(in_pages.begin(), values, subject.from());

  const bool own_threads = subject.variant.threads;
  for (int call = 0; own_threads && call < kCallsToStartThreads; ++call) {
    subject.heartbeat.at(tally.planned);
    const CallFault fault = runner.call(in_pages.begin(), out_pages.begin(), kLargest);
    if (fault != CallFault::kNone) return put_fault(tally, fault, runner.fault());
  }
  ResourceWatch watch;
  if (own_threads) watch.look(true);
  std::vector<std::size_t> sizes;
  for (std::size_t n = 0; n <= 131; ++n) sizes.push_back(n);
  for (const std::size_t n : {std::size_t{1024}, std::size_t{4096}, kLargest}) sizes.push_back(n);
  for (int round = 0; round < 2; ++round) {
    for (const std::size_t n : sizes) {
      ++tally.planned;
      subject.heartbeat.at(tally.planned);
      const CallFault fault = runner.call(in_pages.begin(), out_pages.begin(), n);
      if (fault != CallFault::kNone) return put_fault(tally, fault, runner.fault());
      ++tally.probes;
      const std::string left = watch.look();
      if (left.empty()) continue;
      const auto shown = static_cast<long>(std::min<std::size_t>(n, 64));
      add_violation(tally, {values.begin(), values.begin() + shown}, 0,
                    fmt::format("a call of {} elements", n), "the call left behind " + left);
    }
  }
  put(tally.space,
      fmt::format("{} lengths from 0 to 65539, twice, in a process of their own; its threads and "
                  "file descriptors compared after each call with those before{}",
                  sizes.size(),
                  own_threads
                      ? "; the threads that the library says it has were started before, by "
                        "3 calls of 65539 elements"
                      : ""));
}

}  // namespace assay
