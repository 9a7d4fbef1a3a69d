// Drives the jobs: divides all work into units, runs them in worker processes, and hands back what
// they found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "audit/job.h"
#include "audit/judge/census.h"
#include "audit/judge/structure.h"
#include "audit/worker/pool.h"

namespace assay {

/// What became of one unit, for the account of probes that did not run.
struct ChunkResult {
  UnitState state = UnitState::kNotStarted;
  SweepTally tally;
};

/// A variant's sweep over one space.
struct SpaceResult {
  bool assigned = false;
  std::vector<ChunkResult> chunks;
};

struct VariantResult {
  std::vector<SpaceResult> spaces;        ///< by space of the job
  DeviationTotals deviations;             ///< of the chunks that ran whole
  std::vector<StructureTally> structure;  ///< by row of structure_rows()
  std::vector<UnitState> structure_states;
  std::vector<std::string> structure_failures;  ///< how a unit's worker ended; empty if it did not
  /// The first crash, hang or other end of a worker in this variant's sweeps; empty if none.
  std::string failure;
  /// A hang anywhere in this variant, which ended all its work; empty if none.
  std::string hang;
};

struct JobResult {
  /// censuses[s][c] of space s and chunk c; `counted[s][c]` is false where it did not run.
  std::vector<std::vector<Census>> censuses;
  std::vector<std::vector<bool>> counted;
  std::string count_failure;  ///< why one did not run although it was started; empty if none
  std::vector<VariantResult> variants;
};

struct DriveResult {
  std::vector<JobResult> jobs;
  bool interrupted = false;
  bool out_of_time = false;
};

/// Throws AuditError when a fast oracle of these jobs does not match its certificate, or cannot be
/// compared with it. Returns at once when the run is interrupted.
void verify_certificates(const std::vector<Job>& jobs, const AuditOptions& options);

/// Throws AuditError when a fast oracle does not match its certificate, or cannot be compared with
/// it.
DriveResult drive(const std::vector<Job>& jobs, const AuditOptions& options,
                  const Deadline& deadline);

}  // namespace assay
