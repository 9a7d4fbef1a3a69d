#include "audit/cli/report_options.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "audit/cli/print_error.h"
#include "audit/cli/print_out.h"
#include "contracts/unicode.h"
#include "reports/console.h"
#include "reports/writer.h"

namespace assay::cli {

namespace {

/// Takes the names of report formats only, and lists them in the help.
CLI::Validator known_format() {
  std::string names, words;
  for (const ReportFormat& format : report_formats()) {
    names += (names.empty() ? "" : ",") + std::string(format.name);
    words += " " + std::string(format.name);
  }
  return {[words](const std::string& name) {
            if (find_report_format(name) != nullptr) return std::string();
            return "unknown format '" + name + "'; known are:" + words;
          },
          "{" + names + "}"};
}

/// As no-color.org has it: set, and not empty.
bool no_colour() {
  const char* value = std::getenv("NO_COLOR");
  return value != nullptr && *value != 0;
}

}  // namespace

std::vector<std::string> all_formats() {
  std::vector<std::string> names;
  for (const ReportFormat& format : report_formats()) names.emplace_back(format.name);
  return names;
}

void add_format_option(CLI::App& command, std::vector<std::string>& formats) {
  command.add_option("--format", formats, "report formats, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST")
      ->check(known_format())
      ->capture_default_str();
}

std::string report_record(RunRecord& record, const std::string& out,
                          const std::vector<std::string>& formats, bool quiet) {
  std::vector<std::filesystem::path> paths;
  std::string unwritten;
  record.run.report_folder = out;
  try {
    paths = write_reports(record, out, formats);
    for (const auto& path : remove_stale_reports(record, out, formats)) {
      if (quiet) continue;
      print_error("assay: removed {}, which told of an earlier audit\n", one_line(path.string()));
    }
  } catch (const ReportError& error) {
    unwritten = error.what();  // the verdicts are still worth reading
  }
  const bool colour = isatty(STDOUT_FILENO) == 1 && !no_colour();
  print_out("{}{}", quiet ? last_line(record) : console_summary(record, paths, colour),
            quiet ? "\n" : "");
  static_cast<void>(output_fault());  // main() tells of it; what follows is on standard error
  return unwritten;
}

}  // namespace assay::cli
