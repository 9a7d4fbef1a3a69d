// The score that is kept in the source folder: what a run must not fall below.
//
// One line for each case and effort, blanks between:
//   EFFORT NAME OUTCOME ELEMENTS SET_BITS PROBES [REASON...]
// "-" stands for what is not known. A planted fault that survives has a reason.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "audit/score/scored.h"

namespace assay::score {

struct FloorRow {
  Effort effort = Effort::kQuick;
  std::string name;
  Outcome outcome = Outcome::kRefuted;
  std::optional<Size> size;
  std::optional<std::uint64_t> first_violation;
  std::string reason;
};

/// Throws std::runtime_error, with the file and line, for what is no such file.
std::vector<FloorRow> read_floor(const std::filesystem::path& path);

/// The file's text: `rows` of other efforts as they are, those of this effort as scored, with the
/// reasons that they had. Sizes are kept of the quick effort, whose audits run to their end.
std::string floor_text(std::vector<FloorRow> rows, const std::vector<Scored>& scores,
                       Effort effort);

/// In what these scores are worse than the floor, a sentence each; none: they are not. Whatever the
/// floor says, a false alarm and a counterexample that does not stand are worse. `all`: whether
/// every case was asked for, so that one that the floor has and the scores have not is missing.
std::vector<std::string> below_floor(const std::vector<FloorRow>& rows,
                                     const std::vector<Scored>& scores, Effort effort, bool all);

/// In what they are better, or new: the floor is to be raised.
std::vector<std::string> above_floor(const std::vector<FloorRow>& rows,
                                     const std::vector<Scored>& scores, Effort effort);

}  // namespace assay::score
