// Options of commands that write an audit's reports, and the writing.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "contracts/run_record.h"

namespace assay::cli {

/// The names of all report formats.
std::vector<std::string> all_formats();

/// Adds --format, whose fallback is what `formats` holds.
void add_format_option(CLI::App& command, std::vector<std::string>& formats);

/// Writes the reports, which say that they go to `out`, removes those of an earlier audit that are
/// in the way, and prints the verdicts, or the last line of them only. Returns why the reports
/// could not be written; empty if they were.
std::string report_record(RunRecord& record, const std::string& out,
                          const std::vector<std::string>& formats, bool quiet);

}  // namespace assay::cli
