// Calls of a kernel's variants for an explanation, each in a worker process of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "audit/options.h"
#include "audit/worker/pool.h"

namespace assay {

/// Runs `call(v, heartbeat)` for the variants 0 ... count - 1. For each, why it did not come to its
/// end; empty where it did. Uses the number of workers and the time for a call of `options`.
std::vector<std::string> call_each_variant(
    std::size_t count, const AuditOptions& options,
    const std::function<void(std::size_t, Heartbeat&)>& call);

}  // namespace assay
