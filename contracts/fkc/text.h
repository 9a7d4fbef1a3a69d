// A document as lines of checked text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contracts/fkc/reporter.h"

namespace assay::fkc {

/// The lines of a document without their line ends; line number n is element n - 1.
using Lines = std::vector<std::string_view>;

/// Splits at LF; one CR before it belongs to the line end. A byte order mark before the first line
/// is dropped. The views point into `text`.
Lines split_lines(std::string_view text);

/// Without blanks (space, tab) at both ends.
std::string_view trim(std::string_view text);

struct TextFault {
  Place place;
  std::string message;
};

/// The first byte of each line that is no text: invalid UTF-8 (overlong forms and surrogates
/// included), a control character other than tab (yaml-cpp takes some for its end of input), a CR
/// inside a line, a byte order mark inside the document.
std::vector<TextFault> text_faults(const Lines& lines);

}  // namespace assay::fkc
