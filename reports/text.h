// Numbers and strangers' words as people read them on one line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

/// "4,294,967,296".
std::string with_thousands(std::uint64_t count);

/// The count and its noun: "1 claim", "2,048 claims". The plural adds an s.
std::string counted(std::uint64_t count, std::string_view noun);

/// "0.52 s", "41.3 s", "2 min 5 s", "1 h 2 min". Negative and non-finite times are "unknown time".
std::string duration_text(double seconds);

/// The shortest decimal that reads back as `value`; "infinity", "-infinity" and "NaN" in words.
std::string number_text(double value);

/// `text` as one line that can be shown anywhere: white space becomes a blank; control
/// characters, bidirectional overrides and line separators become `\u{1b}`; bytes that are not
/// UTF-8 become `\xff`. Contracts come from strangers: nothing in a name may move a terminal's
/// cursor or turn the order of the words round.
std::string one_line(std::string_view text);

/// Number of code points of a text from `one_line`, which is its width but for wide scripts.
std::size_t display_width(std::string_view text);

}  // namespace assay
