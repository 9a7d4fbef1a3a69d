// The table of benchmarks: figures as ratios of what is run in turns within this run, each with its
// target. ci/bench.sh builds and runs it.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fnmatch.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string>

#include "audit/benchmarks/rows.h"
#include "audit/benchmarks/run.h"
#include "audit/benchmarks/table.h"
#include "reports/file_set.h"

namespace assay::benchmarks {
namespace {

constexpr int kMissed = 1;
constexpr int kBadArguments = 2;
constexpr int kNotRun = 3;

int run_rows(int argc, char** argv) {
  bool check = false;
  bool list = false;
  std::filesystem::path json_file;
  std::vector<std::string> only;
  CLI::App app("Speed of assay, as ratios within one run");
  app.add_flag("--check", check, "Exit status 1 when a target is missed or a row fails");
  app.add_option("--json", json_file, "Write the figures to this file as well");
  app.add_option("--only", only, "Glob of row names (may be repeated)")->allow_extra_args(false);
  app.add_flag("--list", list, "Print the rows' names, and measure nothing");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kBadArguments;
  }

  Rows rows;
  for (Row& row : all_rows()) {
    const bool wanted = only.empty() || std::any_of(only.begin(), only.end(), [&](const auto& g) {
                          return fnmatch(g.c_str(), row.name.c_str(), 0) == 0;
                        });
    if (wanted) rows.push_back(std::move(row));
  }
  if (rows.empty()) {
    fmt::print(stderr, "no row matches --only; --list prints their names\n");
    return kBadArguments;
  }
  if (list) {
    for (const Row& row : rows) fmt::print("{}\n", row.name);
    return 0;
  }

  // Before minutes of work whose result could not be kept.
  if (!json_file.empty()) check_writable(json_file.parent_path());
  const std::vector<Measured> measured = run(rows);
  fmt::print("{}", table(measured));
  const auto missed = std::count_if(measured.begin(), measured.end(),
                                    [](const Measured& one) { return one.missed(); });
  const auto skipped = std::count_if(measured.begin(), measured.end(),
                                     [](const Measured& one) { return !one.skipped.empty(); });
  fmt::print("{} rows, {} missed, {} skipped\n", measured.size(), missed, skipped);
  if (!json_file.empty()) {
    const RenderedFile file{json_file.filename().string(), json(measured)};
    write_files(json_file.parent_path(), {&file, 1});
  }
  return check && missed > 0 ? kMissed : 0;
}

}  // namespace
}  // namespace assay::benchmarks

int main(int argc, char** argv) {
  int none = 1;
  benchmark::Initialize(&none, argv);
  try {
    return assay::benchmarks::run_rows(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "benchmarks: {}\n", error.what());
    return assay::benchmarks::kNotRun;
  }
}
