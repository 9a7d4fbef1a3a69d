// The machine-readable report, schema `assay-report/1` (assay-report-1.schema.json beside this).
//
// Names are those of run_record.h. What is optional there is left out where absent. Numbers that
// are not finite (an error against a result that should have been finite, the upper end of the
// histogram) are null, as JSON has no infinity; so are rates and speedups that are not known.
// Counts and the seed are exact integers up to 2^64 - 1: read them with a parser that does not go
// through a double.
// Of a large tensor the first elements are there (64, as a rule); its shape tells of the others.
// Bytes of a contract that are not UTF-8 become U+FFFD.
#pragma once

#include <string>
#include <vector>

#include "contracts/run_record.h"
#include "reports/rendered_file.h"

namespace assay {

std::string json_report(const RunRecord& record);

/// The one file `report.json`.
std::vector<RenderedFile> render_json(const RunRecord& record);

}  // namespace assay
