#include "contracts/fkc/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "contracts/fkc/reporter.h"
#include "contracts/unicode.h"

namespace assay::fkc {

namespace {

/// How much of a line is shown: what fits beside a line number, and half of that before the fault.
constexpr std::size_t kExcerptBytes = 160;

/// `at`, or the start of the UTF-8 sequence that it lies in.
std::size_t sequence_start(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace

std::string_view to_string(Severity severity) {
  constexpr std::array<std::string_view, 3> names = {"note", "warning", "error"};
  return names[static_cast<std::size_t>(severity)];
}

Excerpt excerpt_of(std::string_view line, int column) {
  const std::size_t at = std::min(line.size(), static_cast<std::size_t>(std::max(column, 1)) - 1);
  std::size_t first = 0;
  if (line.size() > kExcerptBytes && at > kExcerptBytes / 2) {
    first = sequence_start(line, at - kExcerptBytes / 2);
  }
  const std::size_t end = sequence_start(line, std::min(line.size(), first + kExcerptBytes));
  const std::string before =
      (first > 0 ? "..." : "") + one_line(line.substr(first, std::max(at, first) - first));
  const std::string behind = end > at ? one_line(line.substr(at, end - at)) : "";
  return {before + behind + (end < line.size() ? "..." : ""), display_width(before)};
}

void show_places(std::vector<Diagnostic>& diagnostics, const std::vector<std::string_view>& lines) {
  // One line may have many faults: its characters are counted once.
  int line = 0;
  std::size_t at = 0;
  int characters = 0;
  for (Diagnostic& diagnostic : diagnostics) {
    const auto number = static_cast<std::size_t>(diagnostic.line);
    if (number == 0 || number > lines.size()) continue;
    const std::string_view text = lines[number - 1];
    diagnostic.excerpt = excerpt_of(text, diagnostic.column);
    if (diagnostic.line != line) {
      line = diagnostic.line;
      at = 0;
      characters = 0;
    }
    const std::size_t end =
        std::min(text.size(), static_cast<std::size_t>(std::max(diagnostic.column, 1)) - 1);
    while (at < end) {
      at += std::max<std::size_t>(1, first_code_point(text.substr(at)).length);
      ++characters;
    }
    diagnostic.character = characters + 1;
  }
}

std::string to_string(const Diagnostic& diagnostic) {
  std::string place = one_line(diagnostic.file);
  if (diagnostic.line > 0) {
    place += fmt::format(":{}:{}", diagnostic.line, diagnostic.column);
  }
  std::string text = fmt::format("{}: {}[{}]: {}", place, to_string(diagnostic.severity),
                                 diagnostic.kind, one_line(diagnostic.message));
  if (!diagnostic.excerpt.text.empty()) {
    text += fmt::format("\n{:5} | {}\n      | {:{}}^", diagnostic.line, diagnostic.excerpt.text, "",
                        diagnostic.excerpt.caret);
  }
  if (!diagnostic.hint.empty()) text += "\n  hint: " + one_line(diagnostic.hint);
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
  return fmt::format("{} ...", text.substr(0, sequence_start(text, Reporter::kMaxTextBytes)));
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
  diagnostics_.push_back({severity,
                          std::string(kind),
                          file_,
                          place.line,
                          place.column,
                          clipped(message),
                          clipped(hint),
                          section_,
                          {}});
}

std::vector<Diagnostic> Reporter::take() {
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) {
                     return std::tie(a.line, a.column) < std::tie(b.line, b.column);
                   });
  if (dropped_ > 0) {
    const Severity severity = errors_ > 0 ? Severity::kError : Severity::kWarning;
    diagnostics_.push_back({severity,
                            "TooManyFaults",
                            file_,
                            0,
                            0,
                            fmt::format("{} more faults are not shown", dropped_),
                            "mend those above and look again",
                            "",
                            {}});
    dropped_ = 0;
  }
  return std::move(diagnostics_);
}

}  // namespace assay::fkc
