// Numbers as people read them; for strangers' words see contracts/unicode.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "contracts/unicode.h"  // IWYU pragma: export

namespace assay {

/// "4,294,967,296".
std::string with_thousands(std::uint64_t count);

/// The count and its noun: "1 claim", "2,048 claims". The plural adds an s.
std::string counted(std::uint64_t count, std::string_view noun);

/// "0.52 s", "41.3 s", "2 min 5 s", "1 h 2 min". Negative and non-finite times are "unknown time".
std::string duration_text(double seconds);

/// The shortest decimal that reads back as `value`; "infinity", "-infinity" and "NaN" in words.
std::string number_text(double value);

}  // namespace assay
