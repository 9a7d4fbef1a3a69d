// Strangers' words in XML 1.0: what a contract says can never become markup, and never a character
// that a document may not have (production [2], Char).
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// The entity that stands for `&`, `<`, `>` or `"` in text and in attributes in double quotes;
/// empty for any other character.
std::string_view markup_entity(char c);

/// One line, for text and for the value of an attribute in double quotes. What `one_line` shows as
/// `\u{1b}` or `\xff` is shown so here, and so are U+FFFE and U+FFFF.
std::string xml_line(std::string_view text);

}  // namespace assay
