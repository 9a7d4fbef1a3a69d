// Workers whose units misbehave cost their own group and nothing else.
#include "audit/worker/pool.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "audit/worker/stop_signals.h"
#include "contracts/testing/catch.h"

namespace assay {
namespace {

using std::chrono::milliseconds;

/// Ends the process as a failed assertion would, without the test framework's handler.
[[noreturn]] void fall_over() {
  signal(SIGABRT, SIG_DFL);
  std::abort();
}

/// Units of these groups, each group a family of its own.
std::vector<UnitKeys> in_groups(const std::vector<std::uint32_t>& groups) {
  std::vector<UnitKeys> keys;
  for (const std::uint32_t group : groups) keys.push_back({group, group});
  return keys;
}

/// Runs units; a unit's work also marks it in memory shared with the workers.
struct Run {
  explicit Run(std::size_t units) : ran(units) {}

  PoolResult go(const std::vector<std::uint32_t>& groups, const PoolOptions& options,
                const std::function<void(std::size_t, Heartbeat&)>& work) {
    return run_in_workers(in_groups(groups), options, [&](std::size_t unit, Heartbeat& heartbeat) {
      work(unit, heartbeat);
      ++ran[unit];
    });
  }
  SharedArray<int> ran;
};

/// A unit of group 0 misbehaves; there are three of group 0, then three of group 1.
PoolResult with_fault(unsigned workers, const std::function<void(Heartbeat&)>& fault) {
  PoolOptions options;
  options.workers = workers;
  options.hang_after = std::chrono::seconds{1};
  Run run(6);
  const PoolResult result =
      run.go({0, 0, 0, 1, 1, 1}, options, [&](std::size_t unit, Heartbeat& heartbeat) {
        heartbeat.at(100 + unit);
        if (unit == 1) fault(heartbeat);
        // Long enough that with several workers the fault is seen before the group is used up.
        if (workers > 1) std::this_thread::sleep_for(milliseconds(20));
      });
  for (std::size_t unit = 0; unit < 6; ++unit) {
    CHECK(run.ran[unit] == (result.units[unit].state == UnitState::kDone ? 1 : 0));
  }
  return result;
}

void check_lost(const PoolResult& result, UnitState state) {
  REQUIRE(result.units.size() == 6);
  CHECK(result.units[0].state == UnitState::kDone);
  CHECK(result.units[1].state == state);
  CHECK(result.units[2].state == UnitState::kSkipped);
  for (std::size_t unit = 3; unit < 6; ++unit) CHECK(result.units[unit].state == UnitState::kDone);
  CHECK(result.units[1].place == 101);
  CHECK_FALSE(result.interrupted);
  CHECK_FALSE(result.out_of_time);
}

TEST_CASE("units that end well are done once each, with one worker or several") {
  for (const unsigned workers : {1u, 2u, 5u}) {
    PoolOptions options;
    options.workers = workers;
    Run run(200);
    std::vector<std::uint32_t> groups(200);
    for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = static_cast<std::uint32_t>(i / 7);
    const PoolResult result = run.go(groups, options, [](std::size_t, Heartbeat&) {});
    for (std::size_t unit = 0; unit < 200; ++unit) {
      REQUIRE(result.units[unit].state == UnitState::kDone);
      REQUIRE(run.ran[unit] == 1);
    }
    CHECK_FALSE(result.out_of_time);
  }
}

TEST_CASE("no units, no workers") {
  CHECK(run_in_workers({}, {}, [](std::size_t, Heartbeat&) { fall_over(); }).units.empty());
}

TEST_CASE("a unit that aborts costs its group only") {
  const PoolResult result = with_fault(1, [](Heartbeat&) { fall_over(); });
  check_lost(result, UnitState::kCrashed);
  CHECK(result.units[1].what == "killed by SIGABRT");
}

TEST_CASE("a unit that writes to a forbidden page costs its group only") {
  const PoolResult result = with_fault(1, [](Heartbeat&) {
    signal(SIGSEGV, SIG_DFL);  // a sanitizer's handler would turn this into an exit
    raise(SIGSEGV);
  });
  check_lost(result, UnitState::kCrashed);
  CHECK(result.units[1].what == "killed by SIGSEGV");
}

TEST_CASE("a unit that ends its process, even in good order, costs its group only") {
  const PoolResult result = with_fault(1, [](Heartbeat&) { _exit(0); });
  check_lost(result, UnitState::kCrashed);
  CHECK(result.units[1].what == "exited with status 0");
}

TEST_CASE("a unit that hangs costs its group only, after the time allowed") {
  const auto start = std::chrono::steady_clock::now();
  const PoolResult result = with_fault(1, [](Heartbeat&) {
    for (;;) pause();
  });
  check_lost(result, UnitState::kHung);
  CHECK(result.units[1].what == "no answer for 1 s");
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::seconds{1});
}

TEST_CASE("a unit that works for long but gives signs of life is left alone") {
  const PoolResult result = with_fault(1, [](Heartbeat& heartbeat) {
    for (int i = 0; i < 14; ++i) {
      std::this_thread::sleep_for(milliseconds(100));
      heartbeat.at(101);
    }
  });
  for (const UnitOutcome& unit : result.units) CHECK(unit.state == UnitState::kDone);
}

TEST_CASE("a unit that throws has failed by the auditor's own fault; nothing is skipped") {
  const PoolResult result =
      with_fault(1, [](Heartbeat&) { throw std::runtime_error("the reason"); });
  for (std::size_t unit = 0; unit < 6; ++unit) {
    CHECK(result.units[unit].state == (unit == 1 ? UnitState::kFailed : UnitState::kDone));
  }
  CHECK(result.units[1].what == "the reason");
}

TEST_CASE("with several workers a crash still costs its group only") {
  const PoolResult result = with_fault(3, [](Heartbeat&) { fall_over(); });
  CHECK(result.units[1].state == UnitState::kCrashed);
  for (std::size_t unit = 3; unit < 6; ++unit) CHECK(result.units[unit].state == UnitState::kDone);
  // Other units of the group were under way, and ended well, or were skipped.
  for (const std::size_t unit : {0, 2}) {
    CHECK((result.units[unit].state == UnitState::kDone ||
           result.units[unit].state == UnitState::kSkipped));
  }
}

TEST_CASE("a crash ends its group, a hang its whole family") {
  // Two groups of one family, then another family.
  const std::vector<UnitKeys> keys = {{0, 0}, {0, 0}, {1, 0}, {2, 1}};
  PoolOptions options;
  options.hang_after = std::chrono::seconds{1};
  const PoolResult crashed = run_in_workers(keys, options, [](std::size_t unit, Heartbeat&) {
    if (unit == 0) fall_over();
  });
  CHECK(crashed.units[0].state == UnitState::kCrashed);
  CHECK(crashed.units[1].state == UnitState::kSkipped);
  CHECK(crashed.units[2].state == UnitState::kDone);
  CHECK(crashed.units[3].state == UnitState::kDone);
  const PoolResult hung = run_in_workers(keys, options, [](std::size_t unit, Heartbeat&) {
    while (unit == 0) std::this_thread::sleep_for(milliseconds(100));
  });
  CHECK(hung.units[0].state == UnitState::kHung);
  CHECK(hung.units[1].state == UnitState::kSkipped);
  CHECK(hung.units[2].state == UnitState::kSkipped);
  CHECK(hung.units[3].state == UnitState::kDone);
}

TEST_CASE("a job that was suspended has not hung") {
  const pid_t job = fork();
  REQUIRE(job >= 0);
  if (job == 0) {
    setpgid(0, 0);
    PoolOptions options;
    options.hang_after = std::chrono::seconds{1};
    const PoolResult result =
        run_in_workers(in_groups({0}), options, [](std::size_t, Heartbeat& heartbeat) {
          for (std::uint64_t i = 0; i < 100; ++i) {
            heartbeat.at(i);
            std::this_thread::sleep_for(milliseconds(10));
          }
        });
    _exit(result.units[0].state == UnitState::kDone ? 0 : 1);
  }
  setpgid(job, job);
  std::this_thread::sleep_for(milliseconds(300));
  kill(-job, SIGSTOP);
  std::this_thread::sleep_for(milliseconds(2500));
  kill(-job, SIGCONT);
  int status = 0;
  REQUIRE(waitpid(job, &status, 0) == job);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("every group may crash") {
  PoolOptions options;
  options.workers = 2;
  const PoolResult result = run_in_workers(in_groups({0, 1, 2, 3}), options,
                                           [](std::size_t, Heartbeat&) { fall_over(); });
  for (const UnitOutcome& unit : result.units) CHECK(unit.state == UnitState::kCrashed);
}

TEST_CASE("after the deadline no unit is started, and the account says so") {
  PoolOptions options;
  options.deadline = std::chrono::steady_clock::now() + milliseconds(150);
  std::vector<std::uint32_t> groups(100, 0);
  Run run(groups.size());
  const PoolResult result = run.go(groups, options, [](std::size_t, Heartbeat&) {
    std::this_thread::sleep_for(milliseconds(30));
  });
  CHECK(result.out_of_time);
  CHECK_FALSE(result.interrupted);
  std::size_t done = 0;
  std::size_t not_started = 0;
  for (std::size_t unit = 0; unit < groups.size(); ++unit) {
    done += result.units[unit].state == UnitState::kDone;
    not_started += result.units[unit].state == UnitState::kNotStarted;
    CHECK(run.ran[unit] == (result.units[unit].state == UnitState::kDone ? 1 : 0));
  }
  CHECK(done >= 1);
  CHECK(done + not_started == groups.size());
}

TEST_CASE("progress ends with all the work done") {
  PoolOptions options;
  options.workers = 2;
  std::uint64_t last = 0;
  bool backwards = false;
  options.progress = [&](std::uint64_t done) {
    backwards = backwards || done < last;
    last = done;
  };
  run_in_workers(std::vector<UnitKeys>(50), options,
                 [](std::size_t, Heartbeat& heartbeat) { heartbeat.did(3); });
  CHECK(last == 150);
  CHECK_FALSE(backwards);
}

/// A stop is for the whole process, so each is tried in a process of its own. True when the pool
/// ended early, said so, and no unit is lost from the account.
bool stops(const std::function<void()>& ask) {
  return run_in_child(
      [&] {
        PoolOptions options;
        options.workers = 2;
        options.progress = [&](std::uint64_t done) {
          if (done > 4) ask();  // so that some units have ended
        };
        const auto start = std::chrono::steady_clock::now();
        const PoolResult result = run_in_workers(std::vector<UnitKeys>(1000), options,
                                                 [](std::size_t, Heartbeat& heartbeat) {
                                                   heartbeat.did(1);
                                                   std::this_thread::sleep_for(milliseconds(20));
                                                 });
        std::size_t accounted = 0;
        std::size_t done = 0;
        for (const UnitOutcome& unit : result.units) {
          done += unit.state == UnitState::kDone;
          accounted += unit.state == UnitState::kDone || unit.state == UnitState::kNotStarted;
        }
        const bool early = std::chrono::steady_clock::now() - start < std::chrono::seconds{5};
        if (!result.interrupted || result.out_of_time || !early || done == 0 || done == 1000 ||
            accounted != 1000) {
          throw std::runtime_error("not stopped");
        }
      },
      std::chrono::seconds{30});
}

TEST_CASE("a pool stops when asked to") {
  CHECK(stops(request_stop));
}
TEST_CASE("a pool stops on SIGINT and SIGTERM") {
  CHECK(stops([] { raise(SIGINT); }));
  CHECK(stops([] { raise(SIGTERM); }));
}

TEST_CASE("a request to stop counts until the outermost scope ends, and no longer") {
  CHECK(run_in_child(
      [] {
        const auto ran = [] {
          return !run_in_workers(in_groups({0}), {}, [](std::size_t, Heartbeat&) {}).interrupted;
        };
        bool right = true;
        {
          const StopSignals signals;
          right = right && ran();
          raise(SIGTERM);  // between pools
          right = right && !ran() && !ran();
        }
        if (!right || stop_requested() || !ran()) throw std::runtime_error("not so");
      },
      std::chrono::seconds{20}));
}

TEST_CASE("signal handlers are as before when a pool has ended") {
  struct sigaction before = {};
  struct sigaction after = {};
  sigaction(SIGINT, nullptr, &before);
  run_in_workers(in_groups({0}), {}, [](std::size_t, Heartbeat&) {});
  sigaction(SIGINT, nullptr, &after);
  CHECK(before.sa_handler == after.sa_handler);
}

TEST_CASE("work in a child is done when it ends with status 0, and only then") {
  using std::chrono::seconds;
  SharedArray<int> seen(1);
  CHECK(run_in_child([&] { seen[0] = 7; }, seconds{20}));
  CHECK(seen[0] == 7);
  CHECK_FALSE(run_in_child([] { _exit(3); }, seconds{20}));
  CHECK_FALSE(run_in_child([] { fall_over(); }, seconds{20}));
  CHECK_FALSE(run_in_child([] { throw std::runtime_error("no"); }, seconds{20}));
  CHECK_FALSE(run_in_child([] { pause(); }, seconds{1}));
}

}  // namespace
}  // namespace assay
