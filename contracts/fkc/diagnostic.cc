#include "contracts/fkc/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "contracts/fkc/reporter.h"

namespace assay::fkc {

std::string to_string(const Diagnostic& diagnostic) {
  constexpr std::array<std::string_view, 3> severities = {"note", "warning", "error"};
  std::string place = diagnostic.file;
  if (diagnostic.line > 0) {
    place += fmt::format(":{}:{}", diagnostic.line, diagnostic.column);
  }
  std::string text = fmt::format("{}: {}[{}]: {}", place,
                                 severities[static_cast<std::size_t>(diagnostic.severity)],
                                 diagnostic.kind, diagnostic.message);
  if (!diagnostic.hint.empty()) text += "\n  hint: " + diagnostic.hint;
  return text;
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::kError; });
}

namespace {

/// At most `kMaxTextBytes` of `text`, not ending inside a UTF-8 sequence.
std::string clipped(std::string_view text) {
  if (text.size() <= Reporter::kMaxTextBytes) return std::string(text);
  std::size_t end = Reporter::kMaxTextBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return fmt::format("{} ...", text.substr(0, end));
}

}  // namespace

void Reporter::enter_section(std::string_view heading) {
  section_ = clipped(heading);
}

void Reporter::add(Severity severity, std::string_view kind, Place place,
                   const std::string& message, const std::string& hint) {
  if (severity == Severity::kError) ++errors_;
  if (diagnostics_.size() >= kMaxDiagnostics) {
    ++dropped_;
    return;
  }
  diagnostics_.push_back({severity, std::string(kind), file_, place.line, place.column,
                          clipped(message), clipped(hint), section_});
}

std::vector<Diagnostic> Reporter::take() {
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) {
                     return std::tie(a.line, a.column) < std::tie(b.line, b.column);
                   });
  if (dropped_ > 0) {
    const Severity severity = errors_ > 0 ? Severity::kError : Severity::kWarning;
    diagnostics_.push_back({severity, "TooManyFaults", file_, 0, 0,
                            fmt::format("{} more faults are not shown", dropped_), "", ""});
    dropped_ = 0;
  }
  return std::move(diagnostics_);
}

}  // namespace assay::fkc
