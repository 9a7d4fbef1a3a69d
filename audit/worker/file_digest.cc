#include "audit/worker/file_digest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

namespace assay {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

class Descriptor {
 public:
  // A pipe would be waited for.
  explicit Descriptor(const char* path)
      : descriptor_(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

FileState state_from(const struct stat& status) {
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .bytes = status.st_size,
          .written = nanoseconds(status.st_mtim),
          .changed = nanoseconds(status.st_ctim)};
}

[[noreturn]] void fail(const std::string& path, const char* why) {
  throw std::runtime_error(fmt::format("cannot read '{}': {}", path, why));
}

}  // namespace

FileDigest digest_of(const std::filesystem::path& path) {
  FileDigest digest{.path = path.string(), .state = {}, .sum = 0};
  const Descriptor file(path.c_str());
  if (file.get() < 0) fail(digest.path, std::strerror(errno));
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) fail(digest.path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail(digest.path, "it is no regular file");
  digest.state = state_from(status);
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> sum(XXH3_createState(),
                                                                            XXH3_freeState);
  if (sum == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(sum.get());
  std::vector<char> piece(kPiece);
  while (true) {
    const ssize_t count = ::read(file.get(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(digest.path, std::strerror(errno));
    if (count == 0) break;
    XXH3_64bits_update(sum.get(), piece.data(), static_cast<std::size_t>(count));
  }
  digest.sum = XXH3_64bits_digest(sum.get());
  if (::fstat(file.get(), &status) != 0 || state_from(status) != digest.state) {
    fail(digest.path, "it was written meanwhile");
  }
  return digest;
}

bool is_as_it_was(const FileDigest& file, bool thoroughly) {
  struct stat status = {};
  if (::stat(file.path.c_str(), &status) != 0) return false;
  if (!thoroughly && state_from(status) == file.state) return true;
  try {
    return digest_of(file.path).sum == file.sum;
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace assay
