#include "audit/cli/run_options.h"

#include <fmt/format.h>

#include <random>

namespace assay::cli {

std::vector<CLI::Option*> add_run_options(CLI::App& command, RunArguments& arguments) {
  return {command.add_option("--effort", arguments.effort, "how much of the input space is probed")
              ->check(CLI::IsMember({"quick", "standard", "exhaustive"}))
              ->capture_default_str(),
          command.add_option("--seed", arguments.seed, "seed of the samples, or 'random'")
              ->type_name("N")
              ->capture_default_str(),
          command.add_option("--threads", arguments.threads, "worker processes")
              ->type_name("N")
              ->check(CLI::Range(1u, 1024u))
              ->default_str("all processors")};  // not their number: help reads the same everywhere
}

AuditOptions options_from(const RunArguments& arguments, const std::string& command) {
  AuditOptions options;
  options.only = arguments.only;
  options.variants = arguments.variants;
  options.effort = effort_from(arguments.effort);
  options.seed = seed_from(arguments.seed);
  options.threads = arguments.threads;
  options.command = command;
  return options;
}

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

}  // namespace assay::cli
