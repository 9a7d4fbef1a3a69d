#include "audit/audit.h"

#include <algorithm>
#include <chrono>

#include "audit/drive.h"
#include "audit/job.h"
#include "audit/judge/verdicts.h"
#include "audit/machine.h"
#include "audit/shrink.h"

namespace assay {

RunRecord audit(const std::vector<fkc::Document>& documents, const Registry& registry,
                const AuditOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  RunRecord record;
  record.tool = describe_tool();
  record.machine = describe_machine(options.threads);
  record.run = describe_run(options);

  // contract → kernel binding → probe spaces
  std::vector<Job> jobs = bind(documents, registry, options);
  for (Job& job : jobs) {
    if (job.not_run.empty()) plan(job, options);
  }

  // kernels run in worker processes, compared with the oracle → what was found
  const DriveResult found = drive(jobs, options);
  if (found.interrupted) record.run.incomplete = "interrupted";
  if (found.out_of_time) record.run.incomplete = "the time budget was used up";
  record.run.complete = record.run.incomplete.empty();

  // violations → verified again and simplified
  const std::vector<WitnessRequest> requests = witness_requests(jobs, found);
  const std::vector<Witness> witnesses = find_witnesses(jobs, options, requests);

  // evidence → verdicts
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    record.kernels.push_back(judge(jobs[j], static_cast<std::uint32_t>(j), found.jobs[j], requests,
                                   witnesses, record.run.incomplete));
  }
  record.run.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

int exit_status(const RunRecord& record, const AuditOptions& options) {
  const Summary summary = record.summary();
  if (summary.refuted > 0) return 1;
  if (summary.error > 0 || !record.run.complete) return 3;
  for (const KernelRecord& kernel : record.kernels) {
    if (!kernel.not_run.empty()) return 3;
    for (const VariantRecord& variant : kernel.variants) {
      for (const ClaimRecord& claim : variant.claims) {
        if (claim.verdict != Verdict::kUndecided) continue;
        // A comparison of variants is not to be had where there is only one of them, and not asked
        // for where the caller left some out.
        const bool alone = kernel.variants.size() == 1 || !options.variants.empty();
        if (claim.id != row(ClaimKind::kBitwise).id || !alone) return 3;
      }
    }
  }
  return 0;
}

}  // namespace assay
