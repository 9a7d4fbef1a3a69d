// Units that ran in several shards end as they would have in one run, and nothing runs again.
#include <unistd.h>

#include <string>

#include "audit/testing/folder.h"
#include "audit/worker/pool.h"
#include "contracts/testing/catch.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

using testing::Folder;

constexpr std::size_t kUnits = 12;

struct Run {
  SharedArray<std::uint64_t> results{kUnits};
  SharedArray<std::atomic<int>> starts{kUnits};
  PoolResult result;
};

/// Runs the units that `mine` names, by their numbers: unit 4 crashes, 5 fails, the others give
/// their number squared. Every unit is a group of its own.
void go(Run& run, Checkpoint& checkpoint, const std::vector<std::uint64_t>& mine,
        bool in_time = true) {
  std::vector<UnitKeys> keys;
  for (std::uint32_t u = 0; u < mine.size(); ++u) keys.push_back({u, u});
  PoolOptions options;
  options.workers = 2;
  options.checkpoint = &checkpoint;
  options.stage = "squares";
  options.keep_all = !checkpoint.is_closed();
  if (!in_time) options.deadline = std::chrono::steady_clock::now();
  options.id = [&](std::size_t u) { return mine[u]; };
  options.results = [&](std::size_t u) -> ResultBytes {
    return {result_bytes(run.results[mine[u]])};
  };
  run.result = run_in_workers(keys, options, [&](std::size_t u, Heartbeat& heartbeat) {
    const std::uint64_t unit = mine[u];
    heartbeat.at(100 + unit);
    ++run.starts[unit];
    if (unit == 4) _exit(5);
    if (unit == 5) throw std::runtime_error("no luck");
    run.results[unit] = unit * unit;
  });
}

std::vector<std::uint64_t> every(std::uint64_t first, std::uint64_t step) {
  std::vector<std::uint64_t> units;
  for (std::uint64_t unit = first; unit < kUnits; unit += step) units.push_back(unit);
  return units;
}

/// The file of the shard that has each third unit from `first` on.
Checkpoint shard(const Folder& folder, std::uint64_t first, bool in_time = true) {
  const fs::path path = folder.path() / std::to_string(first);
  {
    Checkpoint checkpoint = Checkpoint::create(path, "audit");
    Run run;
    go(run, checkpoint, every(first, 3), in_time);
    checkpoint.end(in_time ? "" : "late");
  }
  return Checkpoint::read(path);
}

Checkpoint joined(Checkpoint a, Checkpoint b, Checkpoint c) {
  std::vector<Checkpoint> all;
  all.push_back(std::move(a));
  all.push_back(std::move(b));
  all.push_back(std::move(c));
  return Checkpoint::join(std::move(all));
}

TEST_CASE("shards together give what one run gives, in any order, and run nothing") {
  const Folder folder;
  Checkpoint alone = Checkpoint::create(folder.path() / "alone", "audit");
  Run due;
  go(due, alone, every(0, 1));
  Checkpoint all = joined(shard(folder, 2), shard(folder, 0), shard(folder, 1));
  Run merged;
  go(merged, all, every(0, 1));
  CHECK_FALSE(merged.result.out_of_time);
  for (std::size_t unit = 0; unit < kUnits; ++unit) {
    CAPTURE(unit);
    CHECK(merged.starts[unit].load() == 0);
    CHECK(merged.results[unit] == due.results[unit]);
    CHECK(merged.result.units[unit].state == due.result.units[unit].state);
    CHECK(merged.result.units[unit].place == due.result.units[unit].place);
    CHECK(merged.result.units[unit].what == due.result.units[unit].what);
  }
  CHECK(merged.result.units[4].state == UnitState::kCrashed);
  CHECK(merged.result.units[5].state == UnitState::kFailed);
  CHECK_FALSE(all.has_more());
}

TEST_CASE("what a shard had no time for was not run, and is not run now") {
  const Folder folder;
  Checkpoint all = joined(shard(folder, 0), shard(folder, 1, false), shard(folder, 2));
  Run merged;
  go(merged, all, every(0, 1));
  for (std::size_t unit = 0; unit < kUnits; ++unit) {
    CAPTURE(unit);
    CHECK(merged.starts[unit].load() == 0);
    CHECK((merged.result.units[unit].state == UnitState::kNotStarted) == (unit % 3 == 1));
  }
}

TEST_CASE("units that failed in a shard are tried again when it is taken up") {
  const Folder folder;
  shard(folder, 2);
  Checkpoint again = Checkpoint::open(folder.path() / "2");
  Run run;
  go(run, again, every(2, 3));
  for (const std::uint64_t unit : every(2, 3)) {
    CAPTURE(unit);
    CHECK(run.starts[unit].load() == (unit == 5 ? 1 : 0));
  }
}

/// What becomes of the audit of `units` with these shards.
std::string refused(Checkpoint all, const std::vector<std::uint64_t>& units) {
  Run merged;
  try {
    go(merged, all, units);
    return {};
  } catch (const UnfitRecord& error) {
    return error.what();
  }
}

TEST_CASE("records of other units than the audit has are refused") {
  const Folder folder;
  const auto has = [](const std::string& text, const char* words) {
    return text.find(words) != std::string::npos;
  };
  const auto two = [&] {
    std::vector<Checkpoint> some;
    some.push_back(shard(folder, 0));
    some.push_back(shard(folder, 1));
    return Checkpoint::join(std::move(some));
  };
  CHECK(has(refused(two(), every(0, 1)), "nothing about unit 2"));
  CHECK(has(refused(two(), every(0, 3)), "more units than the audit has"));
  // Results of another size, states that are none, and one that no unit ends in.
  for (const KeptUnit& odd :
       {KeptUnit{2, 0, 0, "", "12345"}, KeptUnit{2, 0, 0, "", "123456789"},
        KeptUnit{1, 0, 0, "", ""}, KeptUnit{0, 0, 0, "", ""}, KeptUnit{99, 0, 0, "", ""}}) {
    const fs::path path = folder.path() / "odd";
    {
      Checkpoint made = Checkpoint::create(path, "audit");
      made.keep("squares", 0, odd);
      made.end("");
    }
    std::vector<Checkpoint> one;
    one.push_back(Checkpoint::read(path));
    CHECK(has(refused(Checkpoint::join(std::move(one)), {0}), "unit 0 is of another kind"));
  }
}

}  // namespace
}  // namespace assay
