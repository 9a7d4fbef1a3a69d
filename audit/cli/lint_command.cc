// assay lint
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "audit/build_info.h"
#include "audit/cli/commands.h"
#include "audit/cli/print_error.h"
#include "audit/cli/print_out.h"
#include "audit/cli/replace_file.h"
#include "contracts/fkc/indentation.h"
#include "contracts/fkc/lint_text.h"
#include "kernels/registry.h"
#include "reports/lint_json.h"
#include "reports/lint_sarif.h"

namespace assay::cli {

namespace {

struct Arguments {
  std::vector<std::string> contracts;
  std::string format = "text";
  bool strict = false;
  bool one_provider = false;
  bool fix = false;
};

/// The kernels that are built in, as the table that contracts call their link registry.
fkc::LinkRegistry link_registry() {
  fkc::LinkRegistry links;
  links.name = kLinkRegistry;
  links.operations.assign(kLinkedOperations.begin(), kLinkedOperations.end());
  const Registry registry = built_in_registry();
  for (const Kernel& kernel : registry.kernels()) {
    const auto function = reinterpret_cast<std::uintptr_t>(kernel.variants.at(0).function);
    links.entry_points.push_back({kernel.entry_point, function});
    for (const std::string& alias : kernel.aliases) links.entry_points.push_back({alias, function});
  }
  return links;
}

std::string written(const std::vector<fkc::Document>& documents, const Arguments& arguments) {
  if (arguments.format == "json") return lint_json(documents, arguments.strict);
  if (arguments.format == "sarif") return lint_sarif(documents, kVersion);
  return fkc::lint_text(documents);
}

/// Writes the documents whose indentation was lost and could be rebuilt. True if there was one.
bool fix(const std::vector<fkc::Document>& documents) {
  bool written = false;
  for (const fkc::Document& document : documents) {
    const bool lost = std::any_of(
        document.diagnostics.begin(), document.diagnostics.end(),
        [](const fkc::Diagnostic& diagnostic) { return diagnostic.kind == "IndentationLost"; });
    if (!lost) continue;
    if (const auto repaired = fkc::repair_indentation(file_contents(document.file))) {
      replace_file(document.file, *repaired);
      print_error("{}: indentation rebuilt\n", document.file);
      written = true;
    }
  }
  return written;
}

int lint(const Arguments& arguments) {
  const fkc::LinkRegistry links = link_registry();
  const fkc::ReadOptions options{.strict = arguments.strict, .registry = &links};
  std::vector<fkc::Document> documents = load_documents(arguments.contracts, options);
  if (arguments.fix && fix(documents)) documents = load_documents(arguments.contracts, options);
  if (arguments.one_provider) fkc::check_one_provider(documents);
  write_out(written(documents, arguments));
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
  command->add_option("--format", arguments->format, "how to print")
      ->check(CLI::IsMember({"text", "json", "sarif"}))
      ->capture_default_str();
  command->add_flag("--strict", arguments->strict,
                    "follow the letter of the format's specification");
  command->add_flag("--one-provider", arguments->one_provider,
                    "the documents are one provider's, and must agree about it");
  command->add_flag("--fix", arguments->fix,
                    "write documents that lost their indentation with the structure rebuilt");
  command->callback([arguments, &run] { run = [arguments] { return lint(*arguments); }; });
}

}  // namespace assay::cli
