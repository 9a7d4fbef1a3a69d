#include "audit/audit.h"

#include <algorithm>
#include <chrono>

#include "audit/bind.h"
#include "audit/drive.h"
#include "audit/judge/verdicts.h"
#include "audit/machine.h"
#include "audit/shrink.h"
#include "audit/window/audit.h"
#include "audit/worker/checkpoint.h"

namespace assay {

namespace {

Deadline deadline_of(const AuditOptions& options) {
  if (!options.time_budget) return std::nullopt;
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(*options.time_budget);
}

/// The records of all casts.
std::vector<KernelRecord> audit_casts(std::vector<Job>& jobs, const AuditOptions& options,
                                      const Deadline& deadline, Ending& ending) {
  for (Job& job : jobs) {
    if (job.not_run.empty()) plan(job, options);
  }

  // kernels run in worker processes, compared with the oracle → what was found
  const DriveResult found = drive(jobs, options, deadline);
  ending.interrupted = ending.interrupted || found.interrupted;
  ending.out_of_time = ending.out_of_time || found.out_of_time;
  const std::string unfinished = ending.reason(options);

  // violations → verified again and simplified
  const std::vector<WitnessRequest> requests = witness_requests(jobs, found);
  const std::vector<Witness> witnesses = find_witnesses(jobs, options, requests);

  // evidence → verdicts
  std::vector<KernelRecord> records;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    records.push_back(judge(jobs[j], static_cast<std::uint32_t>(j), found.jobs[j], requests,
                            witnesses, unfinished));
  }
  return records;
}

/// What one shard has nothing against is not upheld: others may have.
void uphold_nothing(std::vector<KernelRecord>& kernels, const Shard& shard) {
  for (KernelRecord& kernel : kernels) {
    for (VariantRecord& variant : kernel.variants) {
      for (ClaimRecord& claim : variant.claims) {
        if (claim.verdict != Verdict::kUpheld) continue;
        claim.verdict = Verdict::kUndecided;
        claim.why = to_string(shard) +
                    " has nothing against it, and tells of its own part only; `assay merge` "
                    "decides by the evidence of all shards";
      }
    }
  }
}

}  // namespace

std::string Ending::reason(const AuditOptions& options) const {
  std::string text = options.shard.is_part()
                         ? to_string(options.shard) + ": the other shards have the rest"
                         : options.unfinished_shards;
  const std::string mine = reason();
  if (!mine.empty()) text += (text.empty() ? "" : "; ") + mine;
  return text;
}

RunRecord audit(const std::vector<fkc::Document>& documents, const Registry& registry,
                const AuditOptions& options, const std::function<void()>& verify) {
  const auto start = std::chrono::steady_clock::now();
  const Deadline deadline = deadline_of(options);
  RunRecord record;
  record.tool = describe_tool();
  record.machine = describe_machine(options.threads);
  record.run = describe_run(options);

  // contract → kernel binding
  Bound bound = assay::bind(documents, registry, options);

  // probe spaces → kernels run → evidence → verdicts, family by family; the short one first
  Ending ending;
  std::vector<KernelRecord> windows = window::audit(bound.windows, options, deadline, ending);
  std::vector<KernelRecord> casts = audit_casts(bound.casts, options, deadline, ending);
  if (verify) verify();
  record.run.incomplete = ending.reason(options);
  record.run.complete = record.run.incomplete.empty();

  for (const Bound::Slot& slot : bound.order) {
    std::vector<KernelRecord>& family = slot.family == Bound::Family::kCast ? casts : windows;
    record.kernels.push_back(std::move(family[slot.index]));
  }
  if (options.shard.is_part()) {
    uphold_nothing(record.kernels, options.shard);
    if (options.checkpoint != nullptr) options.checkpoint->end(ending.reason());
  }
  record.run.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

}  // namespace assay
