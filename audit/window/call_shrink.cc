#include "audit/window/call_shrink.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "audit/window/specimen.h"
#include "audit/window/subject.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/shared_array.h"

namespace assay::window {

namespace {

constexpr std::chrono::seconds kMostTime{30};
constexpr std::chrono::seconds kLeastTime{2};  // also where the whole run is out of time

/// Judgements that the search for one example makes at most: a count, so that it ends in the same
/// place on any machine. Some judges hold threads and processes against each other.
constexpr int kMostJudgements = 60;
/// After this no new one begins.
constexpr std::chrono::seconds kMostForOne{5};

/// Trivially copyable: workers write it to shared memory.
struct Shrunk {
  bool tried = false;
  bool reproduced = false;
  CallExample example;
};

struct Request {
  std::size_t variant = 0;
  std::size_t row = 0;  ///< of call_rows()
};

class CallShrinker {
 public:
  CallShrinker(const Job& job, const Request& request, Heartbeat& heartbeat, Shrunk& shrunk)
      : job_(job), request_(request), heartbeat_(heartbeat), shrunk_(shrunk) {}

  void run(const CallExample& seen) {
    Case now = seen.the_case;
    if (refutes(now)) {
      shrunk_.reproduced = true;
      bool found = true;
      while (found) {
        found = false;
        const Specimen specimen{now.geometry, make_tensors(job_.operation, now), 0};
        rc::Seq<Specimen> candidates = simpler_geometries(job_.operation, specimen);
        while (may_go_on()) {
          const rc::Maybe<Specimen> next = candidates.next();
          if (!next) break;
          Case smaller = now;
          smaller.geometry = next->geometry;
          if (!refutes(smaller)) continue;
          now = smaller;
          found = true;
          break;
        }
      }
    }
    shrunk_.tried = true;
  }

 private:
  bool may_go_on() const {
    return judgements_ < kMostJudgements && std::chrono::steady_clock::now() - start_ < kMostForOne;
  }

  /// Whether the judge refutes the claim by this case alone; then keeps what it shows.
  bool refutes(const Case& the_case) {
    ++judgements_;
    Job alone = job_;
    alone.cases = {the_case};
    EnvironmentLog log;
    Subject subject{alone, *job_.variants[request_.variant], job_.seed, heartbeat_, log};
    const CallTally tally = judged<CallExample>(
        log, [&](CallTally& found) { call_rows()[request_.row].judge(subject, found); });
    const bool seen = tally.fault == CallFault::kNone && tally.violations > 0 &&
                      tally.has_example && tally.example.has_case;
    if (seen) shrunk_.example = tally.example;
    return seen;
  }

  const Job& job_;
  const Request& request_;
  Heartbeat& heartbeat_;
  Shrunk& shrunk_;
  int judgements_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

void shrink_calls(const Job& job, const AuditOptions& options, const Deadline& deadline,
                  Found& found, bool* interrupted) {
  std::vector<Request> requests;
  std::vector<UnitKeys> keys;
  for (std::size_t v = 0; v < found.variants.size(); ++v) {
    for (std::size_t row = 0; row < found.variants[v].calls.size(); ++row) {
      const CallTally& tally = found.variants[v].calls[row];
      if (tally.violations == 0 || !tally.has_example || !tally.example.has_case) continue;
      const auto key = static_cast<std::uint32_t>(requests.size());
      keys.push_back({key, key});
      requests.push_back({v, row});
    }
  }
  if (requests.empty()) return;
  SharedArray<Shrunk> shrunk(requests.size());
  PoolOptions pool;
  pool.workers = options.threads;
  pool.hang_after = options.hang_after;
  const auto now = std::chrono::steady_clock::now();
  pool.deadline = now + kMostTime;
  if (deadline) pool.deadline = std::min(*pool.deadline, std::max(*deadline, now + kLeastTime));
  const PoolResult pooled = run_in_workers(keys, pool, [&](std::size_t r, Heartbeat& heartbeat) {
    const CallTally& seen = found.variants[requests[r].variant].calls[requests[r].row];
    CallShrinker(job, requests[r], heartbeat, shrunk[r]).run(seen.example);
  });
  *interrupted = *interrupted || pooled.interrupted;
  for (std::size_t r = 0; r < requests.size(); ++r) {
    CallTally& tally = found.variants[requests[r].variant].calls[requests[r].row];
    if (shrunk[r].reproduced) {
      tally.example = shrunk[r].example;
    } else if (shrunk[r].tried) {
      put(tally.example.why, std::string(tally.example.why) +
                                 "; not seen again in a fresh process, in this call alone");
    }
  }
}

}  // namespace assay::window
