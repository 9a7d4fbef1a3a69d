// Durations as people type them.
#pragma once

#include <chrono>
#include <string>

namespace assay::cli {

/// "90s", "1.5min", "2h", or a plain number of seconds. Throws UsageError for anything else, for
/// zero and for negative times.
std::chrono::duration<double> duration_from(const std::string& text);

}  // namespace assay::cli
