// Writes a set of files into a folder such that none is ever seen half-written.
#pragma once

#include <filesystem>
#include <span>
#include <stdexcept>
#include <vector>

#include "reports/rendered_file.h"

namespace assay {

/// A report could not be written. The message names the path, the system's reason, and what to do.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Creates `folder` if it is missing, and creates and removes a file in it: call it before long
/// work whose result is to go there. An empty path is the current folder.
/// Throws ReportError where the folder cannot be created or written to.
void check_writable(const std::filesystem::path& folder);

/// Writes `files` into `folder`, which is created if missing. All of them are first written whole
/// under temporary names in that folder and flushed to the disk, then renamed one after another:
/// when writing fails, every file of an earlier report is as it was and no temporary remains.
/// Returns the paths in the order of `files`. Throws ReportError.
std::vector<std::filesystem::path> write_files(const std::filesystem::path& folder,
                                               std::span<const RenderedFile> files);

}  // namespace assay
