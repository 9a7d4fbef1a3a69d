// Standard output, written such that a fault of it is neither an exception nor forgotten.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace assay::cli {

/// Writes `text` to standard output. Where that fails, as with a full disk or a reader that has
/// gone, the command goes on: what else it does is not lost, and output_fault tells at its end.
void write_out(std::string_view text);

/// The same, formatted.
template <typename... Args>
void print_out(fmt::format_string<Args...> format, Args&&... args) {
  write_out(fmt::format(format, std::forward<Args>(args)...));
}

/// Hands on what is still in the buffer. Returns the errno of the first fault that standard output
/// had in this process, or 0.
int output_fault();

}  // namespace assay::cli
