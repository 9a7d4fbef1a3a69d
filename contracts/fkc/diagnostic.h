// What is wrong with a contract document, where, and what to do about it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::fkc {

enum class Severity { kNote, kWarning, kError };

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string kind;  ///< the format's name of the fault: "UnknownBackend"
  std::string file;
  int line = 0;    ///< from 1; 0 when the fault has no place (an unreadable file)
  int column = 0;  ///< from 1, in bytes
  std::string message;
  std::string hint;     ///< what to write instead; may be empty
  std::string section;  ///< the heading of the section that it is in; empty outside of sections
};

/// "FILE:LINE:COL: error[Kind]: message" and, on a second line, the hint.
std::string to_string(const Diagnostic& diagnostic);

bool has_errors(const std::vector<Diagnostic>& diagnostics);

}  // namespace assay::fkc
