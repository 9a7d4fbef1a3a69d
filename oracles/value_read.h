// Numbers as people type them, as bit patterns.
#pragma once

#include <optional>
#include <string>

#include "contracts/dtype.h"

namespace assay::oracle {

struct ReadValue {
  Bits bits = 0;       ///< the number, rounded once to nearest even
  bool exact = false;  ///< the number is a value of the format
};

/// A decimal ("0.1", "-3e-5"), a hex float ("0x1.8p-3"), "inf" or "nan" (the quiet NaN without
/// payload) as a value of `dtype`. Nothing where the text is no number, has more than 4096
/// characters, or the format is an integer one and the number none of its values.
std::optional<ReadValue> read_value(const std::string& text, Dtype dtype);

}  // namespace assay::oracle
