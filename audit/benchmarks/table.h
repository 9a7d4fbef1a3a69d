// The measured rows as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "audit/benchmarks/row.h"

namespace assay::benchmarks {

/// A line for each row: what, figure, target, met or missed, absolute figures.
std::string table(const std::vector<Measured>& measured);

/// { "schema": "assay-benchmarks/1", "machine": {…}, "tool": {…}, "rows": [ {…} ] }, for tracking.
std::string json(const std::vector<Measured>& measured);

}  // namespace assay::benchmarks
