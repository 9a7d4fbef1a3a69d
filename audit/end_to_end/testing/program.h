// The program as its users run it.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace assay::testing {

struct Outcome {
  int status;
  std::string text;  ///< standard output and error
};

/// Runs `assay ARGUMENTS` by the shell. Throws where that ends otherwise than by its own exit.
inline Outcome run_program(const std::string& arguments) {
  // Within brackets the arguments' own redirections win.
  const std::string command = std::string("(") + ASSAY_PROGRAM + " " + arguments + ") 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  Outcome outcome{};
  char buffer[4096];
  while (const std::size_t n = fread(buffer, 1, sizeof(buffer), pipe)) {
    outcome.text.append(buffer, n);
  }
  const int status = pclose(pipe);
  if (!WIFEXITED(status)) throw std::runtime_error("did not exit: " + command);
  outcome.status = WEXITSTATUS(status);
  return outcome;
}

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
