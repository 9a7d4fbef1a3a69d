#include "audit/window/audit.h"

#include <fmt/format.h>

#include "audit/window/drive.h"
#include "audit/window/pairs.h"
#include "audit/window/shrink.h"
#include "audit/window/verdicts.h"

namespace assay::window {

namespace {

/// Results of all jobs on all their variants.
std::uint64_t total_results(const std::vector<Job>& jobs) {
  std::uint64_t total = 0;
  for (const Job& job : jobs) {
    for (const Case& the_case : job.cases) {
      total += looked_at(the_case) * job.variants.size();
    }
    total += job.firsts.size() * kPatterns * job.variants.size();
  }
  return total;
}

}  // namespace

std::vector<KernelRecord> audit(std::vector<Job>& jobs, const AuditOptions& options,
                                const Deadline& deadline, RunInfo& run) {
  for (Job& job : jobs) {
    // What will not be started needs no long plan.
    AuditOptions mine = options;
    if (deadline && std::chrono::steady_clock::now() >= *deadline) mine.effort = Effort::kQuick;
    if (job.not_run.empty()) plan(job, mine);
  }
  const std::uint64_t total = total_results(jobs);
  std::uint64_t before = 0;  // results of the jobs that are done
  std::vector<KernelRecord> records;
  Deadline until = deadline;
  for (const Job& job : jobs) {
    if (!job.not_run.empty()) {
      records.push_back(judge(job, {}, {}, {}, run.incomplete));
      continue;
    }
    std::uint64_t done = 0;
    const auto progress = [&](std::uint64_t results) {
      done = results;
      if (options.progress) options.progress({"convolutions and poolings", before + done, total});
    };
    // After an interruption nothing more is started, and every job still gets its record.
    if (run.incomplete == "interrupted") until = std::chrono::steady_clock::now();
    const std::string stage = fmt::format("windows {}", records.size());
    const Found found = drive(job, options, until, stage, progress);
    before += done;
    if (found.out_of_time && run.incomplete.empty()) {
      run.incomplete = "the time budget was used up";
    }
    if (found.interrupted) run.incomplete = "interrupted";
    const std::vector<WitnessRequest> requests = witness_requests(job, found);
    std::vector<Witness> witnesses;
    bool interrupted = false;
    if (run.incomplete != "interrupted") {
      witnesses = find_witnesses(job, options, requests, deadline, &interrupted);
    }
    if (interrupted) run.incomplete = "interrupted";
    records.push_back(judge(job, found, requests, witnesses, run.incomplete));
  }
  return records;
}

}  // namespace assay::window
