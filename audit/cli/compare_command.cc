// assay compare
#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "audit/cli/commands.h"
#include "audit/cli/print_out.h"
#include "audit/cli/replace_file.h"
#include "audit/options.h"
#include "reports/comparison.h"
#include "reports/file_set.h"
#include "reports/reader.h"

namespace assay::cli {

namespace {

struct Arguments {
  std::vector<std::string> reports;
  std::string libraries;
  std::string out;
};

int compare(const Arguments& arguments) {
  std::vector<ComparedLibrary> libraries;
  std::vector<ComparedVariant> rows;
  try {
    if (!arguments.libraries.empty()) {
      libraries = read_library_list(file_contents(arguments.libraries));
    }
    for (const std::string& report : arguments.reports) {
      const std::vector<ComparedVariant> more = compared_variants(read_report_file(report));
      rows.insert(rows.end(), more.begin(), more.end());
    }
  } catch (const ReportError& error) {
    throw UsageError(fmt::format("{}: {}", arguments.libraries, error.what()));
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());  // a file that cannot be read, or no report
  }
  write_out(comparison_summary(rows, libraries));
  if (!arguments.out.empty()) {
    const std::vector<RenderedFile> files = {comparison_page(rows, libraries)};
    print_out("{}\n", write_files(arguments.out, files).front().string());
  }
  return 0;
}

}  // namespace

void add_compare_command(CLI::App& app, std::function<int()>& run) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("compare", "Make one table out of reports: library x kernel x claim");
  command->add_option("REPORT", arguments->reports, "report.json files of audits")->required();
  command
      ->add_option("--libraries", arguments->libraries,
                   "the libraries to speak of, with why some were skipped: a line for each, name, "
                   "description and reason between tabs")
      ->type_name("LIST.tsv");
  command->add_option("--out", arguments->out, "folder for the table, comparison.md")
      ->type_name("DIR");
  command->callback([arguments, &run] { run = [arguments] { return compare(*arguments); }; });
}

}  // namespace assay::cli
