// assay fmt
#include <fmt/format.h>

#include <memory>

#include "audit/cli/commands.h"
#include "audit/cli/print_error.h"
#include "audit/cli/print_out.h"
#include "audit/cli/replace_file.h"
#include "contracts/fkc/formatter.h"

namespace assay::cli {

namespace {

struct Arguments {
  std::vector<std::string> contracts;
  bool check = false;
};

/// The exit status that the document calls for.
int format(const fkc::Document& document, bool check) {
  const bool unreadable = !document.diagnostics.empty() && document.diagnostics[0].kind == "Io";
  const std::string text = unreadable ? std::string() : file_contents(document.file);
  const auto result = unreadable ? std::nullopt : fkc::formatted(text);
  if (!result) {
    print_error(
        "{}: not formatted: a block cannot be read (`assay lint` says why), or its comments "
        "would say something else in another order\n",
        document.file);
    return 2;
  }
  if (*result == text) return 0;
  if (check) {
    print_out("{}: not in canonical form\n", document.file);
    return 2;
  }
  replace_file(document.file, *result);
  print_out("{}: formatted\n", document.file);
  return 0;
}

}  // namespace

void add_fmt_command(CLI::App& app, std::function<int()>& run) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("fmt", "Rewrite the blocks of contract documents in canonical form");
  command->add_option("CONTRACT", arguments->contracts, "contract documents, or folders of them")
      ->required();
  command->add_flag("--check", arguments->check,
                    "write nothing; exit status 2 if a document is not in canonical form");
  command->callback([arguments, &run] {
    run = [arguments] {
      int status = 0;
      for (const fkc::Document& document : load_documents(arguments->contracts)) {
        status = std::max(status, format(document, arguments->check));
      }
      return status;
    };
  });
}

}  // namespace assay::cli
