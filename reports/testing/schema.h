// Checks JSON against the schemas beside the writers. For tests.
#pragma once

#include <string>
#include <vector>

namespace assay::testing {

/// What is wrong with `json` in the eyes of a schema of this folder, "<path>: <fault>" each;
/// nothing for a valid text. Throws where the text is no JSON or the schema file cannot be read.
std::vector<std::string> schema_faults(const std::string& json,
                                       const std::string& schema = "assay-report-1.schema.json");

}  // namespace assay::testing
