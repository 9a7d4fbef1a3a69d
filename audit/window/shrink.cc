#include "audit/window/shrink.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
constexpr std::size_t kMostProducts = 4000;

class Shrinker {
 public:
  Shrinker(const Job& job, const WitnessRequest& request, Heartbeat& heartbeat, Witness& witness)
      : job_(job),
        request_(request),
        rules_(job.operation),
        row_(result_claim_row(request.claim)),
        runner_(job.operation, *job.variants[request.variant], log_),
        reference_(job.operation, *job.variants.front(), log_),
        heartbeat_(heartbeat),
        witness_(witness) {}

  void run() {
    const Case the_case = case_of(job_, request_.seen);
    Specimen specimen{the_case.geometry, make_tensors(job_.operation, the_case),
                      static_cast<std::size_t>(request_.seen.result)};
    if (request_.claim == ClaimKind::kBitwise) count_differing();
    if (fails(specimen)) {
      descend(specimen, simpler_geometries);
      descend(specimen, simpler_values);
      // Values that became simple may have made more of the geometry idle.
      descend(specimen, simpler_geometries);
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
      while (calls_ < kMostCalls) {
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
    if (runner_.run(specimen.geometry, specimen.tensors) != CallFault::kNone) return false;
    const std::vector<Bits>& results = runner_.results();
    if (results.empty()) return false;
    if (request_.claim == ClaimKind::kBitwise) {
      if (reference_.run(specimen.geometry, specimen.tensors) != CallFault::kNone) return false;
      const std::vector<Bits>& due = reference_.results();
      const auto [mine, other] = std::mismatch(results.begin(), results.end(), due.begin());
      if (mine == results.end()) return false;
      specimen.result = static_cast<std::size_t>(mine - results.begin());
      TruthSource source(job_.operation, specimen.geometry, specimen.tensors);
      keep(specimen, *mine, source.truth(specimen.result));
      witness_.reference = *other;
      return true;
    }
    TruthSource source(job_.operation, specimen.geometry, specimen.tensors);
    std::size_t products = 0;
    const std::size_t hint = std::min(specimen.result, results.size() - 1);
    for (std::size_t i = 0; i < results.size() && products < kMostProducts; ++i) {
      // The result that failed before first, then from it on, and round.
      const std::size_t r = (hint + i) % results.size();
      const Truth truth = source.truth(r);
      products += truth.products + 1;
      oracle::SumError error{truth.absolute, truth.relative, truth.ulp, truth.within_bound};
      const Judgement judgement = judge_result(rules_, job_.operation, truth, results[r], [&] {
        error = source.error(r, results[r]);
        return error;
      });
      if ((judgement.violated >> row_ & 1) == 0) continue;
      specimen.result = r;
      keep(specimen, results[r], truth);
      measure(error, results[r]);
      return true;
    }
    return false;
  }

  void measure(const oracle::SumError& error, Bits got) {
    const bool number = !traits(job_.operation.dtype).is_nan(got);
    if (!number) {
      witness_.error = std::numeric_limits<double>::quiet_NaN();
    } else {
      witness_.error = request_.claim == ClaimKind::kMaxRelative ? error.relative : error.absolute;
    }
  }

  void keep(const Specimen& specimen, Bits got, const Truth& truth) {
    witness_.reproduced = true;
    witness_.geometry = specimen.geometry;
    witness_.result = specimen.result;
    witness_.got = got;
    witness_.truth = truth;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::vector<Bits>& operand = specimen.tensors.operand(i);
      witness_.counts[i] = static_cast<std::uint32_t>(operand.size());
      std::copy_n(operand.begin(), std::min(operand.size(), kWitnessElements), witness_.values[i]);
    }
  }

  const Job& job_;
  const WitnessRequest& request_;
  Rules rules_;
  std::size_t row_;
  EnvironmentLog log_;
  CaseRunner runner_;
  CaseRunner reference_;
  Heartbeat& heartbeat_;
  Witness& witness_;
  std::size_t calls_ = 0;
};

}  // namespace

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
