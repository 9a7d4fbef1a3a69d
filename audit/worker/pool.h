// Worker processes: units of work run outside of the auditing process, so that a kernel that
// crashes, hangs or exits costs its own unit and nothing else.
//
// Workers are forked, inherit all that the caller has set up, and write results to shared memory.
// Each takes the next unit from a common counter. When a worker dies or hangs, its unit is marked,
// the units that depend on it are skipped, and a new worker takes its place. Units that are over
// can be kept in a file, and are not run again when the audit is taken up from there.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/worker/checkpoint.h"
#include "audit/worker/shared_array.h"

namespace assay {

enum class UnitState : std::uint8_t {
  kNotStarted,
  kRunning,
  kDone,
  kCrashed,  ///< the worker was killed by a signal (by SIGKILL, which comes from outside: twice),
             ///< or exited
  kHung,     ///< no sign of life for the time allowed
  kSkipped,  ///< an earlier unit of its group crashed, or one of its family hung
  kFailed,   ///< an exception inside the auditor's own code, or its results were overwritten
};

/// A worker's sign of life, and where it is.
class Heartbeat {
 public:
  explicit Heartbeat(std::atomic<std::uint64_t>& ticks, std::atomic<std::uint64_t>& place,
                     std::atomic<std::uint64_t>& work)
      : ticks_(ticks), place_(place), work_(work) {}
  /// Called before each call of a kernel. `place` is the caller's own numbering, kept for the
  /// message when the call never returns.
  void at(std::uint64_t place) {
    place_.store(place, std::memory_order_relaxed);
    ticks_.store(ticks_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  /// Adds to the work done, in the units that progress is shown in.
  void did(std::uint64_t work) {
    work_.store(work_.load(std::memory_order_relaxed) + work, std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t>& ticks_;
  std::atomic<std::uint64_t>& place_;
  std::atomic<std::uint64_t>& work_;
};

struct UnitOutcome {
  UnitState state = UnitState::kNotStarted;
  std::uint64_t place = 0;  ///< of the last heartbeat, for a crash or hang
  std::string what;         ///< "killed by SIGSEGV", "no answer for 20 s", an exception's message
};

/// What units share. Different families never meet in one process. A crash ends the unit's group; a
/// hang, which costs time on every try, its whole family.
struct UnitKeys {
  std::uint32_t group = 0;
  std::uint32_t family = 0;
};

struct PoolOptions {
  unsigned workers = 1;
  std::chrono::seconds hang_after{20};
  /// Absolute; no unit is started after it. Units under way may finish within two seconds.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  /// The shared memory that a unit's results are in, which is zero when the unit starts. Where this
  /// is set, results that a stray write has changed are noticed. Pieces may be there only if the
  /// pieces before them hold something, so that memory is left untouched that nothing is in.
  std::function<ResultBytes(std::size_t)> results;
  /// Where units that are over are kept, under the name of a stage; not without `results`.
  Checkpoint* checkpoint = nullptr;
  std::string stage;
  /// The number that a unit is kept under, where its place among the units depends on more than
  /// what the audit is about. Unset: its place.
  std::function<std::uint64_t(std::size_t)> id;
  /// Units that were lost or skipped are kept too, as what became of them: for the record, not for
  /// a run that takes the file up, which tries them again.
  bool keep_all = false;
  /// Called about ten times a second with the work done so far.
  std::function<void(std::uint64_t)> progress;
};

struct PoolResult {
  std::vector<UnitOutcome> units;
  bool interrupted = false;  ///< SIGINT, SIGTERM or SIGHUP arrived
  bool out_of_time = false;  ///< the deadline passed before all units were started
};

/// Runs `work(unit, heartbeat)` for units 0 … keys.size() - 1 in worker processes, each of which
/// may take 2 GiB of memory, and 64 MiB more for each processor. With a checkpoint that is closed
/// none is run: what became of each is what the checkpoint says. Throws std::system_error when no
/// worker can be forked, and std::runtime_error when workers end again and again before they have
/// begun; UnfitRecord where a closed checkpoint is not of these units.
PoolResult run_in_workers(const std::vector<UnitKeys>& keys, const PoolOptions& options,
                          const std::function<void(std::size_t, Heartbeat&)>& work);

/// Runs `work` in one forked process and waits; true when it ended with exit status 0. `waiting` is
/// called again and again meanwhile.
bool run_in_child(const std::function<void()>& work, std::chrono::seconds timeout,
                  const std::function<void()>& waiting = {});

}  // namespace assay
