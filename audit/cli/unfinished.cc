#include "audit/cli/unfinished.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "audit/machine.h"
#include "audit/options.h"
#include "contracts/unicode.h"

namespace assay::cli {

namespace fs = std::filesystem;

// The names of the members are those in the file.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AuditArguments, contracts, only, variants, kernels, effort, seed,
                                   threads, time_budget, hang_after, out, formats, quiet, shard)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AuditIdentity, arguments, command, started, folder, contracts,
                                   libraries, dependencies, program, machine, environment)

namespace {

constexpr Surrounding kSurroundings[] = {
    {"a contract", [](const AuditIdentity& identity) { return Items{identity.contracts}; }},
    {"a library of kernels", [](const AuditIdentity& identity) { return identity.libraries; }},
    {"what a library of kernels depends on",
     [](const AuditIdentity& identity) { return identity.dependencies; }},
    {"an environment variable", [](const AuditIdentity& identity) { return identity.environment; }},
    {"this program", [](const AuditIdentity& identity) { return identity.program; }},
    {"the machine", [](const AuditIdentity& identity) { return identity.machine; }},
};

}  // namespace

std::span<const Surrounding> surroundings() {
  return kSurroundings;
}

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
      kMostShards, one_line(arguments.shard)));
}

AuditIdentity identity_of(const AuditArguments& arguments, const std::string& command,
                          const std::string& contracts,
                          const std::vector<KernelLibrary>& libraries) {
  AuditIdentity identity;
  identity.arguments = arguments;
  identity.command = command;
  identity.started = describe_run({}).started;
  identity.folder = fs::current_path().string();
  identity.contracts = contracts;
  for (const KernelLibrary& library : libraries) {
    // By their order: their names may differ between machines.
    identity.libraries.push_back(fmt::format("library {}: {}", identity.libraries.size() + 1,
                                             digest_text(library.file.sum)));
    for (const FileDigest& dependency : library.dependencies) {
      identity.dependencies.push_back(
          fmt::format("{}: {}", one_line(fs::path(dependency.path).filename().string()),
                      digest_text(dependency.sum)));
    }
  }
  identity.program = program_items();
  identity.machine = processor_items();
  identity.environment = environment_items();
  return identity;
}

std::string to_text(const AuditIdentity& identity) {
  // Paths need not be UTF-8; what is not stands for itself well enough to be compared.
  return nlohmann::json(identity).dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
}

AuditIdentity identity_from(const std::string& text) {
  try {
    return nlohmann::json::parse(text).get<AuditIdentity>();
  } catch (const nlohmann::json::exception& error) {
    throw UsageError(
        fmt::format("the unfinished audit does not say what it was ({}); start it anew",
                    one_line(error.what())));
  }
}

void require_unchanged(const std::vector<KernelLibrary>& libraries) {
  for (const KernelLibrary& library : libraries) {
    const std::string file = library.changed_file(true);
    if (file.empty()) continue;
    throw InputsChanged(fmt::format(
        "'{}' was written or replaced while its kernels were run, and nobody can say which of its "
        "contents gave which result: no report is written; run it again",
        one_line(file)));
  }
}

void require_same(const AuditIdentity& kept, const AuditIdentity& now) {
  for (const Surrounding& row : surroundings()) {
    const Items then = row.of(kept), here = row.of(now);
    if (then == here) continue;
    throw UsageError(
        fmt::format("the unfinished audit cannot be resumed: {} has changed since ({}; now {}); "
                    "start it anew with: {}",
                    row.what, only_in(then, here), only_in(here, then), one_line(kept.command)));
  }
}

}  // namespace assay::cli
