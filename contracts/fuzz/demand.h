// What a harness does with a broken promise: it says which, and ends the process, so that the
// fuzzer keeps the input.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace assay::fuzz {

inline void demand(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

/// Two texts that have to be the same.
inline void demand_equal(const std::string& mine, const std::string& due, const char* what) {
  if (mine != due) std::fprintf(stderr, "%s\nand not\n%s\n", mine.c_str(), due.c_str());
  demand(mine == due, what);
}

}  // namespace assay::fuzz
