// YAML text to a tree, restricted to the subset that contracts may use.
#pragma once

#include <optional>

#include "contracts/fkc/markdown.h"
#include "contracts/fkc/node.h"
#include "contracts/fkc/text.h"

namespace assay::fkc {

/// Parses one chunk as a single mapping. Refused (each with its place): tabs in indentation,
/// anchors, aliases, merge keys, tags, unquoted y/n/yes/no/on/off, duplicate keys, keys that are
/// not plain text, quotes that do not close, directives, a second document, deep nesting.
/// Where the chunk looks like one whose leading blanks were stripped, the only fault reported is
/// IndentationLost. A tree is returned only if nothing was refused.
std::optional<Node> parse_yaml(const Lines& lines, Chunk chunk, Reporter& reporter);

}  // namespace assay::fkc
