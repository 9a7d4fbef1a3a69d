// The written forms of a comparison of two reports.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/diff.h"

namespace assay {

/// What was compared: the records and what their files are called.
struct ComparedReports {
  std::string_view before_name;
  const RunRecord& before;
  std::string_view after_name;
  const RunRecord& after;
};

/// For a terminal: the runs, regressions, improvements, all else, and a last line with the counts.
/// Strangers' text is on one line and moves no cursor.
std::string diff_text(const ComparedReports& reports, const std::vector<Change>& changes);

/// The same as Markdown, with tables.
std::string diff_markdown(const ComparedReports& reports, const std::vector<Change>& changes);

/// The same for programs (schema assay-diff/1, assay-diff-1.schema.json).
std::string diff_json(const ComparedReports& reports, const std::vector<Change>& changes);

/// "2 regressions, 1 improvement, 3 other changes", or "no changes".
std::string diff_counts(const std::vector<Change>& changes);

}  // namespace assay
