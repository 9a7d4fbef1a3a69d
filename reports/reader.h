// A JSON report (`assay-report/1`) as the record that it was written from.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "contracts/run_record.h"

namespace assay {

/// No report of an audit. The message is "FILE:LINE: PATH: what is wrong and what is due"; the path
/// is that of the value in the JSON ("kernels[0].variants[1].name"), left out where the text as a
/// whole is meant. It is one line and shows nothing of the file unescaped.
class UnreadableReport : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Longer reports are refused: that of the 20 reference kernels has 2 MiB.
inline constexpr std::size_t kMaxReportBytes = std::size_t{64} << 20;

/// Reads a report. Takes any bytes, and accepts exactly what assay-report-1.schema.json does and
/// what adds up: the summary counts the claims that are there, planned probes are those run and
/// those excluded, no variant of a kernel and no claim of a variant is there twice. So
/// `json_report` of the record gives the report again, byte for byte, if it was assay that wrote
/// it. Null for a measure or a time reads as infinity. `file` is used in messages only.
/// Throws UnreadableReport.
RunRecord read_report(std::string_view json, std::string_view file);

/// The same of a file; one that is missing, a folder, unreadable or too long is UnreadableReport
/// too.
RunRecord read_report_file(const std::filesystem::path& path);

}  // namespace assay
