#include "reports/file_set.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

namespace assay {

namespace {

namespace fs = std::filesystem;

std::string_view advice(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free some space there, or choose another folder with --out";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a folder that you may write to with --out";
    case ENOTDIR:
    case EEXIST:
      return "a file stands where a folder is due: move it, or choose another --out";
    case EISDIR:
    case ENOTEMPTY:
      return "a folder stands where the file is due: move it, or choose another --out";
    default:
      return "choose another folder with --out";
  }
}

[[noreturn]] void fail(std::string_view what, const fs::path& path, int error) {
  throw ReportError(fmt::format("cannot {} '{}': {}; {}", what, path.string(),
                                std::generic_category().message(error), advice(error)));
}

/// A file under a temporary name, which is removed unless it was renamed.
class StagedFile {
 public:
  StagedFile(const fs::path& folder, std::string_view content, const fs::path& final_path)
      : final_path_(final_path) {
    create(folder);
    // The destructor does not run when a constructor throws.
    const int error = write_and_close(content);
    if (error != 0) {
      ::unlink(path_.c_str());
      fail("write", final_path_, error);
    }
  }
  StagedFile(StagedFile&& other) noexcept
      : path_(std::move(other.path_)), final_path_(std::move(other.final_path_)), fd_(other.fd_) {
    other.path_.clear();
  }
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;
  StagedFile& operator=(StagedFile&&) = delete;
  ~StagedFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  void rename_to_final() {
    if (::rename(path_.c_str(), final_path_.c_str()) != 0) fail("write", final_path_, errno);
    path_.clear();
  }

 private:
  void create(const fs::path& folder) {
    // Names of an earlier process with the same id may be left after a power cut: try the next.
    for (int attempt = 0;; ++attempt) {
      path_ = folder / fmt::format(".assay-{}-{}.tmp", ::getpid(), attempt);
      fd_ = ::open(path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
      if (fd_ >= 0) return;
      if (errno != EEXIST || attempt == 10000) fail("create a file in", folder, errno);
    }
  }

  /// Returns 0 or an errno.
  int write_and_close(std::string_view content) {
    int error = 0;
    while (!content.empty() && error == 0) {
      const ssize_t written = ::write(fd_, content.data(), content.size());
      if (written >= 0) {
        content.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno != EINTR) {
        error = errno;
      }
    }
    // EINVAL and ENOTSUP: a file system without flushing, which is no loss of data by itself.
    if (error == 0 && ::fsync(fd_) != 0 && errno != EINVAL && errno != ENOTSUP) error = errno;
    if (::close(fd_) != 0 && error == 0 && errno != EINTR) error = errno;
    return error;
  }

  fs::path path_;
  fs::path final_path_;
  int fd_ = -1;
};

fs::path existing_folder(const fs::path& folder) {
  const fs::path path = folder.empty() ? fs::path(".") : folder;
  std::error_code error;
  fs::create_directories(path, error);
  if (error) fail("create the folder", path, error.value());
  if (!fs::is_directory(path, error)) {
    fail("create the folder", path, error ? error.value() : ENOTDIR);
  }
  return path;
}

/// Makes the renames themselves durable. A failure here loses nothing that is not already whole.
void flush_folder(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

void check_writable(const fs::path& folder) {
  const fs::path path = existing_folder(folder);
  const StagedFile trial(path, "assay\n", path / "report");
}

std::vector<fs::path> write_files(const fs::path& folder, std::span<const RenderedFile> files) {
  const fs::path path = existing_folder(folder);
  std::vector<StagedFile> staged;
  std::vector<fs::path> paths;
  staged.reserve(files.size());
  for (const RenderedFile& file : files) {
    paths.push_back(path / file.name);
    staged.emplace_back(path, file.content, paths.back());
  }
  // What can be foreseen must not leave half of the set replaced.
  for (const fs::path& target : paths) {
    std::error_code error;
    if (fs::is_directory(target, error)) fail("write", target, EISDIR);
  }
  for (StagedFile& file : staged) file.rename_to_final();
  flush_folder(path);
  return paths;
}

}  // namespace assay
