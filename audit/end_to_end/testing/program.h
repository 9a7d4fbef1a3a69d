// The program as its users run it.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <stdexcept>
#include <string>

#include "audit/testing/folder.h"

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

}  // namespace assay::testing
