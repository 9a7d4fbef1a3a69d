// assay diff
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "audit/cli/commands.h"
#include "audit/cli/print_out.h"
#include "audit/options.h"
#include "reports/diff_writer.h"
#include "reports/file_set.h"
#include "reports/reader.h"

namespace assay::cli {

namespace {

struct Arguments {
  std::string before;
  std::string after;
  std::string format = "text";
  std::string out;
};

RunRecord report(const std::string& path) {
  try {
    return read_report_file(path);
  } catch (const UnreadableReport& error) {
    throw UsageError(error.what());
  }
}

int diff(const Arguments& arguments) {
  const RunRecord before = report(arguments.before);
  const RunRecord after = report(arguments.after);
  const ComparedReports reports{arguments.before, before, arguments.after, after};
  const std::vector<Change> changes = changes_between(before, after);
  const std::string text = arguments.format == "json"       ? diff_json(reports, changes)
                           : arguments.format == "markdown" ? diff_markdown(reports, changes)
                                                            : diff_text(reports, changes);
  const std::size_t regressions = count_of(changes, Effect::kRegression);
  if (arguments.out.empty()) {
    write_out(text);
  } else {
    const std::filesystem::path path(arguments.out);
    const std::vector<RenderedFile> files = {{path.filename().string(), text}};
    write_files(path.parent_path(), files);
    print_out("{}\n{}\n", diff_counts(changes), path.string());
  }
  return regressions > 0 ? 1 : 0;
}

}  // namespace

void add_diff_command(CLI::App& app, std::function<int()>& run) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("diff", "Show what got worse and what got better between two reports");
  command->add_option("OLD", arguments->before, "report.json of the earlier audit")->required();
  command->add_option("NEW", arguments->after, "report.json of the later audit")->required();
  command->add_option("--format", arguments->format, "how to write it")
      ->check(CLI::IsMember({"text", "markdown", "json"}))
      ->capture_default_str();
  command->add_option("--out", arguments->out, "a file for it, in place of standard output")
      ->type_name("FILE");
  command->footer(
      "Exit status: 0 no regression; 1 a regression; 2 bad arguments, or a file that is no report "
      "of\nan audit.");
  command->callback([arguments, &run] { run = [arguments] { return diff(*arguments); }; });
}

}  // namespace assay::cli
