// From a call that refutes a claim about calls to a smaller one that does, judged again in a fresh
// process.
#pragma once

#include <cstdint>

#include "audit/window/drive.h"
#include "audit/window/job.h"

namespace assay::window {

/// Replaces the example of every refuted claim about calls that has a case by that of the smallest
/// case found that refutes it as well, when the claim's judge is given that case alone. Where it
/// does not refute the claim again, the example stays, and says so. Sets `*interrupted` where a
/// signal ended it. The same every time, unless the time runs out: kMostTime for all, or shortly
/// after `deadline`.
void shrink_calls(const Job& job, const AuditOptions& options, const Deadline& deadline,
                  Found& found, bool* interrupted);

}  // namespace assay::window
