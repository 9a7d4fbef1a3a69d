// A folder for files that a harness has read.
#pragma once

#include <filesystem>
#include <string_view>

namespace assay::fuzz {

/// Made by the first call, in memory where the system has a folder there; removed at the end of the
/// process, unless that ends by a finding.
const std::filesystem::path& scratch_folder();

/// Replaces the contents of a file.
void write_scratch(const std::filesystem::path& path, std::string_view bytes);

}  // namespace assay::fuzz
