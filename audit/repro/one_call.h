// The repetition of a single call, one function for each family of kernels.
#pragma once

#include <string>
#include <vector>

#include "audit/job.h"
#include "audit/repro/repeat.h"
#include "audit/window/job.h"
#include "audit/worker/pool.h"

namespace assay {

/// `jobs`: one, whose variants are the token's, behind the one that it is compared with if it is.
/// The call runs in a worker process. Throws as repeat().
Repeated repeat_cast_call(const Token& token, const std::vector<Job>& jobs,
                          const AuditOptions& options);
Repeated repeat_window_call(const Token& token, const window::Job& job,
                            const AuditOptions& options);

/// Runs `work` as the only unit of a worker, and says in `repeated` why it did not come to its end,
/// if so.
bool ran_in_worker(const AuditOptions& options, Repeated& repeated,
                   const std::function<void(Heartbeat&)>& work);

/// "the one call, 64 times in one process", "…: the 3rd fails".
std::string calls_text(int made, bool failed);

}  // namespace assay
