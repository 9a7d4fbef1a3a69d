// YAML text to a tree, restricted to the subset that contracts may use.
#pragma once

#include <optional>
#include <set>

#include "contracts/fkc/block_shape.h"
#include "contracts/fkc/markdown.h"
#include "contracts/fkc/node.h"
#include "contracts/fkc/text.h"

namespace assay::fkc {

struct ParsedYaml {
  std::optional<Node> root;     ///< only if the parser understood the whole chunk
  bool rebuilt = false;         ///< the indentation was lost, and the tree is of rebuilt lines
  bool holes = false;           ///< a value is not what is meant: an alias, a merge key or a
                                ///< quote that does not close leaves it out
  std::set<int> refused_lines;  ///< lines of the file with errors; if any, the tree serves to find
                                ///< further faults alone

  /// True if the tree is what the chunk says.
  bool good() const { return root && refused_lines.empty(); }
};

/// Notes at the fault at `place` that nothing else of the chunk is looked at before it is mended.
void note_unread(Chunk chunk, Place place, Reporter& reporter);

/// Parses one chunk as a single mapping. Refused (each with its place): tabs in indentation,
/// anchors, aliases, merge keys, tags, unquoted y/n/yes/no/on/off, duplicate keys, keys that are
/// not plain text, keys in braces without a colon, quotes that do not close, directives, a second
/// document, deep nesting.
/// Where the chunk looks like one whose leading blanks were stripped, its lines are rebuilt by
/// `shape` (IndentationLost, a deviation) and parsed again; places are those of the file. Where
/// only a section key holds nothing, IndentationLost is an error, and there is no tree. Refused
/// words (y/n/yes/no/on/off), duplicate keys (the first one counts), anchors, aliases (nulls in the
/// tree), merge keys and tags leave the tree's form certain; it is returned with them, so that one
/// run finds the other faults too. So is a tree with holes where quotes that do not close could be
/// taken to end with their line. Where there is no tree a note (`note_unread`) says so.
ParsedYaml parse_yaml(const Lines& lines, Chunk chunk, const MapShape& shape, Reporter& reporter);

}  // namespace assay::fkc
