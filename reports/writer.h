// The report formats, and the one function that writes them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/run_record.h"
#include "reports/file_set.h"
#include "reports/rendered_file.h"

namespace assay {

/// A format: how it is asked for, what it is for, and the pure function that renders a record.
struct ReportFormat {
  std::string_view name;
  std::string_view description;
  std::vector<RenderedFile> (*render)(const RunRecord& record);
  std::string_view mark;  ///< what each of its files has among its first kMarkBytes
};
inline constexpr std::size_t kMarkBytes = 4096;

/// All formats, in the order in which a person reads their files.
std::span<const ReportFormat> report_formats();

/// The format of this name, or nullptr.
const ReportFormat* find_report_format(std::string_view name);

/// Writes `record` into `out_dir` in the formats asked for; a format asked for twice is written
/// once. What is too large for tokens goes before into the folder kCaseFolder there, whatever the
/// formats. Returns the files written, in reading order whatever the order of `formats`.
/// Throws ReportError for an unknown format (before anything is touched) and where the folder or
/// a file cannot be written; then no file of an earlier report has changed unless a rename failed.
std::vector<std::filesystem::path> write_reports(const RunRecord& record,
                                                 const std::filesystem::path& out_dir,
                                                 std::span<const std::string> formats);

/// Removes from `out_dir` what an earlier report left there in formats that are not asked for now,
/// of those files that this record would have: beside the new files they would tell of another
/// audit. Only regular files that begin as assay's own do are removed. Returns their paths; those
/// that cannot be removed are left alone and not among them.
std::vector<std::filesystem::path> remove_stale_reports(const RunRecord& record,
                                                        const std::filesystem::path& out_dir,
                                                        std::span<const std::string> formats);

}  // namespace assay
