// Runs of the program itself.
#pragma once

#include <string>
#include <vector>

namespace assay::benchmarks {

struct ProgramRun {
  double seconds = 0;            ///< elapsed
  double processor_seconds = 0;  ///< of the program and its workers
  /// The largest sum of the proportional set sizes (PSS) of the program and its workers at one of
  /// the moments at which it was looked at, about 50 a second: memory that n of them share counts
  /// once.
  double peak_mebibytes = 0;
};

/// Runs `assay` with these arguments to its end, its output thrown away and the reports of an audit
/// in a folder that is removed afterwards. Throws std::runtime_error where it cannot be run or ends
/// with another exit status than 0.
ProgramRun run_assay(std::vector<std::string> arguments);

}  // namespace assay::benchmarks
