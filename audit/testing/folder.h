// Folders for tests to write to.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <stdexcept>

namespace assay::testing {

/// A folder that is removed at the end of the test.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/assay_test_XXXXXX";
    if (mkdtemp(name) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace assay::testing
