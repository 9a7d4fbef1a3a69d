// The shards of one audit, as their runs left them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "audit/cli/unfinished.h"
#include "audit/worker/checkpoint.h"

namespace assay::cli {

/// All shards of an audit.
struct Shards {
  AuditIdentity identity;  ///< that of the first; `started` is the earliest of all
  std::string unfinished;  ///< which did not come to their end, and why; empty if all did
  Checkpoint checkpoint;   ///< their work, joined and closed
};

/// Reads shards, in whatever order they are named: by their report folders, a report in it, or the
/// file itself. Throws UsageError, which says what is wrong and with which, where one cannot be
/// read, is still under way or was cut off; where they are of different audits (options, program,
/// machine, contracts, libraries); and where one is there twice or is missing.
Shards read_shards(const std::vector<std::string>& paths);

}  // namespace assay::cli
