// What is wrong with a contract document, where, and what to do about it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::fkc {

enum class Severity { kNote, kWarning, kError };

/// What stands at the place of a fault, fit to be shown: one line without control characters.
struct Excerpt {
  std::string text;
  std::size_t caret = 0;  ///< how many characters stand before the fault
};

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string kind;  ///< the format's name of the fault: "UnknownBackend"
  std::string file;
  int line = 0;    ///< from 1; 0 when the fault has no place (an unreadable file)
  int column = 0;  ///< from 1, in bytes
  std::string message;
  std::string hint;     ///< what to write instead; may be empty
  std::string section;  ///< the heading of the section that it is in; empty outside of sections
  Excerpt excerpt;      ///< empty where the fault has no place
  int character = 0;    ///< the column in code points, from 1; 0 where the fault has no place
};

std::string_view to_string(Severity severity);  ///< "note", "warning", "error"

/// "FILE:LINE:COL: error[Kind]: message"; below it the line with a caret under the fault, and the
/// hint. Whatever the document contains, the text has no control characters but line ends.
std::string to_string(const Diagnostic& diagnostic);

/// Fills `excerpt` and `character` of diagnostics of one document, which are in the order of their
/// places, from its lines.
void show_places(std::vector<Diagnostic>& diagnostics, const std::vector<std::string_view>& lines);

/// The place of `column` (from 1, in bytes; what is beyond the line counts as its end) on `line`,
/// which may be any bytes. Of long lines only the part around it.
Excerpt excerpt_of(std::string_view line, int column);

/// True if one of them is an error: the document cannot be used as it is.
bool has_errors(const std::vector<Diagnostic>& diagnostics);

}  // namespace assay::fkc
