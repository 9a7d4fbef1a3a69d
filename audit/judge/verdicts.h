// From what the workers found to verdicts with evidence.
#pragma once

#include <string>
#include <vector>

#include "audit/drive.h"
#include "audit/job.h"
#include "audit/shrink.h"
#include "contracts/run_record.h"

namespace assay {

/// The violations of a variant's element claims and of `bitwise` that need a witness.
std::vector<WitnessRequest> witness_requests(const std::vector<Job>& jobs,
                                             const DriveResult& results);

/// The record of one job.
KernelRecord judge(const Job& job, std::uint32_t job_index, const JobResult& result,
                   const std::vector<WitnessRequest>& requests,
                   const std::vector<Witness>& witnesses, const std::string& unfinished);

}  // namespace assay
