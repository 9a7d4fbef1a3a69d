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

/// Writes `REPORT.upheld`, the list of the claims that are upheld and a digest of the report that
/// they were read from. There are many tests and the report is large, so each looks into the list
/// first and reads the report only to explain a failure. Throws UsageError where the report cannot
/// be read or is none, ReportError where the list cannot be written.
void write_upheld_list(const std::filesystem::path& report);

/// Looks one claim up, in the list where it is this report's. Status 0: upheld, and by all the
/// evidence that was planned (only inputs outside of the contract may be left out). 1: refuted. 3:
/// undecided, in error, not all of the evidence, or not in the report. 77: measured and not judged;
/// or `bitwise`, undecided, of a kernel with one variant, which has nothing to be compared with.
/// Where the report has the claim several times the worst counts. Throws UsageError as above.
Standing look_up(const std::filesystem::path& report, const std::string& kernel,
                 const std::string& claim, const std::string& variant);

/// Why a kernel was not audited. Status 3; 0 if it was.
Standing look_up_kernel(const std::filesystem::path& report, const std::string& kernel);

}  // namespace assay::cli
