#include "reports/repeat.h"

#include <fmt/format.h>

#include <algorithm>

#include "contracts/claim.h"

namespace assay {

namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./:,+@%=").find(c) != std::string_view::npos;
}

bool is_printable_ascii(char c) {
  return c >= 0x20 && c < 0x7f;
}

}  // namespace

std::string shell_quoted(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  const bool printable = std::ranges::all_of(word, is_printable_ascii);
  std::string quoted = printable ? "'" : "$'";
  for (const char c : word) {
    if (printable) {
      quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    } else if (is_printable_ascii(c)) {
      if (c == '\'' || c == '\\') quoted += '\\';
      quoted += c;
    } else {
      // Three octal digits: unlike \xNN, a digit that follows cannot be taken for part of it.
      quoted += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return quoted + "'";
}

std::string repeat_command(const RunInfo& run, const KernelRecord& kernel, std::string_view id,
                           std::span<const std::string> variants) {
  std::string command = fmt::format("assay audit {} --only {}", shell_quoted(kernel.file),
                                    shell_quoted(kernel.kernel));
  if (!kernel.library.empty()) {
    command += fmt::format(" --kernels {}", shell_quoted(kernel.library));
  }
  if (id == row(ClaimKind::kBitwise).id && !kernel.variants.empty() &&
      std::ranges::find(variants, kernel.variants.front().name) == variants.end()) {
    command += fmt::format(" --variant {}", shell_quoted(kernel.variants.front().name));
  }
  for (const std::string& variant : variants) {
    command += fmt::format(" --variant {}", shell_quoted(variant));
  }
  return command + fmt::format(" --effort {} --seed {}", shell_quoted(run.effort), run.seed);
}

}  // namespace assay
