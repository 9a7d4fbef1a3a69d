// One value of a document is changed, and every other byte stays.
#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace assay::fkc {

/// A field of a section's block, two levels deep: `precision.max_ulp`.
struct FieldPath {
  int section_line = 0;      ///< of the section's heading, from 1
  std::string_view mapping;  ///< a key of the block: "precision"
  std::string_view key;      ///< a key in it: "max_ulp"
};

/// Why a document cannot be edited: one sentence that says what to do.
struct EditRefusal {
  std::string why;
};

/// `text` with the field set to `value`, a plain scalar. A value that is there is replaced; a key
/// that is not there gets a line of its own, first in its mapping, or the first place within
/// braces; a mapping that is not there is added at the block's end. Line ends and indentation are
/// those around. The block is read again, and its contents have to be the old ones but for this
/// value. Refused, with the reason: blocks with faults or without indentation, values in quotes or
/// over several lines, mappings that are written and empty.
std::variant<std::string, EditRefusal> set_field(const std::string& text, const FieldPath& path,
                                                 std::string_view value);

}  // namespace assay::fkc
