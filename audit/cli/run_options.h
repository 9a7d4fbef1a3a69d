// Options that every command which audits has.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "audit/machine.h"
#include "audit/options.h"

namespace assay::cli {

/// What such a command was asked to audit, and how.
struct RunArguments {
  std::vector<std::string> only;
  std::vector<std::string> variants;
  std::vector<std::string> kernels;
  std::string effort = "standard";
  std::string seed = "1";  ///< a decimal number, or "random"
  unsigned threads = available_processors();
};

/// Adds --effort, --seed and --threads, and returns them.
std::vector<CLI::Option*> add_run_options(CLI::App& command, RunArguments& arguments);

/// All but what is in place of built-in kernels. Throws UsageError.
AuditOptions options_from(const RunArguments& arguments, const std::string& command);

/// "quick", "standard" or "exhaustive".
Effort effort_from(const std::string& name);

/// A decimal number up to 2^64 - 1, or "random". Throws UsageError.
std::uint64_t seed_from(const std::string& text);

}  // namespace assay::cli
