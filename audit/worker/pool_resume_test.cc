// Work that is over outlives its pool, a worker's death from outside costs nothing, and results
// that a stray write has changed are no results.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "audit/testing/folder.h"
#include "audit/worker/pool.h"
#include "contracts/testing/catch.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

using std::chrono::milliseconds;
using testing::Folder;

constexpr std::size_t kUnits = 40;

struct Result {
  std::uint64_t square = 0;
  std::uint64_t runs = 0;  ///< counted up, so that a second run over old contents shows
};

/// Two groups of units, each a family of its own; a unit's result is its number squared.
struct Work {
  std::function<void(std::size_t)> before = [](std::size_t) {};
  std::function<void(std::size_t)> after = [](std::size_t) {};
  SharedArray<Result> results{kUnits};
  SharedArray<std::atomic<int>> starts{kUnits};

  PoolResult go(Checkpoint* checkpoint, PoolOptions options = {}) {
    std::vector<UnitKeys> keys;
    for (std::uint32_t unit = 0; unit < kUnits; ++unit) keys.push_back({unit % 2, unit % 2});
    options.workers = 2;
    options.results = [this](std::size_t unit) -> ResultBytes {
      return {result_bytes(results[unit].square), result_bytes(results[unit].runs)};
    };
    options.checkpoint = checkpoint;
    options.stage = "squares";
    return run_in_workers(keys, options, [this](std::size_t unit, Heartbeat& heartbeat) {
      heartbeat.at(100 + unit);
      ++starts[unit];
      ++results[unit].runs;
      before(unit);
      results[unit].square = unit * unit;
      heartbeat.did(1);
      after(unit);
    });
  }

  void check_all() const {
    for (std::size_t unit = 0; unit < kUnits; ++unit) {
      CHECK(results[unit].square == unit * unit);
      CHECK(results[unit].runs == 1);
    }
  }
};

/// The same file, as another process would find it.
Checkpoint reopened(Checkpoint open, const fs::path& path) {
  { const Checkpoint closed = std::move(open); }
  return Checkpoint::open(path);
}

std::size_t count(const PoolResult& result, UnitState state) {
  std::size_t found = 0;
  for (const UnitOutcome& unit : result.units) found += unit.state == state;
  return found;
}

/// Results whose second piece is there only where the first says so, as in `Work` otherwise.
struct SparseResult {
  bool more = false;
  std::uint64_t detail = 0;
};

TEST_CASE("a piece of results that only some units have is kept, and only for them") {
  const Folder folder;
  const fs::path path = folder.path() / "checkpoint";
  SharedArray<SparseResult> results(kUnits);
  PoolOptions options;
  options.workers = 2;
  options.stage = "sparse";
  options.results = [&](std::size_t unit) {
    ResultBytes bytes{result_bytes(results[unit].more)};
    if (results[unit].more) bytes.push_back(result_bytes(results[unit].detail));
    return bytes;
  };
  const std::vector<UnitKeys> keys(kUnits);
  const auto work = [&](std::size_t unit, Heartbeat&) {
    results[unit].more = unit % 3 == 0;
    if (results[unit].more) results[unit].detail = unit + 1;
  };
  Checkpoint first = Checkpoint::create(path, "audit");
  options.checkpoint = &first;
  run_in_workers(keys, options, work);

  for (std::size_t unit = 0; unit < kUnits; ++unit) results[unit] = SparseResult{};
  Checkpoint second = reopened(std::move(first), path);
  options.checkpoint = &second;
  const PoolResult again =
      run_in_workers(keys, options, [](std::size_t, Heartbeat&) { throw std::logic_error("ran"); });
  CHECK(count(again, UnitState::kDone) == kUnits);
  for (std::size_t unit = 0; unit < kUnits; ++unit) {
    CAPTURE(unit);
    CHECK(results[unit].more == (unit % 3 == 0));
    CHECK(results[unit].detail == (unit % 3 == 0 ? unit + 1 : 0));
  }
}

TEST_CASE("what was done before a stop is not done again") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  std::size_t done = 0;
  {
    Checkpoint checkpoint = Checkpoint::create(path, "");
    Work work;
    work.before = [](std::size_t) { std::this_thread::sleep_for(milliseconds(2)); };
    PoolOptions options;
    options.deadline = std::chrono::steady_clock::now() + milliseconds(20);
    const PoolResult result = work.go(&checkpoint, options);
    done = count(result, UnitState::kDone);
    REQUIRE(result.out_of_time);
    REQUIRE(done > 0);
    REQUIRE(done < kUnits);
  }
  Checkpoint checkpoint = Checkpoint::open(path);
  Work work;
  std::uint64_t progress = 0;
  PoolOptions options;
  options.progress = [&](std::uint64_t work_done) { progress = work_done; };
  const PoolResult result = work.go(&checkpoint, options);
  CHECK(count(result, UnitState::kDone) == kUnits);
  CHECK_FALSE(result.out_of_time);
  CHECK(progress == kUnits);
  work.check_all();
  std::size_t started = 0;
  for (std::size_t unit = 0; unit < kUnits; ++unit) started += work.starts[unit].load();
  CHECK(started == kUnits - done);
}

TEST_CASE("the death of the whole program costs the units under way only") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  const pid_t program = fork();
  if (program == 0) {
    Checkpoint checkpoint = Checkpoint::create(path, "");
    Work work;
    // The first units end; the others wait for the end of the program.
    work.before = [](std::size_t unit) {
      while (unit >= 10) pause();
    };
    work.go(&checkpoint);
    _exit(0);
  }
  // Until there is as much as there will be.
  for (std::uintmax_t size = 0, same = 0; same < 100;) {
    std::this_thread::sleep_for(milliseconds(2));
    std::error_code error;
    const std::uintmax_t now = fs::file_size(path, error);
    same = !error && now == size && now > 200 ? same + 1 : 0;
    size = error ? 0 : now;
  }
  kill(program, SIGKILL);
  waitpid(program, nullptr, 0);
  Checkpoint checkpoint = Checkpoint::open(path);
  Work work;
  CHECK(count(work.go(&checkpoint), UnitState::kDone) == kUnits);
  work.check_all();
  for (std::size_t unit = 0; unit < kUnits; ++unit) {
    CHECK(work.starts[unit].load() == (unit < 10 ? 0 : 1));
  }
}

TEST_CASE("a crash is kept: it ends its group again, and its place is known") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  for (const bool first : {true, false}) {
    std::optional<Checkpoint> checkpoint;
    if (first) {
      checkpoint.emplace(Checkpoint::create(path, ""));
    } else {
      checkpoint.emplace(Checkpoint::open(path));
    }
    Work work;
    work.before = [](std::size_t unit) {
      if (unit == 6) _exit(5);
      std::this_thread::sleep_for(milliseconds(1));
    };
    const PoolResult result = work.go(&*checkpoint);
    CHECK(result.units[6].state == UnitState::kCrashed);
    CHECK(result.units[6].what == "exited with status 5");
    CHECK(result.units[6].place == 106);
    CHECK(result.units[38].state == UnitState::kSkipped);
    CHECK(result.units[39].state == UnitState::kDone);
    CHECK(work.starts[6].load() == (first ? 1 : 0));
  }
}

TEST_CASE("records of other work, of another size or of no known state are not taken up") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  {
    Checkpoint made = Checkpoint::create(path, "");
    const auto done = static_cast<std::uint8_t>(UnitState::kDone);
    made.keep("squares", 1, {.state = done, .what = "", .results = "short"});
    made.keep("squares", 2, {.state = 200, .what = "", .results = std::string(16, 'x')});
    made.keep("squares", kUnits, {.state = done, .what = "", .results = std::string(16, 'x')});
    made.keep("cubes", 3, {.state = done, .what = "", .results = std::string(16, 'x')});
  }
  Checkpoint checkpoint = Checkpoint::open(path);
  Work work;
  CHECK(count(work.go(&checkpoint), UnitState::kDone) == kUnits);
  work.check_all();
}

TEST_CASE("results go to the unit that they were kept for, whatever its place") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  const auto run = [&](Checkpoint checkpoint, const std::vector<std::uint64_t>& ids) {
    SharedArray<std::uint64_t> results(ids.size());
    SharedArray<std::atomic<int>> started(1);
    PoolOptions options;
    options.results = [&](std::size_t unit) -> ResultBytes {
      return {result_bytes(results[unit])};
    };
    options.checkpoint = &checkpoint;
    options.stage = "ids";
    options.id = [&](std::size_t unit) { return ids[unit]; };
    run_in_workers(std::vector<UnitKeys>(ids.size()), options, [&](std::size_t unit, Heartbeat&) {
      results[unit] = ids[unit] * ids[unit];
      ++started[0];
    });
    for (std::size_t unit = 0; unit < ids.size(); ++unit) {
      CHECK(results[unit] == ids[unit] * ids[unit]);
    }
    return started[0].load();
  };
  CHECK(run(Checkpoint::create(path, ""), {1, 3, 4}) == 3);
  CHECK(run(Checkpoint::open(path), {1, 2, 3, 4, 5}) == 2);
}

TEST_CASE("no unit is started when there is no time left") {
  Work work;
  PoolOptions options;
  options.deadline = std::chrono::steady_clock::now();
  const PoolResult result = work.go(nullptr, options);
  CHECK(result.out_of_time);
  CHECK(count(result, UnitState::kNotStarted) == kUnits);
}

TEST_CASE("a worker that is killed from outside has its unit done by the next") {
  Work work;
  work.before = [&](std::size_t unit) {
    if (unit == 4 && work.starts[unit].load() == 1) kill(getpid(), SIGKILL);
  };
  const PoolResult result = work.go(nullptr);
  CHECK(count(result, UnitState::kDone) == kUnits);
  CHECK(work.starts[4].load() == 2);
  work.check_all();
}

TEST_CASE("a unit with which workers are killed again and again is lost, and tried again later") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  Checkpoint checkpoint = Checkpoint::create(path, "");
  Work work;
  work.before = [&](std::size_t unit) {
    if (unit == 4) kill(getpid(), SIGKILL);
  };
  const PoolResult result = work.go(&checkpoint);
  CHECK(result.units[4].state == UnitState::kCrashed);
  CHECK(result.units[4].what == "killed by SIGKILL");
  CHECK(work.starts[4].load() == 2);
  CHECK(result.units[38].state == UnitState::kSkipped);
  Work later;
  Checkpoint again = reopened(std::move(checkpoint), path);
  CHECK(count(later.go(&again), UnitState::kDone) == kUnits);
  CHECK(later.starts[4].load() == 1);
}

/// Kills some child of the process `parent`, which is not this one; false where there is none.
bool kill_a_child(pid_t parent) {
  const std::string id = std::to_string(parent);
  std::ifstream children("/proc/" + id + "/task/" + id + "/children");
  for (pid_t child = 0; children >> child;) {
    if (child != getpid()) return kill(child, SIGKILL) == 0;
  }
  return false;
}

TEST_CASE("whenever workers are killed, every unit is accounted for") {
  constexpr std::size_t kMany = 20000;
  const pid_t parent = getpid();
  const pid_t killer = fork();
  if (killer == 0) {
    for (int kills = 0; kills < 40;) {
      kills += kill_a_child(parent) ? 1 : 0;
      std::this_thread::sleep_for(std::chrono::microseconds(1700 + 130 * kills));
    }
    _exit(0);
  }
  std::vector<UnitKeys> keys;
  for (std::uint32_t unit = 0; unit < kMany; ++unit) keys.push_back({unit, unit % 2});
  SharedArray<Result> results(kMany);
  PoolOptions options;
  options.workers = 2;
  options.results = [&](std::size_t unit) -> ResultBytes { return {result_bytes(results[unit])}; };
  std::size_t done = 0;
  while (waitpid(killer, nullptr, WNOHANG) == 0) {
    for (std::size_t unit = 0; unit < kMany; ++unit) results[unit] = {};
    const PoolResult result =
        run_in_workers(keys, options, [&](std::size_t unit, Heartbeat&) { ++results[unit].runs; });
    CHECK_FALSE(result.out_of_time);
    for (std::size_t unit = 0; unit < kMany; ++unit) {
      const UnitOutcome& outcome = result.units[unit];
      if (outcome.state == UnitState::kDone) {
        ++done;
        REQUIRE(results[unit].runs == 1);
      } else {  // struck twice
        REQUIRE(outcome.state == UnitState::kCrashed);
        REQUIRE(outcome.what == "killed by SIGKILL");
      }
    }
  }
  CHECK(done > 0);
}

TEST_CASE("results that another unit overwrote are no results") {
  const Folder folder;
  const fs::path path = folder.path() / "c";
  Checkpoint checkpoint = Checkpoint::create(path, "");
  Work work;
  work.after = [&](std::size_t unit) {
    if (unit == 30) work.results[3].square ^= 1;
  };
  const PoolResult result = work.go(&checkpoint);
  CHECK(count(result, UnitState::kDone) == kUnits - 1);
  CHECK(result.units[3].state == UnitState::kFailed);
  CHECK(result.units[3].what.find("overwritten") != std::string::npos);
}

}  // namespace
}  // namespace assay
