// The commands of the `assay` program.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "contracts/fkc/document.h"

namespace assay::cli {

/// Adds a command to the program; when the command is the one given, sets `run` to a function that
/// runs it and returns the exit status. `command` is the whole command line, for the report.
void add_audit_command(CLI::App& app, const std::string& command, std::function<int()>& run);
void add_ctest_command(CLI::App& app, std::function<int()>& run);
void add_compare_command(CLI::App& app, std::function<int()>& run);
void add_diff_command(CLI::App& app, std::function<int()>& run);
void add_list_command(CLI::App& app, std::function<int()>& run);
void add_explain_command(CLI::App& app, std::function<int()>& run);
void add_merge_command(CLI::App& app, const std::string& command, std::function<int()>& run);
void add_repro_command(CLI::App& app, std::function<int()>& run);
void add_lint_command(CLI::App& app, std::function<int()>& run);
void add_fmt_command(CLI::App& app, std::function<int()>& run);
void add_suggest_command(CLI::App& app, const std::string& command, std::function<int()>& run);

/// Adds the option --list-entry-points, which needs no command.
void add_entry_points_option(CLI::App& app, std::function<int()>& run);

/// Adds the option --generate, which needs no command: the manual page and the shells' completions
/// of the program as it stands when the option is obeyed, whatever was added after it.
void add_generate_option(CLI::App& app, std::function<int()>& run);

/// Reads contract documents, each file once. Folders stand for all `.fkc.md` files below them, in
/// order of path; folders named `_inventory` are left out. A folder that cannot be read is a
/// document with the error Io.
std::vector<fkc::Document> load_documents(const std::vector<std::string>& paths,
                                          const fkc::ReadOptions& options = {});

/// The same, and prints their errors and warnings to standard error, and how many notes there are
/// unless `quiet`. Sets `faulty` when a document has an error.
std::vector<fkc::Document> read_documents(const std::vector<std::string>& paths, bool quiet,
                                          bool& faulty);

}  // namespace assay::cli
