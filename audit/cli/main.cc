// assay: does a numeric kernel keep the promises that its contract makes?
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sstream>

#include "audit/build_info.h"
#include "audit/cli/commands.h"
#include "audit/cli/print_error.h"
#include "audit/cli/print_out.h"
#include "audit/options.h"
#include "contracts/command_words.h"
#include "reports/writer.h"

namespace {

std::string command_line(int argc, char** argv) {
  std::string text = "assay";
  for (int i = 1; i < argc; ++i) text += " " + assay::shell_quoted(argv[i]);
  return text;
}

int run(int argc, char** argv) {
  CLI::App app("Audits numeric kernels against the contracts that are published about them.",
               "assay");
  app.set_version_flag("--version", std::string("assay ") + assay::kVersion);
  app.require_subcommand(0, 1);
  app.footer(
      "Exit status: 0 every claim upheld (or only measured); 1 a claim refuted; 2 bad arguments or "
      "a\nfaulty contract; 3 something could not be run to its end.");
  std::function<int()> command;
  assay::cli::add_audit_command(app, command_line(argc, argv), command);
  assay::cli::add_list_command(app, command);
  assay::cli::add_explain_command(app, command);
  assay::cli::add_repro_command(app, command);
  assay::cli::add_compare_command(app, command);
  assay::cli::add_diff_command(app, command);
  assay::cli::add_merge_command(app, command_line(argc, argv), command);
  assay::cli::add_entry_points_option(app, command);
  assay::cli::add_lint_command(app, command);
  assay::cli::add_fmt_command(app, command);
  assay::cli::add_suggest_command(app, command_line(argc, argv), command);
  assay::cli::add_ctest_command(app, command);
  assay::cli::add_generate_option(app, command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, faults;
    const int status = app.exit(error, out, faults);
    assay::cli::write_out(out.str());
    assay::cli::print_error("{}", faults.str());
    return status == 0 ? 0 : 2;
  }
  if (!command) throw assay::UsageError("no command; `assay --help` shows them");
  return command();
}

}  // namespace

int main(int argc, char** argv) {
  // A reader of the output that goes away must not take the reports with it.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const int status = run(argc, argv);
    const int fault = assay::cli::output_fault();
    // A reader that has gone is no fault; a full disk is.
    if (fault == 0 || fault == EPIPE) return status;
    assay::cli::print_error("assay: cannot write to standard output: {}\n", std::strerror(fault));
    return status == 1 || status == 2 ? status : 3;
  } catch (const assay::UsageError& error) {
    assay::cli::print_error("assay: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    assay::cli::print_error("assay: {}\n", error.what());
    return 3;
  }
}
