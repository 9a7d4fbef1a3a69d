// assay audit
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>

#include "audit/audit.h"
#include "audit/cli/commands.h"
#include "audit/cli/duration.h"
#include "audit/cli/progress.h"
#include "audit/machine.h"
#include "audit/worker/plugins.h"
#include "audit/worker/stop_signals.h"
#include "kernels/registry.h"
#include "reports/console.h"
#include "reports/writer.h"

namespace assay::cli {

namespace {

struct Arguments {
  std::vector<std::string> contracts;
  std::vector<std::string> only;
  std::vector<std::string> variants;
  std::vector<std::string> kernels;
  std::string effort = "standard";
  std::string seed = "1";
  unsigned threads = available_processors();
  std::string time_budget;
  unsigned hang_after = 20;
  std::string out = "build/audit";
  std::vector<std::string> formats;
  bool quiet = false;
};

Effort effort_from(const std::string& name) {
  if (name == "quick") return Effort::kQuick;
  return name == "exhaustive" ? Effort::kExhaustive : Effort::kStandard;
}

std::uint64_t seed_from(const std::string& text) {
  if (text == "random") {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
  }
  std::size_t used = 0;
  try {
    const std::uint64_t seed = std::stoull(text, &used, 10);
    if (used == text.size() && text.front() != '-') return seed;
  } catch (const std::exception&) {
    used = 0;
  }
  throw UsageError(
      fmt::format("--seed takes a decimal number up to 2^64 - 1, or 'random'; not '{}'", text));
}

int run_audit(const Arguments& arguments, const std::string& command) {
  // From here on a signal asks for an early end, with reports of what is done by then.
  const StopSignals signals;
  AuditOptions options;
  options.only = arguments.only;
  options.variants = arguments.variants;
  options.effort = effort_from(arguments.effort);
  options.seed = seed_from(arguments.seed);
  options.threads = arguments.threads;
  options.hang_after = std::chrono::seconds(arguments.hang_after);
  options.command = command;
  if (!arguments.time_budget.empty()) options.time_budget = duration_from(arguments.time_budget);

  bool faulty = false;
  const std::vector<fkc::Document> documents =
      read_documents(arguments.contracts, arguments.quiet, faulty);
  if (faulty) {
    fmt::print(stderr, "assay: nothing was audited, because a contract is faulty (above)\n");
    return 2;
  }
  check_writable(arguments.out);
  const Registry registry = registry_with_plugins(arguments.kernels);

  ProgressBar bar;
  if (!arguments.quiet) options.progress = [&](const Progress& progress) { bar.show(progress); };
  const RunRecord record = audit(documents, registry, options);
  bar.finish();

  std::vector<std::filesystem::path> paths;
  std::string unwritten;
  try {
    paths = write_reports(record, arguments.out, arguments.formats);
  } catch (const ReportError& error) {
    unwritten = error.what();  // the verdicts are still worth reading
  }
  const bool colour = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  fmt::print("{}{}", arguments.quiet ? last_line(record) : console_summary(record, paths, colour),
             arguments.quiet ? "\n" : "");
  const int status = exit_status(record, options);
  if (unwritten.empty()) return status;
  std::fflush(stdout);
  fmt::print(stderr, "assay: the reports were not written: {}\n", unwritten);
  return status == 1 ? 1 : 3;
}

}  // namespace

void add_audit_command(CLI::App& app, const std::string& command, std::function<int()>& run) {
  auto arguments = std::make_shared<Arguments>();
  for (const ReportFormat& format : report_formats()) {
    arguments->formats.emplace_back(format.name);
  }
  CLI::App* audit = app.add_subcommand("audit", "Audit kernels against their contracts");
  audit->add_option("CONTRACT", arguments->contracts, "contract documents, or folders of them")
      ->required();
  audit->add_option("--only", arguments->only, "only kernels whose name matches this glob")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  audit->add_option("--variant", arguments->variants, "only variants whose name matches this glob")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  audit
      ->add_option("--kernels", arguments->kernels,
                   "a shared library whose kernels are audited in place of built-in ones with the "
                   "same entry point (kernels/abi/assay_kernels.h)")
      ->type_name("LIB.so")
      ->allow_extra_args(false);
  audit->add_option("--effort", arguments->effort, "how much of the input space is probed")
      ->check(CLI::IsMember({"quick", "standard", "exhaustive"}))
      ->capture_default_str();
  audit->add_option("--seed", arguments->seed, "seed of the samples, or 'random'")
      ->type_name("N")
      ->capture_default_str();
  audit->add_option("--threads", arguments->threads, "worker processes")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u))
      ->capture_default_str();
  audit
      ->add_option(
          "--time-budget", arguments->time_budget,
          "start no work after this long, as 90s, 5min or 1h; what is left out is reported")
      ->type_name("TIME");
  audit
      ->add_option("--hang-after", arguments->hang_after,
                   "seconds without an answer after which a call counts as hung")
      ->type_name("N")
      ->check(CLI::Range(1u, 86400u))
      ->capture_default_str();
  audit->add_option("--out", arguments->out, "folder for the reports")
      ->type_name("DIR")
      ->capture_default_str();
  audit->add_option("--format", arguments->formats, "report formats, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST")
      ->check([](const std::string& name) {
        if (find_report_format(name) != nullptr) return std::string();
        std::string known;
        for (const ReportFormat& format : report_formats()) {
          known += " " + std::string(format.name);
        }
        return "unknown format '" + name + "'; known are:" + known;
      })
      ->capture_default_str();
  audit->add_flag("--quiet", arguments->quiet, "print the last line only");
  audit->callback([arguments, command, &run] {
    run = [arguments, command] { return run_audit(*arguments, command); };
  });
}

}  // namespace assay::cli
