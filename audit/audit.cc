#include "audit/audit.h"

#include <algorithm>
#include <chrono>

#include "audit/bind.h"
#include "audit/drive.h"
#include "audit/judge/verdicts.h"
#include "audit/machine.h"
#include "audit/shrink.h"
#include "audit/window/audit.h"

namespace assay {

namespace {

Deadline deadline_of(const AuditOptions& options) {
  if (!options.time_budget) return std::nullopt;
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(*options.time_budget);
}

/// The records of all casts.
std::vector<KernelRecord> audit_casts(std::vector<Job>& jobs, const AuditOptions& options,
                                      const Deadline& deadline, RunInfo& run) {
  for (Job& job : jobs) {
    if (job.not_run.empty()) plan(job, options);
  }

  // kernels run in worker processes, compared with the oracle → what was found
  const DriveResult found = drive(jobs, options, deadline);
  if (found.interrupted) run.incomplete = "interrupted";
  if (found.out_of_time) run.incomplete = "the time budget was used up";

  // violations → verified again and simplified
  const std::vector<WitnessRequest> requests = witness_requests(jobs, found);
  const std::vector<Witness> witnesses = find_witnesses(jobs, options, requests);

  // evidence → verdicts
  std::vector<KernelRecord> records;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    records.push_back(judge(jobs[j], static_cast<std::uint32_t>(j), found.jobs[j], requests,
                            witnesses, run.incomplete));
  }
  return records;
}

}  // namespace

RunRecord audit(const std::vector<fkc::Document>& documents, const Registry& registry,
                const AuditOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const Deadline deadline = deadline_of(options);
  RunRecord record;
  record.tool = describe_tool();
  record.machine = describe_machine(options.threads);
  record.run = describe_run(options);

  // contract → kernel binding
  Bound bound = assay::bind(documents, registry, options);

  // probe spaces → kernels run → evidence → verdicts, family by family; the short one first
  std::vector<KernelRecord> windows = window::audit(bound.windows, options, deadline, record.run);
  std::vector<KernelRecord> casts = audit_casts(bound.casts, options, deadline, record.run);
  record.run.complete = record.run.incomplete.empty();

  for (const Bound::Slot& slot : bound.order) {
    std::vector<KernelRecord>& family = slot.family == Bound::Family::kCast ? casts : windows;
    record.kernels.push_back(std::move(family[slot.index]));
  }
  record.run.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

}  // namespace assay
