// assay lint
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "audit/build_info.h"
#include "audit/cli/commands.h"
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
};

/// The kernels that are built in, as the table that contracts call their link registry.
fkc::LinkRegistry link_registry() {
  fkc::LinkRegistry links;
  links.name = kLinkRegistry;
  links.operations.assign(kLinkedOperations.begin(), kLinkedOperations.end());
  const Registry registry = built_in_registry();
  for (const Kernel& kernel : registry.kernels()) {
    links.entry_points.push_back(
        {kernel.entry_point, reinterpret_cast<std::uintptr_t>(kernel.variants.at(0).function)});
  }
  return links;
}

std::string written(const std::vector<fkc::Document>& documents, const Arguments& arguments) {
  if (arguments.format == "json") return lint_json(documents, arguments.strict);
  if (arguments.format == "sarif") return lint_sarif(documents, kVersion);
  return fkc::lint_text(documents);
}

int lint(const Arguments& arguments) {
  const fkc::LinkRegistry links = link_registry();
  std::vector<fkc::Document> documents =
      load_documents(arguments.contracts, {.strict = arguments.strict, .registry = &links});
  if (arguments.one_provider) fkc::check_one_provider(documents);
  fmt::print("{}", written(documents, arguments));
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
  command->callback([arguments, &run] { run = [arguments] { return lint(*arguments); }; });
}

}  // namespace assay::cli
