#include "audit/window/audit.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/window/call_shrink.h"
#include "audit/window/drive.h"
#include "audit/window/pairs.h"
#include "audit/window/shrink.h"
#include "audit/window/verdicts.h"

namespace assay::window {

namespace {

/// Results of all jobs on all their variants, as far as they are this run's.
std::uint64_t total_results(const std::vector<Job>& jobs) {
  std::uint64_t total = 0;
  for (const Job& job : jobs) {
    for (std::size_t i = 0; i < job.cases.size(); ++i) {
      if (!job.share.has_cases(i / kCasesPerChunk)) continue;
      total += looked_at(job.cases[i]) * job.variants.size();
    }
    const std::size_t chunks = pair_chunks(job);
    for (std::size_t unit = 0; unit < job.variants.size() * chunks; ++unit) {
      if (!job.share.has_pairs(unit)) continue;
      const std::size_t first = unit % chunks * kFirstsPerChunk;
      total += std::min(kFirstsPerChunk, job.firsts.size() - first) * kPatterns;
    }
  }
  return total;
}

}  // namespace

std::vector<KernelRecord> audit(std::vector<Job>& jobs, const AuditOptions& options,
                                const Deadline& deadline, Ending& ending) {
  // The plan is that of the effort asked for, however short the time: units that an earlier run has
  // kept are units of that plan, and what is left out is left out of it.
  for (Job& job : jobs) {
    if (job.not_run.empty()) plan(job, options);
  }
  Dealer dealer(options.shard);
  for (Job& job : jobs) {
    if (job.not_run.empty()) job.share = share_of(job, options, dealer);
  }
  const std::uint64_t total = total_results(jobs);
  std::uint64_t before = 0;  // results of the jobs that are done
  std::vector<KernelRecord> records;
  Deadline until = deadline;
  for (const Job& job : jobs) {
    if (!job.not_run.empty()) {
      records.push_back(judge(job, {}, {}, {}, ending.reason(options)));
      continue;
    }
    std::uint64_t done = 0;
    const auto progress = [&](std::uint64_t results) {
      done = results;
      if (options.progress) options.progress({"convolutions and poolings", before + done, total});
    };
    // After an interruption nothing more is started, and every job still gets its record.
    if (ending.interrupted) until = std::chrono::steady_clock::now();
    const std::string stage = fmt::format("windows {}", records.size());
    Found found = drive(job, options, until, stage, progress);
    before += done;
    ending.out_of_time = ending.out_of_time || found.out_of_time;
    ending.interrupted = ending.interrupted || found.interrupted;
    const std::vector<WitnessRequest> requests = witness_requests(job, found);
    std::vector<Witness> witnesses;
    if (!ending.interrupted) {
      witnesses = find_witnesses(job, options, requests, deadline, &ending.interrupted);
      shrink_calls(job, options, deadline, found, &ending.interrupted);
    }
    records.push_back(judge(job, found, requests, witnesses, ending.reason(options)));
  }
  return records;
}

}  // namespace assay::window
