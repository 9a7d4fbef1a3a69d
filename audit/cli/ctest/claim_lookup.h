// One claim of one kernel and variant in a report: does its test pass?
#pragma once

#include <filesystem>
#include <string>

namespace assay::cli {

/// Exit status of a test that says nothing either way, as the makers of tests have it.
inline constexpr int kSkipped = 77;

struct Standing {
  int status = 3;
  std::string text;  ///< the verdict and its evidence, and why where it is not upheld
};

/// Writes `REPORT.standings`: the standing of every claim of every variant and of every kernel, and
/// a digest of the report that they were read from. Only here is the report itself read, so that
/// tests take it for what every other command takes it for. Of several claims under one name the
/// worst standing counts. Throws UsageError where the report cannot be read or is none, ReportError
/// where the list cannot be written.
void write_standings(const std::filesystem::path& report);

/// Looks one claim up in the list. Status 0: upheld, and by all the evidence that was planned (only
/// inputs outside of the contract may be left out). 1: refuted. 3: undecided, in error, not all of
/// the evidence, or not in the report. 77: measured and not judged; or `bitwise`, undecided and not
/// owed (is_open in reports/rollup.h). Throws UsageError where the list is missing or that of
/// another report.
Standing look_up(const std::filesystem::path& report, const std::string& kernel,
                 const std::string& claim, const std::string& variant);

/// Why a kernel was not run. Status 3; 0 if it was. Throws as look_up.
Standing look_up_kernel(const std::filesystem::path& report, const std::string& kernel);

}  // namespace assay::cli
