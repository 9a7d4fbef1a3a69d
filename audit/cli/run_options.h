// Options that every command which audits has.
#pragma once

#include <cstdint>
#include <string>

#include "audit/options.h"

namespace assay::cli {

/// "quick", "standard" or "exhaustive".
Effort effort_from(const std::string& name);

/// A decimal number up to 2^64 - 1, or "random". Throws UsageError.
std::uint64_t seed_from(const std::string& text);

}  // namespace assay::cli
