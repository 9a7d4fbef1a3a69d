// assay ctest: what CMake's assay_add_tests needs of the program (cmake/AssayAddTests.cmake).
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "audit/cli/commands.h"
#include "audit/cli/ctest/claim_lookup.h"
#include "audit/cli/ctest/claim_tests.h"
#include "audit/cli/print_error.h"
#include "audit/cli/print_out.h"
#include "audit/worker/plugins.h"
#include "reports/file_set.h"

namespace assay::cli {

namespace {

struct ListArguments {
  std::vector<std::string> contracts;
  std::vector<std::string> kernels;
  AuditOptions options;
  TestDeclaration declaration;
  std::string output;
};

int list_tests(const ListArguments& arguments) {
  bool faulty = false;
  const std::vector<fkc::Document> documents = read_documents(arguments.contracts, true, faulty);
  if (faulty) {
    print_error("assay: no tests were listed, because a contract is faulty (above)\n");
    return 2;
  }
  const std::vector<ClaimTest> tests =
      claim_tests(documents, registry_with_plugins(arguments.kernels), arguments.options);
  if (tests.empty()) throw UsageError("the contracts make no claim that could be tested");
  const std::filesystem::path path(arguments.output);
  const std::vector<RenderedFile> files = {
      {path.filename().string(), ctest_script(tests, arguments.declaration)}};
  write_files(path.has_parent_path() ? path.parent_path() : ".", files);
  return 0;
}

void add_list(CLI::App& ctest, std::function<int()>& run) {
  auto arguments = std::make_shared<ListArguments>();
  CLI::App* list = ctest.add_subcommand(
      "list", "Write the ctest script that declares a test for each claim of each variant");
  list->add_option("CONTRACT", arguments->contracts, "contract documents, or folders of them")
      ->required();
  const auto texts = [&](const char* name, std::vector<std::string>& values, const char* what,
                         const char* type) {
    list->add_option(name, values, what)->type_name(type)->allow_extra_args(false);
  };
  texts("--kernels", arguments->kernels, "a shared library of kernels", "LIB.so");
  texts("--only", arguments->options.only, "only kernels whose name matches this glob", "GLOB");
  texts("--variant", arguments->options.variants, "only variants whose name matches this glob",
        "GLOB");
  texts("--label", arguments->declaration.labels, "a label of each test", "LABEL");
  const auto text = [&](const char* name, std::string& value, const char* what, const char* type) {
    return list->add_option(name, value, what)->type_name(type);
  };
  text("--prefix", arguments->declaration.prefix, "put before the name of each test", "TEXT");
  text("--program", arguments->declaration.program, "the program that the tests call", "FILE")
      ->required();
  text("--report", arguments->declaration.report, "the report.json that the tests look into",
       "FILE")
      ->required();
  text("--fixture", arguments->declaration.fixture, "the fixture whose setup writes the report",
       "NAME")
      ->required();
  text("--output", arguments->output, "the script", "FILE")->required();
  list->callback([arguments, &run] { run = [arguments] { return list_tests(*arguments); }; });
}

void add_prepare(CLI::App& ctest, std::function<int()>& run) {
  auto report = std::make_shared<std::string>();
  CLI::App* prepare = ctest.add_subcommand(
      "prepare", "Write REPORT.standings beside a report, in which its tests look");
  prepare->add_option("REPORT", *report, "the report.json of an audit")->required();
  prepare->callback([report, &run] {
    run = [report] {
      write_standings(*report);
      return 0;
    };
  });
}

struct CheckArguments {
  std::string report;
  std::string kernel;
  std::string claim;
  std::string variant;
};

void add_check(CLI::App& ctest, std::function<int()>& run) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* check = ctest.add_subcommand(
      "check",
      "Look up one claim of one variant of a prepared report, or, with neither, whether the kernel "
      "was "
      "audited. Exit status 0 if it is upheld by all the evidence that was planned, 1 if it is "
      "refuted, 77 if it is measured only (or is 'bitwise', and variants were left out or there is "
      "one only), 3 if it is undecided, in error or not there");
  check->add_option("REPORT", arguments->report, "the report.json of an audit")->required();
  check->add_option("KERNEL", arguments->kernel, "the kernel's name")->required();
  CLI::Option* claim = check->add_option("CLAIM", arguments->claim, "the claim's id: rounding");
  CLI::Option* variant = check->add_option("VARIANT", arguments->variant, "the variant's name");
  claim->needs(variant);
  check->callback([arguments, &run] {
    run = [arguments] {
      const Standing standing =
          arguments->claim.empty()
              ? look_up_kernel(arguments->report, arguments->kernel)
              : look_up(arguments->report, arguments->kernel, arguments->claim, arguments->variant);
      write_out(standing.text);
      return standing.status;
    };
  });
}

}  // namespace

void add_ctest_command(CLI::App& app, std::function<int()>& run) {
  CLI::App* ctest =
      app.add_subcommand("ctest", "What the CMake function assay_add_tests calls")->group("");
  ctest->require_subcommand(1);
  add_list(*ctest, run);
  add_prepare(*ctest, run);
  add_check(*ctest, run);
}

}  // namespace assay::cli
