// A file's contents at one moment, and whether they are still the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace assay {

/// What tells a file's contents without reading them, as long as nobody writes the file or puts
/// another in its place.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t bytes = 0;
  std::int64_t written = 0;  ///< ns since 1970: the contents
  std::int64_t changed = 0;  ///< ns since 1970: name, rights or contents

  bool operator==(const FileState&) const = default;
};

struct FileDigest {
  std::string path;
  FileState state;
  std::uint64_t sum = 0;  ///< XXH3-64 of the contents
};

/// Reads a regular file. Throws std::runtime_error, which names it, where it is none, cannot be
/// read, or was written meanwhile.
FileDigest digest_of(const std::filesystem::path& path);

/// Whether a file has the contents that it had. They are read again only where its state has
/// changed, or if `thoroughly`.
bool is_as_it_was(const FileDigest& file, bool thoroughly = false);

}  // namespace assay
