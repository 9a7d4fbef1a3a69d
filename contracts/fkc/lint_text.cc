#include "contracts/fkc/lint_text.h"

#include <fmt/format.h>

#include <array>

namespace assay::fkc {

namespace {

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

std::string lint_text(const std::vector<Document>& documents) {
  std::string text;
  std::size_t kernels = 0;
  std::array<std::size_t, 3> counts{};
  for (const Document& document : documents) {
    kernels += document.kernels.size();
    for (const Diagnostic& diagnostic : document.diagnostics) {
      text += to_string(diagnostic) + "\n";
      ++counts[static_cast<std::size_t>(diagnostic.severity)];
    }
  }
  text += fmt::format("{}, {}: {}, {}, {}\n", counted(documents.size(), "document"),
                      counted(kernels, "kernel"),
                      counted(counts[static_cast<std::size_t>(Severity::kError)], "error"),
                      counted(counts[static_cast<std::size_t>(Severity::kWarning)], "warning"),
                      counted(counts[static_cast<std::size_t>(Severity::kNote)], "note"));
  return text;
}

}  // namespace assay::fkc
