#include "audit/window/shrink.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/window/pairs.h"
#include "audit/window/specimen.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/shared_array.h"

namespace assay::window {

namespace {

constexpr std::chrono::seconds kMostTime{60};
constexpr std::chrono::seconds kLeastTime{2};  // also where the whole run is out of time

/// Calls that the search for one witness makes at most, and products that are evaluated for one
/// call at most. Both are counts, so that the search ends in the same place on any machine.
constexpr std::size_t kMostCalls = 4000;
constexpr std::size_t kMoreCalls = 1000;  // for each look at what became idle
constexpr std::size_t kMostProducts = 4000;

/// The runs of equal elements, as far as there is room; no elements in the rest.
void put_runs(const std::vector<Bits>& elements, Run (&runs)[kWitnessRuns]) {
  std::size_t used = 0;
  for (std::size_t i = 0; i < elements.size();) {
    std::size_t times = 1;
    while (i + times < elements.size() && elements[i + times] == elements[i]) ++times;
    if (used == kWitnessRuns) return;
    runs[used++] = {elements[i], times};
    i += times;
  }
  std::fill(runs + used, runs + kWitnessRuns, Run{});
}

class Shrinker {
 public:
  Shrinker(const Job& job, const WitnessRequest& request, Heartbeat& heartbeat, Witness& witness)
      : job_(job),
        request_(request),
        check_(job, *job.variants[request.variant], request.claim,
               *job.variants[request.reference]),
        runner_(job.operation, *job.variants[request.variant], log_),
        reference_(job.operation, *job.variants[request.reference], log_),
        heartbeat_(heartbeat),
        witness_(witness) {}

  void run() {
    const Case the_case = case_of(job_, request_.seen);
    Specimen specimen{the_case.geometry, make_tensors(job_.operation, the_case),
                      static_cast<std::size_t>(request_.seen.result)};
    if (request_.claim == ClaimKind::kBitwise) count_differing();
    bool seen_again = fails(specimen);
    if (!seen_again && request_.seen.in_case == kPairCase) {
      // It may be the company that shows it, or the size of the call.
      const PairCall whole = pair_call(request_.seen.pair >> 16, request_.seen.pair & 0xffffu);
      specimen = {whole.geometry, whole.tensors, whole.result};
      seen_again = fails(specimen);
    }
    if (seen_again) {
      descend(specimen, simpler_geometries);
      descend(specimen, simpler_values);
      // Values that became simple may have made more of the geometry idle.
      most_calls_ = calls_ + kMoreCalls;
      descend(specimen, simpler_geometries);
      most_calls_ = calls_ + kMoreCalls;
      descend(specimen, simpler_values);
      fails(specimen);  // the last word: what is kept is this one
    }
    witness_.tried = true;
  }

 private:
  void count_differing() {
    for (const std::uint32_t index : request_.cases) {
      const Case& the_case = job_.cases[index];
      const Tensors tensors = make_tensors(job_.operation, the_case);
      heartbeat_.at(++calls_);
      if (runner_.run(the_case.geometry, tensors) != CallFault::kNone ||
          reference_.run(the_case.geometry, tensors) != CallFault::kNone) {
        continue;
      }
      const std::vector<Bits>& mine = runner_.results();
      for (std::size_t r = 0; r < mine.size(); ++r) {
        witness_.differing += mine[r] != reference_.results()[r] ? 1 : 0;
      }
    }
    calls_ = 0;
  }

  using Simpler = rc::Seq<Specimen> (*)(const Operation&, const Specimen&);

  /// Takes the first simpler specimen that still fails, until none does.
  void descend(Specimen& specimen, Simpler simpler) {
    bool found = true;
    while (found) {
      found = false;
      rc::Seq<Specimen> candidates = simpler(job_.operation, specimen);
      while (calls_ < most_calls_) {
        rc::Maybe<Specimen> next = candidates.next();
        if (!next) break;
        if (!fails(*next)) continue;
        specimen = std::move(*next);
        found = true;
        break;
      }
    }
  }

  /// Whether some result of the call violates the claim; then points `specimen.result` at it and
  /// keeps it.
  bool fails(Specimen& specimen) {
    heartbeat_.at(++calls_);
    const Checked checked = check_.check(specimen, kMostProducts);
    if (!checked.violated) return false;
    specimen.result = static_cast<std::size_t>(checked.result);
    keep(specimen, checked);
    return true;
  }

  void keep(const Specimen& specimen, const Checked& checked) {
    witness_.reproduced = true;
    witness_.geometry = specimen.geometry;
    witness_.result = checked.result;
    witness_.got = checked.got;
    witness_.reference = checked.reference;
    witness_.truth = checked.truth;
    witness_.error = checked.error;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::vector<Bits>& operand = specimen.tensors.operand(i);
      witness_.counts[i] = static_cast<std::uint32_t>(operand.size());
      put_runs(operand, witness_.runs[i]);
    }
  }

  const Job& job_;
  const WitnessRequest& request_;
  Check check_;
  EnvironmentLog log_;
  CaseRunner runner_;
  CaseRunner reference_;
  Heartbeat& heartbeat_;
  Witness& witness_;
  std::size_t calls_ = 0;
  std::size_t most_calls_ = kMostCalls;
};

}  // namespace

Tensors Witness::tensors() const {
  Tensors operands;
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<Bits>& operand = operands.operand(i);
    for (const Run& run : runs[i]) {
      operand.insert(operand.end(), static_cast<std::size_t>(run.times), run.bits);
    }
  }
  return operands;
}

bool Witness::is_whole() const {
  for (std::size_t i = 0; i < 3; ++i) {
    std::uint64_t kept = 0;
    for (const Run& run : runs[i]) kept += run.times;
    if (kept != counts[i]) return false;
  }
  return true;
}

std::vector<Witness> find_witnesses(const Job& job, const AuditOptions& options,
                                    const std::vector<WitnessRequest>& requests,
                                    const Deadline& deadline, bool* interrupted) {
  if (requests.empty()) return {};
  SharedArray<Witness> found(requests.size());
  std::vector<UnitKeys> keys;
  for (std::uint32_t r = 0; r < requests.size(); ++r) keys.push_back({r, r});
  PoolOptions pool;
  pool.workers = options.threads;
  pool.hang_after = options.hang_after;
  // Simplifying is a service; with a kernel that is slow it ends without.
  const auto now = std::chrono::steady_clock::now();
  pool.deadline = now + kMostTime;
  if (deadline) pool.deadline = std::min(*pool.deadline, std::max(*deadline, now + kLeastTime));
  const PoolResult pooled = run_in_workers(keys, pool, [&](std::size_t r, Heartbeat& heartbeat) {
    // In place: what was found before a crash is kept.
    Shrinker(job, requests[r], heartbeat, found[r]).run();
  });
  if (interrupted != nullptr) *interrupted = *interrupted || pooled.interrupted;
  std::vector<Witness> result;
  for (std::size_t r = 0; r < requests.size(); ++r) {
    const UnitOutcome& outcome = pooled.units[r];
    if (outcome.state == UnitState::kCrashed || outcome.state == UnitState::kHung) {
      put(found[r].failure, fmt::format("{} in call {} of the search for a simpler case",
                                        outcome.what, outcome.place));
    }
    result.push_back(found[r]);
  }
  return result;
}

}  // namespace assay::window
