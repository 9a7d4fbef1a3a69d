// Audits every planted fault and every permitted variant, and says how many of them came out right.
// ci/score.sh builds and runs it.
#include <fmt/format.h>
#include <fnmatch.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>

#include "audit/cli/duration.h"
#include "audit/score/floor.h"
#include "audit/score/processes.h"
#include "audit/score/table.h"
#include "audit/worker/stop_signals.h"
#include "reports/file_set.h"

namespace assay::score {
namespace {

constexpr int kFell = 1;
constexpr int kBadArguments = 2;
constexpr int kNotEnded = 3;
constexpr const char* kFloor = ASSAY_SOURCE_DIR "/audit/score/floor.txt";

struct Arguments {
  Effort effort = Effort::kStandard;
  std::uint64_t seed = 1;
  unsigned processes = 1;
  std::string time_budget;
  std::vector<std::string> only;
  std::filesystem::path out;
  bool list = false;
  bool write_floor = false;
};

std::vector<Mutant> chosen(const std::vector<std::string>& only) {
  std::vector<Mutant> cases;
  for (const auto& family :
       {cast_mutants(), window_mutants(), variant_mutants(), permitted_variants(),
        permitted_window_variants(), permitted_beside_scalar()}) {
    for (const Mutant& mutant : family) {
      const bool wanted = only.empty() || std::ranges::any_of(only, [&](const std::string& glob) {
                            return fnmatch(glob.c_str(), mutant.name.c_str(), 0) == 0;
                          });
      if (wanted) cases.push_back(mutant);
    }
  }
  return cases;
}

void write(const Arguments& arguments, const Table& table) {
  const std::vector<RenderedFile> files = {{"score.md", markdown_text(table)},
                                           {"score.json", json_text(table).dump(2) + "\n"}};
  for (const std::filesystem::path& path : write_files(arguments.out, files)) {
    fmt::print("  written: {}\n", path.string());
  }
}

int run(const Arguments& arguments) {
  const std::vector<Mutant> cases = chosen(arguments.only);
  if (cases.empty()) {
    fmt::print(stderr, "score: no case matches --only; --list prints their names\n");
    return kBadArguments;
  }
  if (arguments.list) {
    for (const Mutant& mutant : cases) {
      fmt::print("{:<46} {:<21} {}\n", mutant.name,
                 mutant.claim.empty() ? "(permitted)" : mutant.claim, mutant.what);
    }
    return 0;
  }
  if (!arguments.out.empty()) check_writable(arguments.out);
  Table table;
  table.effort = arguments.effort;
  table.seed = arguments.seed;
  table.mutants = cases;
  table.floor = read_floor(kFloor);

  AuditOptions options;
  options.effort = arguments.effort;
  options.seed = arguments.seed;
  options.hang_after = std::chrono::seconds(5);
  ProcessOptions processes{arguments.processes, {}};
  const auto start = std::chrono::steady_clock::now();
  if (!arguments.time_budget.empty()) {
    processes.deadline = start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                     cli::duration_from(arguments.time_budget));
  }
  std::size_t ended = 0;
  processes.done = [&](const Scored& score) {
    fmt::print("[{}/{}] {:<46} {} ({:.1f} s)\n", ++ended, cases.size(), score.name,
               to_string(score.outcome), score.seconds);
    std::fflush(stdout);
  };
  const StopSignals signals;
  table.scores = score_all(cases, options, processes);
  table.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  fmt::print("Score at effort {}, seed {}\n{}", to_string(table.effort), table.seed,
             console_text(table));
  if (!arguments.out.empty()) write(arguments, table);
  if (arguments.write_floor) {
    const RenderedFile file{"floor.txt", floor_text(table.floor, table.scores, table.effort)};
    write_files(std::filesystem::path(kFloor).parent_path(), {&file, 1});
    fmt::print("  written: {}\n", kFloor);
    return 0;
  }
  for (const std::string& line : above_floor(table.floor, table.scores, table.effort)) {
    fmt::print("  better than the floor: {}\n", line);
  }
  const std::vector<std::string> worse =
      below_floor(table.floor, table.scores, table.effort, arguments.only.empty());
  for (const std::string& line : worse) fmt::print("  BELOW THE FLOOR: {}\n", line);
  const bool unfinished = std::ranges::any_of(table.scores, [](const Scored& score) {
    return score.outcome == Outcome::kNotRun || score.outcome == Outcome::kFailed;
  });
  const bool fell = std::ranges::any_of(table.scores, [&](const Scored& score) {
    return score.outcome != Outcome::kNotRun && score.outcome != Outcome::kFailed &&
           !below_floor(table.floor, {score}, table.effort, false).empty();
  });
  if (fell || (!worse.empty() && !unfinished)) {
    fmt::print("  to run one again: ci/score.sh --effort {} --seed {} --only NAME\n",
               to_string(table.effort), table.seed);
    return kFell;
  }
  return unfinished ? kNotEnded : 0;
}

int main_of(int argc, char** argv) {
  Arguments arguments;
  CLI::App app(
      "The score of planted faults: how many an audit refutes, and how many it should not");
  const std::map<std::string, Effort> efforts = {{"quick", Effort::kQuick},
                                                 {"standard", Effort::kStandard},
                                                 {"exhaustive", Effort::kExhaustive}};
  app.add_option("--effort", arguments.effort, "quick, standard (default) or exhaustive")
      ->transform(CLI::Transformer(efforts).description(""))
      ->check(CLI::IsMember({0, 1, 2}).description(""));
  app.add_option("--seed", arguments.seed, "Of the audits (1)");
  app.add_option("--processes", arguments.processes, "Audits side by side (1)")
      ->check(CLI::Range(1u, 1024u));
  app.add_option("--time-budget", arguments.time_budget,
                 "90s, 1.5min, 2h: what is not begun by then is shown as not run");
  app.add_option("--only", arguments.only, "Glob of names (may be repeated)")
      ->allow_extra_args(false);
  app.add_option("--out", arguments.out, "Folder for score.md and score.json");
  app.add_flag("--list", arguments.list, "Print the names, and audit nothing");
  app.add_flag("--write-floor", arguments.write_floor,
               "Write the floor anew from this run, which must be of all cases");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kBadArguments;
  }
  if (arguments.write_floor && !arguments.only.empty()) {
    fmt::print(stderr, "score: --write-floor is for all cases, without --only\n");
    return kBadArguments;
  }
  try {
    return run(arguments);
  } catch (const UsageError& error) {
    fmt::print(stderr, "score: {}\n", error.what());
    return kBadArguments;
  }
}

}  // namespace
}  // namespace assay::score

int main(int argc, char** argv) {
  try {
    return assay::score::main_of(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "score: {}\n", error.what());
    return assay::score::kNotEnded;
  }
}
