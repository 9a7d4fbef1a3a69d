// One table out of reports of several libraries: library x kernel x claim. It is made from the
// records of reports, and knows no kernel.
//
// What could not be audited has its rows as well, with the reason: a library that was not built or
// cannot run here, and a kernel without an implementation.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/run_record.h"
#include "reports/rendered_file.h"

namespace assay {

/// A library that the comparison is to speak of.
struct ComparedLibrary {
  std::string name;         ///< the file's name without its folder and its ending
  std::string description;  ///< "Eigen 3.4.0"
  std::string skipped;      ///< why it was not audited; empty if it was
};

/// Reads the list of libraries: a line for each, NAME <tab> DESCRIPTION <tab> REASON, the reason
/// empty where the library was audited. Throws ReportError, which names the line.
std::vector<ComparedLibrary> read_library_list(std::string_view text);

/// A claim's outcome, with the words of the report.
struct ComparedClaim {
  std::string id;
  std::string verdict;
  std::string strength;
  std::string declared;
  std::uint64_t violations =
      0;                       ///< of what is not promised: probes that differ from the usual rule
  std::string why;             ///< of the counterexample, or of the missing verdict
  std::string counterexample;  ///< "src 0x0001 (1e-45), got 0x0 (0), expected ..."; empty if none
};

/// One variant of one kernel; or the kernel, without claims, where it was not run.
struct ComparedVariant {
  std::string library;  ///< the file's name as in ComparedLibrary; empty for built-in kernels
  std::string kernel;
  std::string variant;
  std::string not_run;
  std::vector<ComparedClaim> claims;
  std::optional<std::uint64_t> max_ulp_distance;  ///< the largest of all claims
  std::optional<double> max_ulp_error;            ///< likewise; infinite where it is
  double probes_per_second = 0;                   ///< 0 where not known
  double gflops_per_second = 0;                   ///< of the fastest timed call; 0 where none was
};

/// The rows of one report, in its order.
std::vector<ComparedVariant> compared_variants(const RunRecord& record);

/// The table as Markdown, `comparison.md`. Rows stand by kernel, then library, then variant.
/// A library of the list that is neither skipped nor in the rows is shown as skipped.
RenderedFile comparison_page(std::span<const ComparedVariant> rows,
                             std::span<const ComparedLibrary> libraries);

/// The same in short, for a terminal: a line for each kernel of each library, one for each skip,
/// and the counts.
std::string comparison_summary(std::span<const ComparedVariant> rows,
                               std::span<const ComparedLibrary> libraries);

}  // namespace assay
