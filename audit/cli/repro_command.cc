// assay repro
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "audit/cli/commands.h"
#include "audit/cli/print_error.h"
#include "audit/cli/print_out.h"
#include "audit/cli/progress.h"
#include "audit/cli/shipped_contracts.h"
#include "audit/machine.h"
#include "audit/repro/repeat.h"
#include "audit/token/token.h"
#include "audit/worker/plugins.h"
#include "audit/worker/stop_signals.h"
#include "contracts/unicode.h"

namespace assay::cli {

namespace {

struct Arguments {
  std::string token;
  std::string contract;
  std::vector<std::string> kernels;
  std::string report = "build/audit";
  unsigned hang_after = 20;
};

/// Elements that are shown of a tensor.
constexpr std::size_t kShown = 8;

std::string elements_text(const TensorRecord& tensor) {
  std::string text;
  const std::size_t shown = std::min(tensor.bits.size(), kShown);
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", tensor.bits[i],
                        i < tensor.values.size() ? tensor.values[i] : "?");
  }
  return text + (shown < tensor.bits.size() ? ", ..." : "");
}

void print_line(const std::string& name, const std::string& text) {
  if (!text.empty()) print_out("  {:<14}{}\n", one_line(name), one_line(text));
}

void print_call(const Counterexample& example) {
  for (const TensorRecord& input : example.inputs) {
    std::string shape;
    for (const std::int64_t extent : input.shape) {
      shape += (shape.empty() ? "" : ", ") + std::to_string(extent);
    }
    print_line(input.name, fmt::format("{} ({}): {}", input.dtype, shape, elements_text(input)));
  }
  for (const ParameterRecord& parameter : example.params) {
    print_line(parameter.name, parameter.value);
  }
  print_line("got", elements_text(example.got));
  print_line("expected", elements_text(example.expected));
  if (example.exact) print_line("exact", example.exact->value);
  if (example.ulp_distance) print_line("ULP distance", std::to_string(*example.ulp_distance));
  print_line("why", example.why);
}

std::string outcome_text(const Token& token, const Repeated& repeated) {
  switch (repeated.outcome) {
    case Repeated::Outcome::kFails:
      if (!token.error || repeated.example) return "still fails";
      return "still cannot be judged: " + repeated.why;
    case Repeated::Outcome::kHolds:
      return "no longer fails";
    case Repeated::Outcome::kNotRun:
      break;
  }
  return "could not be run to its end: " + repeated.why;
}

int status_of(Repeated::Outcome outcome) {
  switch (outcome) {
    case Repeated::Outcome::kFails:
      return 1;
    case Repeated::Outcome::kHolds:
      return 0;
    case Repeated::Outcome::kNotRun:
      break;
  }
  return 3;
}

int run_repro(const Arguments& arguments) {
  const StopSignals signals;
  const Token token = token_from(arguments.token, arguments.report);
  const std::string contract = arguments.contract.empty() ? token.contract : arguments.contract;
  require_contract(contract);
  bool faulty = false;
  const std::vector<fkc::Document> documents = read_documents({contract}, true, faulty);
  if (faulty) {
    print_error(
        "assay: nothing was run, because the contract is missing or faulty (above); name it with "
        "--contract\n");
    return 2;
  }
  std::vector<std::string> libraries = arguments.kernels;
  if (libraries.empty() && !token.library.empty()) libraries = {token.library};
  const Registry registry = registry_with_plugins(libraries);

  AuditOptions options;
  options.threads = available_processors();
  options.hang_after = std::chrono::seconds(arguments.hang_after);
  ProgressBar bar;
  options.progress = [&](const Progress& progress) { bar.show(progress); };
  const Repeated repeated = repeat(token, documents, registry, options);
  bar.finish();

  print_out("{}, variant {}: {}\n", one_line(token.kernel), one_line(token.variant),
            row(token.claim).id);
  print_line("contract", contract);
  for (const std::string& library : libraries) print_line("kernels", library);
  print_line("run", repeated.ran);
  if (repeated.example) print_call(*repeated.example);
  for (const std::string& note : repeated.notes) print_line("note", note);
  print_out("{}\n", one_line(outcome_text(token, repeated)));
  return status_of(repeated.outcome);
}

}  // namespace

void add_repro_command(CLI::App& app, std::function<int()>& run) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* repro = app.add_subcommand(
      "repro",
      "Run a counterexample of a report again: 1 if it still fails, 0 if it no longer does");
  repro->add_option("TOKEN", arguments->token, "a counterexample's token in a report")->required();
  repro->add_option("--contract", arguments->contract,
                    "the contract document, where it is not where the report found it");
  repro
      ->add_option("--kernels", arguments->kernels,
                   "shared library of the kernels, where it is not the report's (repeatable)")
      ->type_name("LIB.so")
      ->allow_extra_args(false);
  repro
      ->add_option("--report", arguments->report,
                   "folder of the report, where the token names a file beside it")
      ->type_name("DIR")
      ->capture_default_str();
  repro
      ->add_option("--hang-after", arguments->hang_after,
                   "seconds without a sign of life after which a call counts as hanging")
      ->check(CLI::Range(1u, 86400u))
      ->capture_default_str();
  repro->callback([arguments, &run] { run = [arguments] { return run_repro(*arguments); }; });
}

}  // namespace assay::cli
