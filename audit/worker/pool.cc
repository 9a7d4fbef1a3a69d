#include "audit/worker/pool.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>

#include "audit/worker/process_resources.h"
#include "audit/worker/stop_signals.h"

namespace assay {

namespace {

using Clock = std::chrono::steady_clock;

/// Handlers of the parent's are not for a kernel's faults: those end the process that it runs in.
void default_fault_signals() {
  for (const int fault : {SIGPIPE, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    signal(fault, SIG_DFL);
  }
}

/// The memory of its own that a worker may take: so much, and for each processor the stacks of some
/// threads, which count in full. A kernel that asks for more and more is told that there is none,
/// before it is the whole machine that has none.
[[maybe_unused]] constexpr std::uint64_t kMemory = std::uint64_t{2} << 30;
[[maybe_unused]] constexpr std::uint64_t kMemoryOfProcessor = std::uint64_t{64} << 20;

void limit_memory() {
#if !defined(ASSAY_SANITIZED)  // whose own memory counts as well, and is vast
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  std::uint64_t size = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  std::ifstream("/proc/self/statm") >> size >> resident >> shared >> text >> library >> data;
  const std::uint64_t present = data * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const auto processors = static_cast<std::uint64_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  limit.rlim_cur =
      std::min<rlim_t>(limit.rlim_cur, present + kMemory + processors * kMemoryOfProcessor);
  setrlimit(RLIMIT_DATA, &limit);
#endif
}

constexpr std::size_t kNoUnit = ~std::size_t{0};

/// Exit status of a worker that leaves its next unit to a fresh process.
constexpr int kHandOver = 77;

/// How often units are looked for that no worker has taken, because one was killed as it did.
constexpr int kMostRounds = 10;

/// How many workers in a row may end without having taken a unit.
constexpr int kMostBarren = 100;

constexpr const char* kOverwritten =
    "its results, in memory that all workers share, were overwritten by some kernel's stray write";

/// How long units may go on after the deadline before they are given up.
constexpr std::chrono::seconds kGrace{2};

struct WorkerSlot {
  std::atomic<std::uint64_t> ticks;
  std::atomic<std::uint64_t> place;
  std::atomic<std::uint64_t> work;
  std::atomic<std::size_t> unit;    ///< under way
  std::atomic<std::size_t> handed;  ///< left by the process before, for a fresh one
};

struct UnitSlot {
  std::atomic<UnitState> state;
  std::uint64_t sum;   ///< XXH3-64 of the results
  std::uint64_t work;  ///< done in the unit
  char what[160];
};

struct Common {
  std::atomic<std::size_t> next;
  std::atomic<bool> stop;
};

std::string signal_text(int status) {
  if (WIFSIGNALED(status)) {
    const char* name = sigabbrev_np(WTERMSIG(status));
    return std::string("killed by ") + (name != nullptr ? "SIG" + std::string(name) : "a signal");
  }
  return "exited with status " + std::to_string(WEXITSTATUS(status));
}

/// Room for every value of a key.
std::size_t count(const std::vector<UnitKeys>& keys, std::uint32_t UnitKeys::*key) {
  std::size_t most = 0;
  for (const UnitKeys& unit : keys) most = std::max<std::size_t>(most, unit.*key + 1u);
  return most;
}

class Pool {
 public:
  Pool(const std::vector<UnitKeys>& keys, const PoolOptions& options,
       const std::function<void(std::size_t, Heartbeat&)>& work)
      : keys_(keys),
        options_(options),
        work_(work),
        units_(keys.size()),
        dead_groups_(count(keys, &UnitKeys::group)),
        dead_families_(count(keys, &UnitKeys::family)),
        workers_(std::max(1u, options.workers)),
        common_(1),
        pids_(workers_.size(), -1),
        seen_ticks_(workers_.size(), 0),
        seen_at_(workers_.size()),
        entries_(keys.size()) {
    result_.units.resize(keys.size());
  }

  PoolResult run() {
    if (keys_.empty()) return result_;
    const StopSignals signals;
    take_up();
    const bool over = is_closed() || (options_.deadline && Clock::now() >= *options_.deadline);
    if (over) common_[0].stop.store(true);
    for (int round = 0; round < kMostRounds && unfinished() && !common_[0].stop.load(); ++round) {
      common_[0].next.store(0);
      run_workers();
    }
    report(true);
    collect();
    if (options_.checkpoint != nullptr && options_.keep_all) keep_the_rest();
    return result_;
  }

 private:
  /// What the parent alone knows of a unit; no kernel can overwrite it.
  struct Entry {
    bool entered = false;  ///< it is over, and looked at
    bool killed_once = false;
    std::uint64_t sum = 0;
  };

  void run_workers() {
    for (std::size_t w = 0; w < workers_.size(); ++w) {
      workers_[w].handed.store(kNoUnit);
      start(w);
    }
    std::size_t living = workers_.size();
    while (living > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      forgive_a_pause();
      for (std::size_t w = 0; w < workers_.size(); ++w) {
        if (pids_[w] > 0 && !supervise(w)) --living;
      }
      enter_finished();
      if (stop_requested()) interrupt();
      if (options_.deadline && Clock::now() >= *options_.deadline) {
        common_[0].stop.store(true);
        if (Clock::now() >= *options_.deadline + kGrace) give_up();
      }
      report();
    }
    enter_finished();
  }

  /// True where a unit waits to be run. One that a worker was killed with, on its way to it, waits
  /// again.
  bool unfinished() {
    bool found = false;
    for (std::size_t unit = first_open_; unit < keys_.size(); ++unit) {
      if (units_[unit].state.load() == UnitState::kRunning) reset(unit);
      found = found || units_[unit].state.load() == UnitState::kNotStarted;
    }
    return found;
  }

  void reset(std::size_t unit) {
    for (const std::span<std::byte> bytes : results_of(unit)) {
      std::fill(bytes.begin(), bytes.end(), std::byte{0});
    }
    units_[unit].state.store(UnitState::kNotStarted);
  }

  ResultBytes results_of(std::size_t unit) const {
    return options_.results ? options_.results(unit) : ResultBytes{};
  }

  std::uint64_t sum_of(std::size_t unit) const {
    std::uint64_t sum = 0;
    for (const std::span<std::byte> bytes : results_of(unit)) {
      sum = XXH3_64bits_withSeed(bytes.data(), bytes.size(), sum);
    }
    return sum;
  }

  std::uint64_t id_of(std::size_t unit) const { return options_.id ? options_.id(unit) : unit; }

  /// A unit that failed or hung may do better on a machine with less to do, as may one that was
  /// killed; one that was skipped will be again.
  static bool is_kept(UnitState state) {
    return state == UnitState::kDone || state == UnitState::kCrashed;
  }

  bool is_closed() const {
    return options_.checkpoint != nullptr && options_.checkpoint->is_closed();
  }

  /// Units that were kept are over.
  void take_up() {
    if (options_.checkpoint == nullptr) return;
    const std::map<std::uint64_t, KeptUnit> all = options_.checkpoint->take(options_.stage);
    if (is_closed()) return take_all(all);
    for (std::size_t unit = 0; unit < keys_.size() && !all.empty(); ++unit) {
      const auto kept = all.find(id_of(unit));
      if (kept != all.end()) take_up(unit, kept->second);
    }
  }

  /// The same of a checkpoint that is closed: it has to be of these units, and of all of them
  /// unless it was cut short.
  void take_all(const std::map<std::uint64_t, KeptUnit>& all) {
    std::size_t taken = 0;
    for (std::size_t unit = 0; unit < keys_.size(); ++unit) {
      const auto kept = all.find(id_of(unit));
      if (kept != all.end()) {
        ++taken;
        const auto state = static_cast<UnitState>(kept->second.state);
        const bool results_fit =
            state != UnitState::kDone || put_results(unit, kept->second.results);
        if (!is_end(state) || !results_fit) unfit(fmt_unit(kept->first) + " is of another kind");
        enter_kept(unit, state, kept->second);
      } else if (!options_.checkpoint->is_cut_short()) {
        unfit("there is nothing about " + fmt_unit(id_of(unit)));
      }
    }
    if (taken != all.size()) unfit("there are more units than the audit has");
  }

  std::string fmt_unit(std::uint64_t id) const { return "unit " + std::to_string(id); }

  [[noreturn]] void unfit(const std::string& what) const {
    throw UnfitRecord("the records do not fit this audit (" + options_.stage + "): " + what);
  }

  /// Whether a unit can end in this state.
  static bool is_end(UnitState state) {
    return state >= UnitState::kDone && state <= UnitState::kFailed;
  }

  void take_up(std::size_t unit, const KeptUnit& kept) {
    const auto state = static_cast<UnitState>(kept.state);
    if (!is_kept(state)) return;
    if (!put_results(unit, kept.results)) {
      reset(unit);
      return;
    }
    enter_kept(unit, state, kept);
  }

  void enter_kept(std::size_t unit, UnitState state, const KeptUnit& kept) {
    result_.units[unit].place = kept.place;
    std::strncpy(units_[unit].what, kept.what.c_str(), sizeof(units_[unit].what) - 1);
    units_[unit].state.store(state);
    if (state != UnitState::kDone) end_dependents(unit, state);
    entries_[unit] = {.entered = true, .sum = sum_of(unit)};
    earlier_work_ += kept.work;
  }

  /// Piece by piece, since what is in one says whether there is another. False where the sizes do
  /// not fit.
  bool put_results(std::size_t unit, std::string_view kept) {
    for (std::size_t piece = 0;; ++piece) {
      const ResultBytes results = results_of(unit);
      if (piece == results.size()) return kept.empty();
      const std::span<std::byte> bytes = results[piece];
      if (kept.size() < bytes.size()) return false;
      std::memcpy(bytes.data(), kept.data(), bytes.size());
      kept.remove_prefix(bytes.size());
    }
  }

  /// Looks at the units that have ended since the last time. Units are started in their order, so
  /// that those to look at lie close together.
  void enter_finished() {
    const std::size_t end = std::min(keys_.size(), common_[0].next.load());
    for (std::size_t unit = first_open_; unit < end; ++unit) {
      if (!entries_[unit].entered) enter(unit);
      if (unit == first_open_ && entries_[unit].entered) ++first_open_;
    }
  }

  void enter(std::size_t unit) {
    const UnitState state = units_[unit].state.load(std::memory_order_acquire);
    if (state == UnitState::kNotStarted || state == UnitState::kRunning) return;
    Entry& entry = entries_[unit];
    entry.entered = true;
    entry.sum = units_[unit].sum;
    if (state == UnitState::kDone && entry.sum != sum_of(unit)) return;  // `collect` will see it
    if (options_.checkpoint == nullptr || !is_kept(state)) return;
    if (state == UnitState::kCrashed && entry.killed_once) return;
    KeptUnit kept{static_cast<std::uint8_t>(state),
                  result_.units[unit].place,
                  units_[unit].work,
                  units_[unit].what,
                  {}};
    for (const std::span<std::byte> bytes : results_of(unit)) {
      kept.results.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    options_.checkpoint->keep(options_.stage, id_of(unit), kept);
  }

  /// Once all is over: what became of units that are not kept for another try. Those that were not
  /// started have no record.
  void keep_the_rest() {
    for (std::size_t unit = 0; unit < keys_.size(); ++unit) {
      const UnitOutcome& outcome = result_.units[unit];
      if (outcome.state == UnitState::kNotStarted || outcome.state == UnitState::kDone) continue;
      if (outcome.state == UnitState::kCrashed && !entries_[unit].killed_once) continue;
      options_.checkpoint->keep(options_.stage, id_of(unit),
                                {static_cast<std::uint8_t>(outcome.state),
                                 outcome.place,
                                 units_[unit].work,
                                 outcome.what,
                                 {}});
    }
  }

  void start(std::size_t w) {
    workers_[w].unit.store(kNoUnit);
    seen_at_[w] = Clock::now();
    const pid_t parent = getpid();
    pid_t pid = fork();
    // Processes may be short for a moment; work that is done must not be lost for it.
    for (int attempt = 0; pid < 0 && errno == EAGAIN && attempt < 100; ++attempt) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      pid = fork();
    }
    if (pid < 0) throw std::system_error(errno, std::generic_category(), "cannot fork a worker");
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);
      // The parent decides when to stop, also where a signal is sent to the whole process group.
      for (const int stop : {SIGINT, SIGTERM, SIGHUP}) signal(stop, SIG_IGN);
      default_fault_signals();
      try {
        limit_memory();
        note_process_start();
        serve(w);
      } catch (const std::exception&) {
        _exit(1);
      }
      _exit(0);
    }
    pids_[w] = pid;
  }

  /// The life of a worker. What a kernel did to its process must not be charged to the next kernel,
  /// so each family gets a process of its own.
  void serve(std::size_t w) {
    WorkerSlot& self = workers_[w];
    Heartbeat heartbeat(self.ticks, self.place, self.work);
    std::size_t ran = kNoUnit;
    while (!common_[0].stop.load()) {
      std::size_t unit = self.handed.exchange(kNoUnit);
      if (unit == kNoUnit) unit = common_[0].next.fetch_add(1);
      if (unit >= keys_.size()) return;
      if (units_[unit].state.load() != UnitState::kNotStarted) continue;  // in an earlier run
      if (dead_groups_[keys_[unit].group].load() || dead_families_[keys_[unit].family].load()) {
        units_[unit].state.store(UnitState::kSkipped);
        continue;
      }
      if (ran != kNoUnit && keys_[ran].family != keys_[unit].family) {
        self.handed.store(unit);
        _exit(kHandOver);
      }
      ran = unit;
      units_[unit].state.store(UnitState::kRunning);
      self.place.store(0);  // that of the unit before means nothing in this one
      self.unit.store(unit);
      const std::uint64_t before = self.work.load();
      units_[unit].work = before;  // for the case that it has to be done again
      try {
        work_(unit, heartbeat);
        units_[unit].work = self.work.load() - before;
        units_[unit].sum = sum_of(unit);
        units_[unit].state.store(UnitState::kDone, std::memory_order_release);
      } catch (const std::exception& error) {
        std::strncpy(units_[unit].what, error.what(), sizeof(units_[unit].what) - 1);
        units_[unit].state.store(UnitState::kFailed);
      }
      self.unit.store(kNoUnit);
    }
  }

  /// Looks after one worker; false when it ended for good.
  bool supervise(std::size_t w) {
    int status = 0;
    const pid_t ended = waitpid(pids_[w], &status, WNOHANG);
    if (ended == pids_[w]) {
      pids_[w] = -1;
      const std::size_t unit = workers_[w].unit.load();
      if (unit == kNoUnit && WIFEXITED(status) && WEXITSTATUS(status) == 0) return false;
      if (stopping_) return false;
      if (unit == kNoUnit && WEXITSTATUS(status) != kHandOver && ++barren_starts_ > kMostBarren) {
        give_up();
        throw std::runtime_error("workers end before they have begun: " + signal_text(status));
      }
      if (unit != kNoUnit) barren_starts_ = 0;
      if (!try_again(w, status)) lost(w, UnitState::kCrashed, signal_text(status));
      start(w);
      return true;
    }
    const std::uint64_t ticks = workers_[w].ticks.load();
    const Clock::time_point now = Clock::now();
    if (ticks != seen_ticks_[w] || workers_[w].unit.load() == kNoUnit) {
      seen_ticks_[w] = ticks;
      seen_at_[w] = now;
    } else if (now - seen_at_[w] > options_.hang_after) {
      kill(pids_[w], SIGKILL);
      waitpid(pids_[w], &status, 0);
      pids_[w] = -1;
      lost(w, UnitState::kHung,
           "no answer for " + std::to_string(options_.hang_after.count()) + " s");
      start(w);
    }
    return true;
  }

  /// When this loop itself stood still (the whole job was suspended, the machine slept), so did the
  /// workers, and their silence is no hang.
  void forgive_a_pause() {
    const Clock::time_point now = Clock::now();
    if (now - last_round_ > std::chrono::seconds(1)) {
      for (Clock::time_point& seen : seen_at_) seen = now;
    }
    last_round_ = now;
  }

  /// SIGKILL comes from outside: from a person, or from a system that is short of memory. A unit
  /// that it struck once is given to the next process.
  bool try_again(std::size_t w, int status) {
    const std::size_t unit = workers_[w].unit.load();
    if (unit == kNoUnit || !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) return false;
    if (units_[unit].state.load() != UnitState::kRunning || entries_[unit].killed_once) {
      return false;
    }
    entries_[unit].killed_once = true;
    workers_[w].work.store(units_[unit].work);
    reset(unit);
    workers_[w].handed.store(unit);
    return true;
  }

  void lost(std::size_t w, UnitState state, const std::string& what) {
    const std::size_t unit = workers_[w].unit.load();
    if (unit == kNoUnit || units_[unit].state.load() != UnitState::kRunning) return;
    end_dependents(unit, state);
    std::strncpy(units_[unit].what, what.c_str(), sizeof(units_[unit].what) - 1);
    result_.units[unit].place = workers_[w].place.load();
    units_[unit].state.store(state);
  }

  void end_dependents(std::size_t unit, UnitState state) {
    dead_groups_[keys_[unit].group].store(true);
    if (state == UnitState::kHung) dead_families_[keys_[unit].family].store(true);
  }

  void interrupt() {
    result_.interrupted = true;
    give_up();
  }

  /// Ends all workers at once; what they were at counts as not started.
  void give_up() {
    stopping_ = true;
    common_[0].stop.store(true);
    for (const pid_t pid : pids_) {
      if (pid > 0) kill(pid, SIGKILL);
    }
  }

  void report(bool last = false) {
    const Clock::time_point now = Clock::now();
    if (!options_.progress || (!last && now - reported_ < std::chrono::milliseconds(100))) return;
    reported_ = now;
    std::uint64_t done = earlier_work_;
    for (std::size_t w = 0; w < workers_.size(); ++w) done += workers_[w].work.load();
    options_.progress(done);
  }

  void collect() {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      UnitOutcome& outcome = result_.units[i];
      outcome.state = units_[i].state.load(std::memory_order_acquire);
      outcome.what = units_[i].what;
      if (outcome.state == UnitState::kDone && entries_[i].sum != sum_of(i)) {
        outcome.state = UnitState::kFailed;
        outcome.what = kOverwritten;
      }
      if (outcome.state == UnitState::kRunning) outcome.state = UnitState::kNotStarted;
      if (outcome.state == UnitState::kNotStarted && !result_.interrupted && !is_closed()) {
        result_.out_of_time = true;
      }
    }
  }

  const std::vector<UnitKeys>& keys_;
  const PoolOptions& options_;
  const std::function<void(std::size_t, Heartbeat&)>& work_;
  SharedArray<UnitSlot> units_;
  SharedArray<std::atomic<bool>> dead_groups_;
  SharedArray<std::atomic<bool>> dead_families_;
  SharedArray<WorkerSlot> workers_;
  SharedArray<Common> common_;
  std::vector<pid_t> pids_;
  bool stopping_ = false;
  std::vector<std::uint64_t> seen_ticks_;
  std::vector<Clock::time_point> seen_at_;
  Clock::time_point reported_;
  int barren_starts_ = 0;
  Clock::time_point last_round_ = Clock::now();
  std::vector<Entry> entries_;
  std::size_t first_open_ = 0;      ///< all units before it are entered
  std::uint64_t earlier_work_ = 0;  ///< of units that were kept
  PoolResult result_;
};

}  // namespace

PoolResult run_in_workers(const std::vector<UnitKeys>& keys, const PoolOptions& options,
                          const std::function<void(std::size_t, Heartbeat&)>& work) {
  return Pool(keys, options, work).run();
}

bool run_in_child(const std::function<void()>& work, std::chrono::seconds timeout,
                  const std::function<void()>& waiting) {
  const pid_t pid = fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "cannot fork a process");
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    default_fault_signals();
    try {
      work();
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  const Clock::time_point end = Clock::now() + timeout;
  int status = 0;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (Clock::now() > end) {
      kill(pid, SIGKILL);
      waitpid(pid, &status, 0);
      return false;
    }
    if (waiting) waiting();
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace assay
