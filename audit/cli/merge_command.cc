// assay merge
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <system_error>
#include <thread>

#include "audit/audit.h"
#include "audit/cli/commands.h"
#include "audit/cli/print_error.h"
#include "audit/cli/reading.h"
#include "audit/cli/report_options.h"
#include "audit/cli/shards.h"
#include "audit/worker/plugins.h"
#include "audit/worker/stop_signals.h"
#include "contracts/unicode.h"
#include "kernels/registry.h"
#include "reports/file_set.h"
#include "reports/rollup.h"

namespace assay::cli {

namespace {

struct Arguments {
  std::vector<std::string> shards;
  std::vector<std::string> kernels;
  std::string out = "build/audit";
  std::vector<std::string> formats = all_formats();
  unsigned threads = available_processors();
  unsigned hang_after = AuditArguments().hang_after;
  bool quiet = false;
};

/// Refuses shards of another program, machine, contract or library than those at hand: what was
/// found is judged by them, and kernels run again to simplify what refutes a claim.
void require_here(const AuditIdentity& kept, const AuditIdentity& now) {
  for (const Surrounding& row : surroundings()) {
    const Items theirs = row.of(kept), here = row.of(now);
    if (theirs == here) continue;
    throw UsageError(fmt::format(
        "the shards cannot be merged: they and this run differ in {}: {}; here {}; merge "
        "where it is the same",
        row.what, only_in(theirs, here), only_in(here, theirs)));
  }
}

RunRecord judged(const std::vector<fkc::Document>& documents, const Registry& registry,
                 const AuditOptions& options, const std::vector<KernelLibrary>& libraries) {
  try {
    RunRecord record = audit(documents, registry, options, [&] { require_unchanged(libraries); });
    if (!options.checkpoint->has_more()) return record;
    throw UnfitRecord("they have work that the audit has not");
  } catch (const UnfitRecord& error) {
    throw UsageError(fmt::format("the shards cannot be merged: {}", error.what()));
  } catch (const std::bad_alloc&) {
    throw UsageError("the shards cannot be merged: what they hold asks for too much memory");
  }
}

int merge(const Arguments& arguments, const std::string& command) {
  const StopSignals signals;
  Shards shards = read_shards(arguments.shards);
  AuditArguments kept = shards.identity.arguments;
  // A library runs as part of this program, so that a shard's word for it is not enough.
  if (kept.kernels.size() != arguments.kernels.size()) {
    throw UsageError(fmt::format(
        "the shards cannot be merged: they were run with {} libraries of kernels; give the same "
        "ones with --kernels",
        kept.kernels.size()));
  }
  kept.kernels = arguments.kernels;
  kept.threads = arguments.threads;
  AuditOptions options = options_from(kept, command);
  options.hang_after = std::chrono::seconds(arguments.hang_after);
  options.checkpoint = &shards.checkpoint;
  options.unfinished_shards = shards.unfinished;

  bool faulty = false;
  Reading reading{.foreign = true, .digest = {}};
  const std::vector<fkc::Document> documents =
      read_documents(kept.contracts, true, faulty, reading);
  if (faulty) {
    throw UsageError(
        fmt::format("the shards cannot be merged: their contracts cannot be read here (above); "
                    "they were run in '{}'",
                    one_line(shards.identity.folder)));
  }
  const std::vector<KernelLibrary> libraries = read_libraries(kept.kernels);
  require_here(shards.identity, identity_of(kept, command, reading.digest, libraries));
  check_writable(arguments.out);
  const Registry registry = registry_with(libraries);

  RunRecord record = judged(documents, registry, options, libraries);
  record.run.command = shards.identity.command + "; ...; " + command;
  record.run.started = shards.identity.started;
  record.run.seconds += shards.checkpoint.earlier_seconds();
  const std::string unwritten =
      report_record(record, arguments.out, arguments.formats, arguments.quiet);
  const int status = exit_status(record);
  if (unwritten.empty()) return status;
  print_error("assay: the reports were not written: {}\n", unwritten);
  return status == 1 ? 1 : 3;
}

/// Merges in a process of its own. Checksums tell damage from what an audit left, but not what a
/// hand has written: results that no kernel gives may lead the judges anywhere.
int merge_apart(const Arguments& arguments, const std::string& command) {
  const StopSignals signals;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot fork a process");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(3);
    return merge(arguments, command);
  }
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (stop_requested()) kill(child, SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  if (WTERMSIG(status) == SIGKILL) throw AuditError("the merge was killed");
  throw UsageError(fmt::format(
      "the shards cannot be merged: they hold what no audit leaves, and judging it ended in SIG{}",
      sigabbrev_np(WTERMSIG(status))));
}

}  // namespace

void add_merge_command(CLI::App& app, const std::string& command, std::function<int()>& run) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* merge_command =
      app.add_subcommand("merge", "Make one report of the shards of an audit, in any order");
  merge_command
      ->add_option("SHARD", arguments->shards,
                   "the report folder of each shard (`assay audit --shard K/N --out DIR`), or its "
                   "report.json or audit.shard")
      ->required();
  merge_command
      ->add_option("--kernels", arguments->kernels,
                   "the shared libraries that the shards were run with, in the same order")
      ->type_name("LIB.so")
      ->allow_extra_args(false);
  CLI::Option* out = merge_command->add_option("--out", arguments->out, "folder for the reports")
                         ->type_name("DIR")
                         ->capture_default_str();
  // By the name, too, that says what the folder gets; once is enough in the help.
  merge_command->add_option("--report", arguments->out)->type_name("DIR")->group("")->excludes(out);
  add_format_option(*merge_command, arguments->formats);
  merge_command
      ->add_option("--threads", arguments->threads,
                   "worker processes, which simplify what refutes a claim")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u))
      ->default_str("all processors");
  merge_command
      ->add_option("--hang-after", arguments->hang_after,
                   "seconds without an answer after which a call counts as hung")
      ->type_name("N")
      ->check(CLI::Range(1u, 86400u))
      ->capture_default_str();
  merge_command->add_flag("--quiet", arguments->quiet, "print the last line only");
  merge_command->footer(
      "Exit status: that of one audit of the whole; 2 where the shards do not fit together, one is "
      "\nmissing, or one is damaged.");
  merge_command->callback([arguments, command, &run] {
    run = [arguments, command] { return merge_apart(*arguments, command); };
  });
}

}  // namespace assay::cli
