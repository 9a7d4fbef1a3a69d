// One run of the YAML parser over some lines.
#pragma once

#include <optional>

#include "contracts/fkc/markdown.h"
#include "contracts/fkc/node.h"
#include "contracts/fkc/text.h"

namespace assay::fkc {

/// What the parser made of some lines.
struct Parsed {
  std::optional<Node> root;         ///< a mapping, if the lines have a certain structure
  bool holes = false;               ///< an alias or a merge key leaves out what it stands for
  std::optional<Place> open_quote;  ///< of the quote that made it fail, by the looks of it
};

/// Parses the chunk's lines, which may be any text. Reports AliasDisallowed, AnchorDisallowed,
/// DuplicateKey, MergeKeyDisallowed, NorwayToken and Yaml; there is a reason wherever there is no
/// root.
Parsed run_parser(const Lines& lines, Chunk chunk, Reporter& reporter);

}  // namespace assay::fkc
