#include "audit/cli/unfinished.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <nlohmann/json.hpp>

#include "audit/cli/replace_file.h"
#include "audit/options.h"

namespace assay::cli {

namespace fs = std::filesystem;

// The names of the members are those in the file.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AuditArguments, contracts, only, variants, kernels, effort, seed,
                                   threads, time_budget, hang_after, out, formats, quiet, shard)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AuditIdentity, arguments, command, started, folder, program,
                                   machine, contracts, libraries)

namespace {

/// Of all files' contents together, in their order.
std::string digest(const std::vector<std::string>& files) {
  std::uint64_t sum = 0;
  for (const std::string& file : files) {
    const std::string contents = file_contents(file);
    sum = XXH3_64bits_withSeed(contents.data(), contents.size(), sum + 1);
  }
  return fmt::format("{} files, {:016x}", files.size(), sum);
}

}  // namespace

fs::path checkpoint_path(const fs::path& out) {
  return (out.empty() ? fs::path(".") : out) / "audit.checkpoint";
}

fs::path shard_path(const fs::path& out) {
  return (out.empty() ? fs::path(".") : out) / "audit.shard";
}

Shard shard_of(const AuditArguments& arguments) {
  if (arguments.shard.empty()) return {};
  const std::optional<Shard> shard = shard_from(arguments.shard);
  if (shard) return *shard;
  throw UsageError(fmt::format(
      "--shard takes K/N, the K-th of N shards, as 2/3; K from 1 to N, N up to {}; not '{}'",
      kMostShards, arguments.shard));
}

AuditIdentity identity_of(const AuditArguments& arguments, const std::string& command,
                          const std::vector<std::string>& files) {
  AuditOptions options;
  const MachineRecord machine = describe_machine(arguments.threads);
  return {
      .arguments = arguments,
      .command = command,
      .started = describe_run(options).started,
      .folder = fs::current_path().string(),
      .program = digest({"/proc/self/exe"}),
      .machine = fmt::format("{} with {}", machine.cpu, fmt::join(machine.targets, ", ")),
      .contracts = digest(files),
      .libraries = digest(arguments.kernels),
  };
}

std::string to_text(const AuditIdentity& identity) {
  // Paths need not be UTF-8; what is not stands for itself well enough to be compared.
  return nlohmann::json(identity).dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
}

AuditIdentity identity_from(const std::string& text) {
  try {
    return nlohmann::json::parse(text).get<AuditIdentity>();
  } catch (const nlohmann::json::exception& error) {
    throw UsageError(fmt::format(
        "the unfinished audit does not say what it was ({}); start it anew", error.what()));
  }
}

void require_same(const AuditIdentity& kept, const AuditIdentity& now) {
  const struct {
    const char* what;
    std::string AuditIdentity::*member;
  } rows[] = {
      {"this program", &AuditIdentity::program},
      {"the machine", &AuditIdentity::machine},
      {"a contract", &AuditIdentity::contracts},
      {"a library of kernels", &AuditIdentity::libraries},
  };
  for (const auto& row : rows) {
    if (kept.*row.member == now.*row.member) continue;
    throw UsageError(
        fmt::format("the unfinished audit cannot be resumed: {} has changed since ({}, now {}); "
                    "start it anew with: {}",
                    row.what, kept.*row.member, now.*row.member, kept.command));
  }
}

}  // namespace assay::cli
