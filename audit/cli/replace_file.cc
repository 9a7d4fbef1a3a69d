#include "audit/cli/replace_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace assay::cli {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const char* action, const fs::path& path, int error) {
  throw std::runtime_error(
      fmt::format("cannot {} {}: {}", action, path.string(), std::strerror(error)));
}

/// A file that is gone unless it got its final name.
class Aside {
 public:
  explicit Aside(const fs::path& target) : target_(target), name_(target.string() + ".new-XXXXXX") {
    descriptor_ = ::mkstemp(name_.data());
    if (descriptor_ < 0) fail("write beside", target_, errno);
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  ~Aside() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!renamed_) ::unlink(name_.c_str());
  }

  void write(const std::string& contents) {
    std::size_t done = 0;
    while (done < contents.size()) {
      const ssize_t count = ::write(descriptor_, contents.data() + done, contents.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail("write", target_, errno);
      done += static_cast<std::size_t>(count);
    }
    struct stat old = {};
    if (::stat(target_.c_str(), &old) != 0 || ::fchmod(descriptor_, old.st_mode & 07777) != 0) {
      fail("keep the permissions of", target_, errno);
    }
    if (::fsync(descriptor_) != 0) fail("write", target_, errno);
  }

  void take_place() {
    if (::rename(name_.c_str(), target_.c_str()) != 0) fail("replace", target_, errno);
    renamed_ = true;
  }

 private:
  fs::path target_;
  std::string name_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

}  // namespace

std::string file_contents(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail("read", path, errno);
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad()) fail("read", path, errno);
  return std::move(text).str();
}

void replace_file(const fs::path& path, const std::string& contents) {
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  if (error) fail("find", path, error.value());
  Aside aside(target);
  aside.write(contents);
  aside.take_place();
}

}  // namespace assay::cli
