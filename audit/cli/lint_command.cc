// assay lint
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "audit/cli/commands.h"
#include "contracts/fkc/lint_text.h"

namespace assay::cli {

namespace {

struct Arguments {
  std::vector<std::string> contracts;
  bool strict = false;
};

int lint(const Arguments& arguments) {
  const std::vector<fkc::Document> documents =
      load_documents(arguments.contracts, {.strict = arguments.strict});
  fmt::print("{}", fkc::lint_text(documents));
  const bool faulty = std::any_of(
      documents.begin(), documents.end(),
      [](const fkc::Document& document) { return fkc::has_errors(document.diagnostics); });
  return faulty ? 2 : 0;
}

}  // namespace

void add_lint_command(CLI::App& app, std::function<int()>& run) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("lint", "Show every fault of contract documents");
  command->add_option("CONTRACT", arguments->contracts, "contract documents, or folders of them")
      ->required();
  command->add_flag("--strict", arguments->strict,
                    "follow the letter of the format's specification");
  command->callback([arguments, &run] { run = [arguments] { return lint(*arguments); }; });
}

}  // namespace assay::cli
