// Drives a job: truths first, then every variant, in worker processes.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/window/job.h"
#include "audit/window/rates.h"
#include "audit/window/subject.h"
#include "audit/window/sweep.h"
#include "audit/worker/pool.h"

namespace assay::window {

/// What became of one stretch of cases.
struct ChunkFound {
  UnitState state = UnitState::kNotStarted;
  SweepTally tally;
};

struct VariantFound {
  std::vector<ChunkFound> chunks;
  std::vector<CaseDigest> digests;  ///< by case; `ran` is false where there is none
  std::vector<CallTally> calls;     ///< by row of call_rows()
  std::vector<UnitState> call_states;
  std::vector<std::string> call_failures;  ///< how the worker ended; empty if it did not
  RateTally rates;
  std::string failure;  ///< the first crash or the like in the sweeps; empty if none
  std::string hang;     ///< a hang, which ended all work on the variant; empty if none
};

struct Found {
  std::vector<VariantFound> variants;
  std::vector<std::uint64_t> case_results;  ///< results of each case that the oracle is asked for
  std::string truth_failure;  ///< why a truth is missing although it was begun; empty if none is
  bool interrupted = false;
  bool out_of_time = false;
};

/// Finished work is kept under the name `stage`, which no other job may have. `progress` is called
/// with the results compared so far.
Found drive(const Job& job, const AuditOptions& options, const Deadline& deadline,
            const std::string& stage, const std::function<void(std::uint64_t)>& progress);

}  // namespace assay::window
