// Many audits side by side, each in a process of its own.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "audit/score/scored.h"

namespace assay::score {

struct ProcessOptions {
  unsigned processes = 1;
  Deadline deadline;
  std::function<void(const Scored&)> done = {};  ///< called as each ends
};

/// What scored() gives for each mutant, in their order. A process that ends before it has an answer
/// costs that one, as kFailed; what is not begun before the deadline, or before a stop was asked
/// for, is kNotRun. Throws std::system_error when nothing can be forked.
std::vector<Scored> score_all(const std::vector<Mutant>& mutants, const AuditOptions& options,
                              const ProcessOptions& processes);

}  // namespace assay::score
