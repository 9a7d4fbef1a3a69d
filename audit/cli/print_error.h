// Words for the person at the terminal.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace assay::cli {

/// Prints to standard error. A reader that has gone, or a disk that is full, is no reason to stop:
/// unlike fmt::print, this does not throw then.
template <typename... Args>
void print_error(fmt::format_string<Args...> format, Args&&... args) {
  std::fputs(fmt::format(format, std::forward<Args>(args)...).c_str(), stderr);
}

}  // namespace assay::cli
