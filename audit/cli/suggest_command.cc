// assay suggest
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "audit/audit.h"
#include "audit/cli/commands.h"
#include "audit/cli/print_error.h"
#include "audit/cli/print_out.h"
#include "audit/cli/progress.h"
#include "audit/cli/replace_file.h"
#include "audit/cli/run_options.h"
#include "audit/machine.h"
#include "audit/worker/plugins.h"
#include "audit/worker/stop_signals.h"
#include "contracts/unicode.h"
#include "reports/file_set.h"
#include "reports/reader.h"
#include "reports/suggest.h"

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

struct Arguments : RunArguments {
  std::vector<std::string> contracts;
  std::string report;
  SuggestOptions options;
  std::string out;
};

RunRecord audited(const std::vector<fkc::Document>& documents, const Arguments& arguments,
                  const std::string& command) {
  const StopSignals signals;
  AuditOptions options = options_from(arguments, command);
  const Registry registry = registry_with_plugins(arguments.kernels);
  ProgressBar bar;
  options.progress = [&](const Progress& progress) { bar.show(progress); };
  RunRecord record = audit(documents, registry, options);
  bar.finish();
  return record;
}

RunRecord reported(const std::string& path) {
  try {
    return read_report_file(path);
  } catch (const UnreadableReport& error) {
    throw UsageError(error.what());
  }
}

/// A document's name in a patch: relative to the folder that the command runs in, and else, for
/// files elsewhere, to the root of the file system.
struct PatchName {
  std::string name;
  bool of_root = false;
};

PatchName patch_name(const std::string& file) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(file, error);
  const fs::path here = fs::current_path(error);
  const fs::path relative = whole.lexically_relative(here);
  if (!relative.empty() && *relative.begin() != "..") return {relative.string(), false};
  return {whole.relative_path().string(), true};
}

/// The patch of one document, with what is not in it as comments.
std::string advice(const fkc::Document& document, const RunRecord& record,
                   const Arguments& arguments, std::size_t& made) {
  const std::string text = file_contents(document.file);
  Suggestions suggestions = suggestions_for(document, record, arguments.options);
  const PatchName name = patch_name(document.file);
  const std::string patch =
      suggestion_patch(text, name.name, arguments.options.margin, suggestions);
  made += suggestions.made.size();
  std::string result =
      fmt::format("# {}: {}\n", one_line(document.file),
                  patch.empty() ? "nothing can be tightened" : "what the evidence supports");
  if (!patch.empty()) result += chosen_variants_line(record);
  if (!patch.empty() && name.of_root) {
    result += "# file names are relative to /: apply it there, with patch -p1\n";
  }
  const std::string others = no_suggestion_lines(suggestions);
  if (!others.empty()) result += "# not suggested:\n" + others;
  return result + (patch.empty() ? "" : "\n") + patch;
}

int suggest(const Arguments& arguments, const std::string& command) {
  bool faulty = false;
  const std::vector<fkc::Document> documents = read_documents(arguments.contracts, true, faulty);
  if (faulty) {
    print_error("assay: nothing is suggested, because a contract is faulty (above)\n");
    return 2;
  }
  const RunRecord record = arguments.report.empty() ? audited(documents, arguments, command)
                                                    : reported(arguments.report);
  if (!record.run.complete) {
    print_error("assay: nothing is suggested: the audit did not come to its end: {}\n",
                one_line(record.run.incomplete));
    return 3;
  }
  std::string text;
  std::size_t made = 0;
  for (const fkc::Document& document : documents) {
    text += (text.empty() ? "" : "\n") + advice(document, record, arguments, made);
  }
  if (arguments.out.empty()) {
    write_out(text);
    return 0;
  }
  const fs::path path(arguments.out);
  const std::vector<RenderedFile> files = {{path.filename().string(), text}};
  write_files(path.parent_path(), files);
  print_out("{} suggestion{}\n{}\n", made, made == 1 ? "" : "s", path.string());
  return 0;
}

}  // namespace

void add_suggest_command(CLI::App& app, const std::string& command, std::function<int()>& run) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* suggest_app = app.add_subcommand(
      "suggest", "Write the tightest promises that the evidence supports as a patch of contracts");
  suggest_app
      ->add_option("CONTRACT", arguments->contracts, "contract documents, or folders of them")
      ->required();
  CLI::Option* report =
      suggest_app
          ->add_option("--report", arguments->report,
                       "a report.json of these contracts, in place of an audit now")
          ->type_name("FILE");
  std::vector<CLI::Option*> of_audits = {
      suggest_app
          ->add_option("--kernels", arguments->kernels,
                       "a shared library whose kernels are audited in place of built-in ones")
          ->type_name("LIB.so")
          ->allow_extra_args(false),
      suggest_app
          ->add_option("--only", arguments->only, "only kernels whose name matches this glob")
          ->type_name("GLOB")
          ->allow_extra_args(false),
      suggest_app
          ->add_option("--variant", arguments->variants,
                       "only variants whose name matches this glob; what is suggested then says "
                       "nothing of others")
          ->type_name("GLOB")
          ->allow_extra_args(false)};
  std::ranges::copy(add_run_options(*suggest_app, *arguments), std::back_inserter(of_audits));
  for (CLI::Option* option : of_audits) option->excludes(report);
  CLI::Option* samples =
      suggest_app->add_flag("--from-samples", arguments->options.from_samples,
                            "bounds may rest on samples, with --margin on top of what they show");
  CLI::Option* margin = suggest_app
                            ->add_option("--margin", arguments->options.margin,
                                         "percent that is added to what samples show")
                            ->type_name("PERCENT")
                            ->check(CLI::Range(0.0, 1e6));
  samples->needs(margin);
  margin->needs(samples);
  suggest_app->add_flag("--loosen", arguments->options.loosen,
                        "propose for refuted bounds the measured ones");
  suggest_app
      ->add_option("--out", arguments->out, "a file for the patch, in place of standard output")
      ->type_name("FILE");
  suggest_app->footer(
      "The patch is for `git apply`; lines that begin with # are for people. Exit status: 0, also "
      "where\nnothing can be tightened; 2 bad arguments, a faulty contract or report; 3 the audit "
      "did not come to\nits end.");
  suggest_app->callback([arguments, command, &run] {
    run = [arguments, command] { return suggest(*arguments, command); };
  });
}

}  // namespace assay::cli
