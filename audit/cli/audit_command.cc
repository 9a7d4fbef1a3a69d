// assay audit
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "audit/audit.h"
#include "audit/bind.h"
#include "audit/cli/audit_arguments.h"
#include "audit/cli/commands.h"
#include "audit/cli/duration.h"
#include "audit/cli/print_error.h"
#include "audit/cli/print_out.h"
#include "audit/cli/progress.h"
#include "audit/cli/reading.h"
#include "audit/cli/report_options.h"
#include "audit/cli/run_options.h"
#include "audit/cli/unfinished.h"
#include "audit/worker/checkpoint.h"
#include "audit/worker/plugins.h"
#include "audit/worker/stop_signals.h"
#include "contracts/command_words.h"
#include "contracts/unicode.h"
#include "kernels/registry.h"
#include "reports/file_set.h"
#include "reports/rollup.h"

namespace assay::cli {

namespace fs = std::filesystem;

namespace {

AuditOptions options_from(const AuditArguments& arguments, const std::string& command) {
  AuditOptions options = options_from(static_cast<const RunArguments&>(arguments), command);
  options.hang_after = std::chrono::seconds(arguments.hang_after);
  if (!arguments.time_budget.empty()) options.time_budget = duration_from(arguments.time_budget);
  options.shard = shard_of(arguments);
  if (options.shard.is_part() && arguments.seed == "random") {
    throw UsageError("all shards need the same seed: give --seed a number");
  }
  return options;
}

void warn(const std::string& text) {
  print_error("assay: warning: {}\n", text);
}

/// Where the finished work of these arguments' audit is kept.
fs::path kept_path(const AuditArguments& arguments) {
  return arguments.shard.empty() ? checkpoint_path(arguments.out) : shard_path(arguments.out);
}

/// Whether a file holds an audit that can be gone on with.
bool is_unfinished(const fs::path& path) {
  std::error_code unknown;
  if (!fs::exists(path, unknown)) return false;
  try {
    const std::optional<std::string> end = Checkpoint::read(path).ended();
    return !end || !end->empty();
  } catch (const std::runtime_error&) {
    return true;  // nobody can say
  }
}

/// Refuses a folder that has a whole audit's kept work where a shard is to begin, or the reverse:
/// neither the folder's reports nor a later --resume could be told to be of one or the other.
void require_no_other(const AuditArguments& arguments) {
  const bool is_shard = !arguments.shard.empty();
  const fs::path other = is_shard ? checkpoint_path(arguments.out) : shard_path(arguments.out);
  std::error_code unknown;
  if (!fs::exists(fs::symlink_status(other, unknown))) return;
  throw UsageError(fmt::format(
      "'{}' has {} ({}), which {}; choose another folder with --out, or remove that file to give "
      "it "
      "up",
      arguments.out, is_shard ? "an unfinished audit" : "a shard of an audit", other.string(),
      is_shard ? "`assay audit --resume` goes on with" : "`assay merge` needs"));
}

/// A new checkpoint, or nothing where the folder takes none: an audit can do without, a shard
/// cannot.
std::unique_ptr<Checkpoint> new_checkpoint(const AuditIdentity& identity) {
  require_no_other(identity.arguments);
  const fs::path path = kept_path(identity.arguments);
  if (is_unfinished(path)) {
    warn(
        fmt::format("the unfinished audit in {} is given up for this one; `assay audit --resume` "
                    "would have gone on with it",
                    identity.arguments.out));
  }
  try {
    return std::make_unique<Checkpoint>(Checkpoint::create(path, to_text(identity)));
  } catch (const std::system_error& error) {
    if (!identity.arguments.shard.empty()) {
      throw AuditError(fmt::format("the shard could not be merged later: {}", error.what()));
    }
    warn(fmt::format("finished work is not kept for a later --resume: {}", error.what()));
    return nullptr;
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

void show_resume(const AuditArguments& arguments) {
  print_error("assay: finished work is kept; go on with: assay audit --resume {}\n",
              shell_quoted(path_word(arguments.out)));
}

/// The last words about a shard, and its exit status.
int end_shard(const Checkpoint& checkpoint, const AuditArguments& arguments, int status) {
  const std::string shard = to_string(shard_of(arguments));
  if (!checkpoint.failure().empty()) {
    print_error("assay: {} cannot be merged, since not all of its work is kept: {}\n", shard,
                checkpoint.failure());
  } else if (arguments.quiet) {
    return status == 1 ? 1 : 3;
  } else if (checkpoint.ended() && checkpoint.ended()->empty()) {
    print_error("assay: {} is done and kept in '{}'; once all are: assay merge DIR...\n", shard,
                shard_path(arguments.out).string());
  } else {
    show_resume(arguments);
  }
  return status == 1 ? 1 : 3;
}

/// Audits, reports, and returns the exit status. `checkpoint`: that of an earlier run, if there
/// was one.
int run_audit(AuditArguments arguments, const std::string& command,
              std::unique_ptr<Checkpoint> checkpoint) {
  // From here on a signal asks for an early end, with reports of what is done by then.
  const StopSignals signals;
  AuditOptions options = options_from(arguments, command);
  arguments.seed = std::to_string(options.seed);

  bool faulty = false;
  Reading reading;
  const std::vector<fkc::Document> documents =
      read_documents(arguments.contracts, arguments.quiet, faulty, reading);
  if (faulty) {
    print_error("assay: nothing was audited, because a contract is faulty (above)\n");
    return 2;
  }
  check_writable(arguments.out);
  const std::vector<KernelLibrary> libraries = read_libraries(arguments.kernels);
  const Registry registry = registry_with(libraries);

  AuditIdentity identity = identity_of(arguments, command, reading.digest, libraries);
  if (checkpoint) {
    const AuditIdentity kept = identity_from(checkpoint->identity());
    require_same(kept, identity);
    identity.started = kept.started;
  } else {
    // Filters that match nothing are found before anything is given up for this audit.
    static_cast<void>(assay::bind(documents, registry, options));  // not std::bind
    checkpoint = new_checkpoint(identity);
  }
  options.checkpoint = checkpoint.get();

  ProgressBar bar;
  if (!arguments.quiet) options.progress = [&](const Progress& progress) { bar.show(progress); };
  RunRecord record = [&] {
    try {
      return audit(documents, registry, options, [&] { require_unchanged(libraries); });
    } catch (const InputsChanged&) {
      if (checkpoint) checkpoint->remove();  // none of it may be taken up
      throw;
    }
  }();
  record.run.started = identity.started;
  if (checkpoint) record.run.seconds += checkpoint->earlier_seconds();
  bar.finish();

  const std::string unwritten =
      report_record(record, arguments.out, arguments.formats, arguments.quiet);
  const int status = exit_status(record);
  if (!unwritten.empty()) {
    print_error("assay: the reports were not written: {}\n", unwritten);
  }
  if (options.shard.is_part()) return end_shard(*checkpoint, arguments, status);
  if (checkpoint && !checkpoint->failure().empty()) {
    warn(fmt::format("not all finished work is kept for a later --resume: {}",
                     checkpoint->failure()));
  }
  if (unwritten.empty() && record.run.complete) {
    if (checkpoint) checkpoint->remove();
    return status;
  }
  if (checkpoint && checkpoint->failure().empty() && !arguments.quiet) show_resume(arguments);
  return status == 1 ? 1 : 3;
}

/// Takes up the audit whose checkpoint is in `folder`. `asked` has those options that may change
/// from run to run, where `given` says that they were given.
int resume_audit(const std::string& folder, const AuditArguments& asked,
                 const std::function<bool(const char*)>& given) {
  std::error_code unknown;
  const bool shard = fs::exists(shard_path(folder), unknown);
  if (shard && fs::exists(checkpoint_path(folder), unknown)) {
    throw UsageError(
        fmt::format("--resume: '{}' has both an unfinished audit (audit.checkpoint) and a shard of "
                    "one (audit.shard): move the one that is not meant to another folder",
                    folder));
  }
  const fs::path path =
      fs::absolute(shard ? shard_path(folder) : checkpoint_path(folder)).lexically_normal();
  if (shard && !is_unfinished(path)) {
    throw UsageError(fmt::format(
        "--resume: the shard in '{}' has come to its end; `assay merge` joins it with the others",
        folder));
  }
  if (!fs::exists(path, unknown)) {
    throw UsageError(fmt::format(
        "--resume: there is no unfinished audit in '{}': audits that come to their end leave none "
        "({} is missing)",
        folder, path.string()));
  }
  std::unique_ptr<Checkpoint> checkpoint;
  try {
    checkpoint = std::make_unique<Checkpoint>(Checkpoint::open(path));
  } catch (const std::runtime_error& error) {
    throw UsageError(std::string("--resume: ") + error.what());
  }
  const AuditIdentity kept = identity_from(checkpoint->identity());
  AuditArguments arguments = kept.arguments;
  if (given("--threads")) arguments.threads = asked.threads;
  if (given("--time-budget")) arguments.time_budget = asked.time_budget;
  if (given("--hang-after")) arguments.hang_after = asked.hang_after;
  arguments.quiet = asked.quiet;
  std::error_code error;
  fs::current_path(kept.folder, error);
  if (error) {
    throw UsageError(fmt::format("--resume: the audit ran in '{}', which cannot be entered: {}",
                                 one_line(kept.folder), error.message()));
  }
  // Known by a name that holds in both folders; it may have been moved, too.
  arguments.out = path.parent_path().string();
  return run_audit(std::move(arguments), kept.command, std::move(checkpoint));
}

}  // namespace

void add_audit_command(CLI::App& app, const std::string& command, std::function<int()>& run) {
  auto arguments = std::make_shared<AuditArguments>();
  auto folder = std::make_shared<std::string>();
  arguments->formats = all_formats();
  CLI::App* audit = app.add_subcommand("audit", "Audit kernels against their contracts");
  audit->add_option("CONTRACT", arguments->contracts, "contract documents, or folders of them");
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
  add_run_options(*audit, *arguments);
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
      ->check([](const std::string& out) {
        return out.empty() ? std::string("name a folder") : std::string();
      })
      ->type_name("DIR")
      ->capture_default_str();
  add_format_option(*audit, arguments->formats);
  audit
      ->add_option("--shard", arguments->shard,
                   "run the K-th of N parts only; `assay merge` makes one report of all, which are "
                   "run with the same options")
      ->type_name("K/N")
      ->allow_extra_args(false);
  audit->add_flag("--quiet", arguments->quiet, "print the last line only");
  CLI::Option* resume =
      audit
          ->add_option("--resume", *folder,
                       "go on with the unfinished audit whose reports go to this folder; only "
                       "--threads, --time-budget, --hang-after and --quiet go with it")
          ->type_name("DIR")
          ->allow_extra_args(false);
  for (const char* other : {"CONTRACT", "--only", "--variant", "--kernels", "--effort", "--seed",
                            "--out", "--format", "--shard"}) {
    resume->excludes(audit->get_option(other));
  }
  audit->callback([arguments, folder, command, audit, resume, &run] {
    if (resume->count() > 0) {
      run = [arguments, folder, audit] {
        return resume_audit(*folder, *arguments,
                            [audit](const char* name) { return audit->count(name) > 0; });
      };
      return;
    }
    if (arguments->contracts.empty()) throw CLI::RequiredError("CONTRACT");
    run = [arguments, command] { return run_audit(*arguments, command, nullptr); };
  });
}

}  // namespace assay::cli
