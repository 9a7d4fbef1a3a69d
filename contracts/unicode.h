// UTF-8, and strangers' words as people read them on one line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;  ///< in bytes; 0 where the bytes are not UTF-8
};

/// The code point that `text`, which is not empty, begins with (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF).
CodePoint first_code_point(std::string_view text);

/// `text` as one line that can be shown anywhere: white space becomes a blank; control
/// characters, bidirectional overrides and line separators become `\u{1b}`; bytes that are not
/// UTF-8 become `\xff`. Contracts come from strangers: nothing in a name may move a terminal's
/// cursor or turn the order of the words round.
std::string one_line(std::string_view text);

/// Number of code points of a text from `one_line`, which is its width but for wide scripts.
std::size_t display_width(std::string_view text);

}  // namespace assay
