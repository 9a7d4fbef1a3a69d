// Runs rows by Google Benchmark.
#pragma once

#include <vector>

#include "audit/benchmarks/row.h"

namespace assay::benchmarks {

/// Measures each row as often as it asks for, and says on standard error which is being measured.
std::vector<Measured> run(const Rows& rows);

}  // namespace assay::benchmarks
