// Words of a command line, for commands that are shown to be run.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// `word` such that a POSIX-like shell (bash, zsh, ksh) reads it back as one word, on one line.
/// Plain words stay as they are; control characters and bytes outside of ASCII need $'...'.
std::string shell_quoted(std::string_view word);

/// A pattern that matches this name only (fnmatch), and is never taken for an option.
std::string exact_pattern(std::string_view name);

/// The path as a word that is never taken for an option; not quoted.
std::string path_word(std::string_view path);

}  // namespace assay
