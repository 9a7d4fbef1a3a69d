// From what the workers found to verdicts with evidence.
#pragma once

#include "audit/window/drive.h"
#include "audit/window/shrink.h"
#include "contracts/run_record.h"

namespace assay::window {

/// The violations that need a witness: of the claims judged result by result, and of `bitwise`.
std::vector<WitnessRequest> witness_requests(const Job& job, const Found& found);

/// The record of one job. `unfinished` says why the run did not come to its end; empty if it did.
KernelRecord judge(const Job& job, const Found& found, const std::vector<WitnessRequest>& requests,
                   const std::vector<Witness>& witnesses, const std::string& unfinished);

}  // namespace assay::window
