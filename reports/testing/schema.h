// Checks a JSON report against assay-report-1.schema.json. For tests.
#pragma once

#include <string>
#include <vector>

namespace assay::testing {

/// What is wrong with `report` in the eyes of the schema, "<path>: <fault>" each; nothing for
/// a valid report. Throws where the text is no JSON or the schema file cannot be read.
std::vector<std::string> schema_faults(const std::string& report);

}  // namespace assay::testing
