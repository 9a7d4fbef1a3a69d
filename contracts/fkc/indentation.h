// Gives a block whose leading blanks are lost its indentation back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contracts/fkc/block_shape.h"
#include "contracts/fkc/markdown.h"
#include "contracts/fkc/text.h"

namespace assay::fkc {

struct RebuiltLines {
  std::vector<std::string> lines;
  std::vector<int> doubtful;  ///< lines, counted as the chunk's, that were taken for a field and
                              ///< may as well belong to the text above them
};

/// The chunk's lines with the indentation that the schema gives them: line by line, so that places
/// keep their line. A key belongs to the innermost open mapping that knows it, a list item to the
/// innermost open list that takes it; what nothing knows stays where it is. Time and memory are
/// linear in the chunk.
RebuiltLines rebuilt_lines(const Lines& lines, Chunk chunk, const MapShape& shape);

/// The document, which may be any bytes, with every stripped chunk rebuilt. Nothing if none is
/// stripped, or if what was built is read again and has faults of structure: it would look mended,
/// and be wrong. All other lines stay byte for byte.
std::optional<std::string> repair_indentation(const std::string& text);

}  // namespace assay::fkc
