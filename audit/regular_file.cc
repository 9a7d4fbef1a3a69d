#include "audit/regular_file.h"

#include <fstream>
#include <system_error>

namespace assay {

FileFault read_regular_file(const std::filesystem::path& path, std::uintmax_t most,
                            std::string& content) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return FileFault::kMissing;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > most) return FileFault::kTooLarge;
  content.resize(static_cast<std::size_t>(size));
  std::ifstream stream(path, std::ios::binary);
  stream.read(content.data(), static_cast<std::streamsize>(size));
  // A file that is shorter by now sets the fail bit too.
  return stream ? FileFault::kNone : FileFault::kUnreadable;
}

}  // namespace assay
