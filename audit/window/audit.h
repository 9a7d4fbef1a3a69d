// The audit of operations with windows: from jobs to records.
#pragma once

#include <vector>

#include "audit/window/job.h"
#include "contracts/run_record.h"

namespace assay::window {

/// Plans, drives and judges `jobs`, one after the other, so that memory does not grow with their
/// number. Notes in `ending` that the run was stopped or ran out of time: what is left then is not
/// begun, and its records say so.
std::vector<KernelRecord> audit(std::vector<Job>& jobs, const AuditOptions& options,
                                const Deadline& deadline, Ending& ending);

}  // namespace assay::window
