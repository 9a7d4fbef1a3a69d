// Files that strangers name: read whole, and never without end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace assay {

enum class FileFault : std::uint8_t {
  kNone,
  kMissing,     ///< there is no regular file: nothing, a folder, a device, a pipe
  kTooLarge,    ///< larger than was allowed, or of unknown size
  kUnreadable,  ///< no right to read it, or it was cut short meanwhile
};

/// Reads a regular file of at most `most` bytes into `content`, which has no meaning after a fault.
FileFault read_regular_file(const std::filesystem::path& path, std::uintmax_t most,
                            std::string& content);

}  // namespace assay
