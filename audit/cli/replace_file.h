// Files that are whole at any time.
#pragma once

#include <filesystem>
#include <string>

namespace assay::cli {

/// The contents of a file. Throws std::runtime_error, with the path and the system's reason.
std::string file_contents(const std::filesystem::path& path);

/// Gives a file new contents: writes them aside, in the same folder, and renames. Symbolic links
/// are followed and permissions kept. On an error the file is as it was, nothing is left aside, and
/// std::runtime_error says what failed.
void replace_file(const std::filesystem::path& path, const std::string& contents);

}  // namespace assay::cli
