// The Markdown skeleton of a contract document: front matter, sections, and their fkc blocks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contracts/fkc/reporter.h"
#include "contracts/fkc/text.h"

namespace assay::fkc {

/// Lines [first, end), numbered from 1, between the two lines that delimit a chunk of YAML.
struct Chunk {
  int first = 0;
  int end = 0;
};

struct Section {
  int line = 0;                ///< of the heading
  std::string heading;         ///< without "## "
  std::optional<Chunk> block;  ///< absent if there is not exactly one well-formed block
  std::vector<Chunk> prose;    ///< what stands between the heading, fences, comments and the end
};

struct Markdown {
  std::optional<Chunk> front_matter;  ///< absent if it does not open or close
  std::vector<Section> sections;
};

/// Finds the parts of a document. Headings inside fences do not split; a fence of three backticks
/// that is still open where a "```fkc" line follows was not closed, and reading goes on at the next
/// heading, so that a lost fence costs one section and never hides others. A comment of HTML that
/// begins a line (behind at most three blanks) hides what it holds, to the end of the line with its
/// "-->"; where it hides a heading or a block, a note says so, and an error if it never ends.
///
/// Reports MalformedFrontMatter, OrphanFkcBlock, MissingFkcBlock, MultipleFkcBlocks,
/// UnterminatedFence, HeadingInBlock, HiddenByComment and TooManySections. Time is linear in the
/// document.
Markdown split_markdown(const Lines& lines, Reporter& reporter);

}  // namespace assay::fkc
