#include "audit/cli/print_out.h"

#include <cerrno>
#include <cstdio>

namespace assay::cli {

namespace {

/// The stream itself forgets why it failed, and drops what it could not write.
int first_fault = 0;

void note(bool failed) {
  if (failed && first_fault == 0) first_fault = errno != 0 ? errno : EIO;
}

}  // namespace

void write_out(std::string_view text) {
  errno = 0;
  note(std::fwrite(text.data(), 1, text.size(), stdout) != text.size());
}

int output_fault() {
  errno = 0;
  note(std::fflush(stdout) != 0);
  return first_fault;
}

}  // namespace assay::cli
