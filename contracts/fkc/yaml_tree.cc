#include "contracts/fkc/yaml_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "contracts/fkc/indentation.h"
#include "contracts/fkc/yaml_events.h"
#include "contracts/fkc/yaml_lines.h"

namespace assay::fkc {

namespace {

/// A section key that is there and holds nothing, as in a document whose indentation is lost.
std::optional<Place> empty_section(const Node& root) {
  constexpr std::array<std::string_view, 6> kKeys = {"accept", "return",    "caps",
                                                     "cost",   "precision", "provider"};
  for (const Entry& entry : root.entries) {
    const bool is_section = std::find(kKeys.begin(), kKeys.end(), entry.key.text) != kKeys.end();
    if (is_section && entry.value.is_null() && entry.value.text.empty()) return entry.key.place;
  }
  return std::nullopt;
}

/// One attempt on some lines.
struct Attempt {
  std::optional<Node> root;
  bool holes = false;
  std::vector<Diagnostic> faults;
  std::set<int> refused_lines;
};

/// From places in rebuilt lines, counted from 1, to places in the file.
class PlaceMap {
 public:
  PlaceMap(const Lines& lines, Chunk chunk, const std::vector<std::string>& rebuilt)
      : first_(chunk.first) {
    for (std::size_t i = 0; i < rebuilt.size(); ++i) {
      const std::string_view old = lines[static_cast<std::size_t>(chunk.first) - 1 + i];
      added_.push_back(lead(rebuilt[i]) - lead(old));
    }
  }

  void move(int& line, int& column) const {
    const auto index = static_cast<std::size_t>(line) - 1;
    if (line >= 1 && index < added_.size()) column = std::max(1, column - added_[index]);
    line += first_ - 1;
  }

  // Trees are at most kMaxNesting deep.
  void move(Node& node) const {
    move(node.place.line, node.place.column);
    for (Node& item : node.items) move(item);
    for (Entry& entry : node.entries) {
      move(entry.key);
      move(entry.value);
    }
  }

 private:
  static int lead(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t");
    return first == std::string_view::npos ? 0 : static_cast<int>(first);
  }

  int first_;
  std::vector<int> added_;
};

/// A block has one field of text or two, so that more quotes are hardly ever left open.
constexpr int kMaxOpenQuotes = 8;

/// Reads the chunk as if each quote that is left open ended with its line, so that one run finds
/// what is wrong behind it too; nothing where that does not make sense of it.
std::optional<Attempt> with_quotes_closed(const Lines& lines, Chunk chunk, Place quote,
                                          const Reporter& like) {
  const auto begin = lines.begin() + (chunk.first - 1);
  std::vector<std::string> closed(begin, lines.begin() + (chunk.end - 1));
  const Chunk whole{1, static_cast<int>(closed.size()) + 1};
  const PlaceMap places(lines, chunk, closed);
  quote.line -= chunk.first - 1;
  Reporter faults(like.file(), like.strict());
  for (int i = 0; i < kMaxOpenQuotes; ++i) {
    std::string& line = closed[static_cast<std::size_t>(quote.line) - 1];
    const char mark = line[static_cast<std::size_t>(quote.column) - 1];
    faults.error("Yaml", quote, "this quote is not closed on its line",
                 fmt::format("end the value with {}; the block is read as if it ended here, and "
                             "what its fields lack or contradict is shown when it does",
                             mark));
    line += mark;
    Reporter others(like.file(), like.strict());
    Parsed parsed = run_parser(Lines(closed.begin(), closed.end()), whole, others);
    if (parsed.root) {
      for (const Diagnostic& fault : others.take()) faults.forward(fault);
      Attempt result{std::move(parsed.root), true, faults.take(), {}};
      for (Diagnostic& fault : result.faults) places.move(fault.line, fault.column);
      places.move(*result.root);
      return result;
    }
    if (!parsed.open_quote || parsed.open_quote->line <= quote.line) return std::nullopt;
    quote = *parsed.open_quote;
  }
  return std::nullopt;
}

Attempt attempt(const Lines& lines, Chunk chunk, const Reporter& like) {
  Attempt result;
  Reporter faults(like.file(), like.strict());
  check_yaml_lines(lines, chunk, faults);
  // What the parser would say of such lines are consequences, at places that mislead.
  if (faults.errors() == 0) {
    Parsed parsed = run_parser(lines, chunk, faults);
    result.root = std::move(parsed.root);
    result.holes = parsed.holes;
    result.faults = faults.take();
    if (!result.root && parsed.open_quote) {
      auto closed = with_quotes_closed(lines, chunk, *parsed.open_quote, like);
      if (closed) result = std::move(*closed);
    }
  } else {
    result.faults = faults.take();
  }
  for (const Diagnostic& fault : result.faults) {
    if (fault.severity == Severity::kError) result.refused_lines.insert(fault.line);
  }
  return result;
}

/// Of faults in their order, some.
Place last_place(const std::vector<Diagnostic>& faults) {
  return faults.empty() ? Place() : Place{faults.back().line, faults.back().column};
}

ParsedYaml parse_rebuilt(const Lines& lines, Chunk chunk, const MapShape& shape, Place stripped,
                         Reporter& reporter) {
  reporter.deviation("IndentationLost", stripped,
                     "leading whitespace is missing; the structure was rebuilt from the schema",
                     "re-export the document, or let `assay lint --fix` write the rebuilt one");
  const auto [rebuilt, doubtful] = rebuilt_lines(lines, chunk, shape);
  const Lines views(rebuilt.begin(), rebuilt.end());
  Attempt again = attempt(views, {1, static_cast<int>(views.size()) + 1}, reporter);
  const PlaceMap places(lines, chunk, rebuilt);
  ParsedYaml result;
  result.rebuilt = true;
  for (Diagnostic& fault : again.faults) {
    if (fault.line > 0) places.move(fault.line, fault.column);
    reporter.forward(fault);
    if (fault.severity == Severity::kError) result.refused_lines.insert(fault.line);
  }
  for (const int line : doubtful) {
    reporter.error("IndentationLost", {line, 1},
                   "without indentation this may be a field or a line of the text above",
                   "indent the text, or put the field above it");
    result.refused_lines.insert(line);
  }
  if (!again.root) note_unread(chunk, last_place(again.faults), reporter);
  if (again.root) places.move(*again.root);
  result.root = std::move(again.root);
  result.holes = again.holes;
  return result;
}

}  // namespace

void note_unread(Chunk chunk, Place place, Reporter& reporter) {
  reporter.note("Yaml", place,
                fmt::format("no field of lines {} to {} is checked before this is mended",
                            chunk.first, chunk.end - 1),
                "mend it, and look again");
}

ParsedYaml parse_yaml(const Lines& lines, Chunk chunk, const MapShape& shape, Reporter& reporter) {
  Attempt first = attempt(lines, chunk, reporter);
  const std::optional<Place> empty = first.root ? empty_section(*first.root) : std::nullopt;
  if (empty || !first.refused_lines.empty()) {
    if (const auto stripped = stripped_section(lines, chunk)) {
      return parse_rebuilt(lines, chunk, shape, *stripped, reporter);
    }
  }
  for (const Diagnostic& fault : first.faults) reporter.forward(fault);
  if (!first.root) note_unread(chunk, last_place(first.faults), reporter);
  if (empty) {
    reporter.error("IndentationLost", *empty,
                   "leading whitespace appears to be missing: a section key holds nothing",
                   "re-export the document with its indentation");
    return {};
  }
  return {std::move(first.root), false, first.holes, std::move(first.refused_lines)};
}

}  // namespace assay::fkc
