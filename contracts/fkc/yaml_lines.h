// What is checked on the raw lines of a YAML chunk, before and after the YAML parser ran.
#pragma once

#include <optional>

#include "contracts/fkc/markdown.h"
#include "contracts/fkc/text.h"

namespace assay::fkc {

/// Reports tabs in indentation (TabIndentation), document markers and directives (Yaml) of lines
/// that may be any text; whether they stand in a block scalar makes no difference.
void check_yaml_lines(const Lines& lines, Chunk chunk, Reporter& reporter);

/// The first value up to `last_line` whose opening quote does not close on its line, if any: the
/// likely cause when the YAML parser fails somewhere behind it.
std::optional<Place> unclosed_quote(const Lines& lines, Chunk chunk, int last_line);

/// The first key that should hold a section and stands alone on its line, if no line of the chunk
/// is indented deeper than the first: the indentation was lost.
std::optional<Place> stripped_section(const Lines& lines, Chunk chunk);

/// The index of the `#` that begins a comment of a line of YAML, or npos. Quotes that go on over
/// several lines are not followed.
std::size_t comment_start(std::string_view line);

/// What the end of a line leaves open, read line by line.
class OpenEnds {
 public:
  bool any() const { return brackets_ > 0 || quote_ != '\0'; }

  /// Reads on through `line`; returns the index of the `#` that begins its comment, or npos.
  std::size_t read(std::string_view line);

 private:
  int brackets_ = 0;
  char quote_ = '\0';
  bool plain_ = false;  ///< inside of plain text, which goes on over line ends in brackets
};

/// A value that is `>` or `|`, perhaps with indicators behind: text follows in deeper lines.
bool opens_block_scalar(std::string_view value);

/// The index behind the quote that closes the one at `text[open]` (`"` or `'`), or npos.
std::size_t end_of_quoted(std::string_view text, std::size_t open);

}  // namespace assay::fkc
