// The canonical form of a document's blocks.
#pragma once

#include <optional>
#include <string>

namespace assay::fkc {

/// The document with its front matter and its blocks in canonical form: keys in the order of the
/// schema (unknown ones behind the others), two blanks of indentation, names and numbers bare,
/// texts and formulas in double quotes, one line for everything in brackets, two blanks before a
/// comment behind a value. Order is kept where it means something: of operands and other lists, and
/// of parameters. Comments stay with what they stand at, and comments of neighbouring lines stay
/// one text where they are below each other; prose stays byte for byte. What is written is read
/// again and compared; nothing where a block cannot be read, or would not come out with the same
/// contents, comments and claims. Any bytes are accepted, and nothing is reported: read_document
/// says why a block cannot be read. Applied to its own result it changes nothing.
std::optional<std::string> formatted(const std::string& text);

}  // namespace assay::fkc
