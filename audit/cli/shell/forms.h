// The forms in which a program's command line is written down for people and shells. All are pure
// functions of its description, so that none can fall behind it.
#pragma once

#include <string>
#include <string_view>

#include "audit/cli/shell/program.h"

namespace assay::cli {

/// The manual page, in the macros of man(7). Hidden commands have a section of their own.
std::string manual_page(const CommandText& program, std::string_view version);

/// Completions. Hidden commands are left out.
std::string bash_completion(const CommandText& program);
std::string zsh_completion(const CommandText& program);
std::string fish_completion(const CommandText& program);

}  // namespace assay::cli
