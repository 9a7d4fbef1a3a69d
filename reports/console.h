// The closing words of an audit on a terminal.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "contracts/run_record.h"

namespace assay {

/// The whole summary: a table of kernels that fits 80 columns, then what is undecided or went
/// wrong, then what is refuted (each with its counterexample and the command that repeats it),
/// then the reports written, then `last_line`. Ends with a newline. With `colour`, ANSI colours
/// mark the verdicts; the words and columns are the same without.
std::string console_summary(const RunRecord& record,
                            const std::vector<std::filesystem::path>& report_paths, bool colour);

/// The result in one line, without a newline: "6,112 claims upheld, 0 refuted, 210 measured only,
/// 0 undecided, 0 errors; 123,456,789,012 probes in 41.3 s". It begins with "INCOMPLETE: " where
/// the audit did not come to its end, and counts kernels that could not be run.
std::string last_line(const RunRecord& record);

}  // namespace assay
