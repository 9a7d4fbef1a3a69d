#include "audit/window/drive.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/window/pairs.h"
#include "audit/worker/shared_array.h"

namespace assay::window {

namespace {

enum class UnitKind : std::uint8_t { kCalls, kRates, kSweep, kPairs };

struct Unit {
  UnitKind kind;
  std::uint32_t variant;
  std::uint32_t index;  ///< row of call_rows(), or chunk of cases or of pairs
};

bool is_sweep(const Unit& unit) {
  return unit.kind == UnitKind::kSweep || unit.kind == UnitKind::kPairs;
}

class Driver {
 public:
  Driver(const Job& job, const AuditOptions& options, const Deadline& deadline,
         const std::string& stage, const std::function<void(std::uint64_t)>& progress)
      : job_(job),
        options_(options),
        deadline_(deadline),
        stage_(stage),
        progress_(progress),
        rules_(job.operation),
        chunks_(case_chunks(job)),
        pair_chunks_(pair_chunks(job)) {
    std::size_t at = 0;
    for (const Case& the_case : job.cases) {
      offsets_.push_back(at);
      found_.case_results.push_back(looked_at(the_case));
      at += found_.case_results.back();
    }
    offsets_.push_back(at);
    results_ = at;
  }

  Found run() {
    make_room();
    truth_states_.assign(chunks_, UnitState::kNotStarted);
    SharedArray<Truth> truths(results_);
    if (!options_.parts.sweeps || make_truths(truths)) {
      truths.make_read_only();  // for kernels that write where they should not
      truths_ = &truths;
      drive_variants();
    }
    return std::move(found_);
  }

 private:
  std::size_t first_of(std::size_t chunk) const { return chunk * kCasesPerChunk; }
  std::size_t count_of(std::size_t chunk) const {
    return std::min(kCasesPerChunk, job_.cases.size() - first_of(chunk));
  }

  PoolOptions pool(const std::string& part) const {
    PoolOptions options;
    options.checkpoint = options_.checkpoint;
    options.keep_all = options_.shard.is_part();
    options.stage = stage_ + part;
    options.workers = options_.threads;
    options.hang_after = options_.hang_after;
    options.deadline = deadline_;
    return options;
  }

  /// False where the run has to end.
  bool make_truths(SharedArray<Truth>& truths) {
    std::vector<std::size_t> chunks;
    std::vector<UnitKeys> keys;
    for (std::uint32_t c = 0; c < chunks_; ++c) {
      if (!job_.share.has_cases(c)) continue;
      chunks.push_back(c);
      keys.push_back({c, 0});
    }
    PoolOptions options = pool(fmt::format(": truths of {} cases", job_.cases.size()));
    options.id = [&](std::size_t u) -> std::uint64_t { return chunks[u]; };
    options.results = [&](std::size_t u) -> ResultBytes {
      const std::size_t chunk = chunks[u];
      const std::size_t first = offsets_[first_of(chunk)];
      const std::size_t end = offsets_[first_of(chunk) + count_of(chunk)];
      if (first == end) return {};
      return {result_bytes(truths[first], end - first)};
    };
    const PoolResult pooled =
        run_in_workers(keys, options, [&](std::size_t u, Heartbeat& heartbeat) {
          const std::size_t chunk = chunks[u];
          for (std::size_t i = first_of(chunk); i < first_of(chunk) + count_of(chunk); ++i) {
            const Case& the_case = job_.cases[i];
            const Tensors tensors = make_tensors(job_.operation, the_case);
            TruthSource source(job_.operation, the_case.geometry, tensors);
            for (std::size_t r = 0; r < found_.case_results[i]; ++r) {
              heartbeat.at(r);
              truths[offsets_[i] + r] = source.truth(result_at(the_case, r));
            }
          }
        });
    note(pooled);
    for (std::size_t u = 0; u < chunks.size(); ++u) {
      const std::size_t c = chunks[u];
      truth_states_[c] = pooled.units[u].state;
      const bool lost = truth_states_[c] == UnitState::kCrashed ||
                        truth_states_[c] == UnitState::kHung ||
                        truth_states_[c] == UnitState::kFailed;
      if (lost && found_.truth_failure.empty()) {
        found_.truth_failure = "the auditor's oracle failed: " + pooled.units[u].what;
      }
    }
    return !pooled.interrupted;
  }

  void note(const PoolResult& pooled) {
    found_.interrupted = found_.interrupted || pooled.interrupted;
    found_.out_of_time = found_.out_of_time || pooled.out_of_time;
  }

  /// Room for every variant, with nothing in it.
  void make_room() {
    for (std::size_t v = 0; v < job_.variants.size(); ++v) {
      VariantFound variant;
      variant.chunks.resize(chunks_ + pair_chunks_);
      variant.digests.resize(job_.cases.size());
      variant.calls.resize(call_rows().size());
      variant.call_states.resize(call_rows().size());
      variant.call_failures.resize(call_rows().size());
      found_.variants.push_back(std::move(variant));
    }
  }

  void drive_variants() {
    std::vector<Unit> units;
    std::vector<UnitKeys> keys;
    const auto rows = static_cast<std::uint32_t>(call_rows().size());
    const auto groups = rows + 2;
    const auto add = [&](UnitKind kind, std::uint32_t variant, std::uint32_t index,
                         std::uint32_t group) {
      units.push_back({kind, variant, index});
      // What calls leave behind in a process must not be that of other claims' calls, which lie
      // differently with each number of workers.
      const bool apart =
          kind == UnitKind::kCalls && call_rows()[index].kind == ClaimKind::kResourcesKept;
      const auto others = static_cast<std::uint32_t>(job_.variants.size());
      keys.push_back({variant * groups + group, apart ? others + variant : variant});
    };
    // Whole variants in turn: what a change of process costs is paid once for each.
    for (std::uint32_t v = 0; v < job_.variants.size(); ++v) {
      for (std::uint32_t row = 0; row < rows; ++row) {
        if (is_asked_for(job_, options_.parts, row) && job_.share.has_call(v * rows + row)) {
          add(UnitKind::kCalls, v, row, row);
        }
      }
      if (!options_.parts.sweeps) continue;
      for (std::uint32_t c = 0; c < chunks_; ++c) {
        if (truth_states_[c] == UnitState::kDone) add(UnitKind::kSweep, v, c, rows);
      }
      for (std::uint32_t c = 0; c < pair_chunks_; ++c) {
        if (!job_.share.has_pairs(v * pair_chunks_ + c)) continue;
        add(UnitKind::kPairs, v, static_cast<std::uint32_t>(chunks_) + c, rows);
      }
      if (job_.share.has_rates()) add(UnitKind::kRates, v, 0, rows + 1);
    }
    const std::size_t variants = job_.variants.size();
    const std::size_t all_chunks = chunks_ + pair_chunks_;
    SharedArray<SweepTally> sweeps(variants * all_chunks);
    SharedArray<CaseDigest> digests(variants * job_.cases.size());
    SharedArray<CallTally> calls(variants * rows);
    SharedArray<RateTally> rates(variants);
    // Which units there are depends on which truths there are: a number of its own for each that
    // there could be.
    const std::size_t ids = rows + all_chunks + 1;
    PoolOptions options = pool(fmt::format(": {} variants, {} cases, {} pairs", variants,
                                           job_.cases.size(), job_.firsts.size()));
    options.id = [&](std::size_t u) -> std::uint64_t {
      const Unit& unit = units[u];
      const std::size_t within = unit.kind == UnitKind::kCalls   ? unit.index
                                 : unit.kind == UnitKind::kRates ? ids - 1
                                                                 : rows + unit.index;
      return unit.variant * ids + within;
    };
    options.progress = progress_;
    options.results = [&](std::size_t u) -> ResultBytes {
      const Unit& unit = units[u];
      const std::size_t v = unit.variant;
      switch (unit.kind) {
        case UnitKind::kCalls:
          return {result_bytes(calls[v * rows + unit.index])};
        case UnitKind::kRates:
          return {result_bytes(rates[v])};
        case UnitKind::kSweep:
          return {result_bytes(sweeps[v * all_chunks + unit.index]),
                  result_bytes(digests[v * job_.cases.size() + first_of(unit.index)],
                               count_of(unit.index))};
        case UnitKind::kPairs:
          return {result_bytes(sweeps[v * all_chunks + unit.index])};
      }
      return {};
    };
    const FpEnvironment environment = FpEnvironment::current();
    const PoolResult pooled =
        run_in_workers(keys, options, [&](std::size_t u, Heartbeat& heartbeat) {
          environment.restore();  // whatever the kernel of an earlier unit left behind
          const Unit& unit = units[u];
          const std::size_t v = unit.variant;
          switch (unit.kind) {
            case UnitKind::kCalls:
              judge_calls(unit, heartbeat, calls[v * rows + unit.index]);
              break;
            case UnitKind::kRates: {
              RateTally local;
              measure_rates(job_, *job_.variants[v], heartbeat, local);
              rates[v] = local;
              break;
            }
            case UnitKind::kSweep:
              sweep_chunk(unit, heartbeat, &digests[v * job_.cases.size()],
                          sweeps[v * all_chunks + unit.index]);
              break;
            case UnitKind::kPairs:
              sweep_pair_chunk(unit, heartbeat, sweeps[v * all_chunks + unit.index]);
              break;
          }
        });
    note(pooled);
    for (std::size_t v = 0; v < variants; ++v) {
      VariantFound& variant = found_.variants[v];
      variant.rates = rates[v];
      for (std::size_t i = 0; i < job_.cases.size(); ++i) {
        variant.digests[i] = digests[v * job_.cases.size() + i];
      }
    }
    for (std::size_t u = 0; u < units.size(); ++u) {
      const Unit& unit = units[u];
      collect(unit, pooled.units[u],
              calls[unit.variant * rows + (unit.kind == UnitKind::kCalls ? unit.index : 0)],
              sweeps[unit.variant * all_chunks + (is_sweep(unit) ? unit.index : 0)]);
    }
  }

  void judge_calls(const Unit& unit, Heartbeat& heartbeat, CallTally& tally) const {
    EnvironmentLog log;
    Subject subject{job_, *job_.variants[unit.variant], options_.seed, heartbeat, log};
    tally = judged<CallExample>(
        log, [&](CallTally& found) { call_rows()[unit.index].judge(subject, found); });
  }

  void sweep_chunk(const Unit& unit, Heartbeat& heartbeat, CaseDigest* digests,
                   SweepTally& tally) const {
    const std::size_t first = first_of(unit.index);
    const std::size_t count = count_of(unit.index);
    std::vector<std::span<const Truth>> truths;
    for (std::size_t i = first; i < first + count; ++i) {
      truths.emplace_back(found_.case_results[i] == 0 ? nullptr : &(*truths_)[offsets_[i]],
                          found_.case_results[i]);
    }
    SweepTally local;
    sweep(job_, *job_.variants[unit.variant], rules_, first, truths, {digests + first, count},
          heartbeat, local);
    tally = local;
  }

  void sweep_pair_chunk(const Unit& unit, Heartbeat& heartbeat, SweepTally& tally) const {
    const std::size_t first = (unit.index - chunks_) * kFirstsPerChunk;
    const std::size_t count = std::min(kFirstsPerChunk, job_.firsts.size() - first);
    SweepTally local;
    sweep_pairs(job_, *job_.variants[unit.variant], rules_, {&job_.firsts[first], count}, heartbeat,
                local);
    tally = local;
  }

  void collect(const Unit& unit, const UnitOutcome& outcome, const CallTally& calls,
               const SweepTally& sweep_tally) {
    VariantFound& variant = found_.variants[unit.variant];
    std::string failure;
    if (outcome.state == UnitState::kCrashed || outcome.state == UnitState::kHung) {
      failure = place(unit, outcome);
    } else if (outcome.state == UnitState::kFailed) {
      failure = "a check could not be made: " + outcome.what;
    }
    if (outcome.state == UnitState::kHung) variant.hang = failure;
    switch (unit.kind) {
      case UnitKind::kCalls:
        variant.call_states[unit.index] = outcome.state;
        variant.call_failures[unit.index] = failure;
        if (outcome.state == UnitState::kDone) variant.calls[unit.index] = calls;
        break;
      case UnitKind::kSweep:
      case UnitKind::kPairs:
        variant.chunks[unit.index].state = outcome.state;
        if (outcome.state == UnitState::kDone) variant.chunks[unit.index].tally = sweep_tally;
        if (variant.failure.empty()) variant.failure = failure;
        break;
      case UnitKind::kRates:
        if (variant.failure.empty()) variant.failure = failure;
        break;
    }
  }

  /// Where a lost unit was, for the message.
  std::string place(const Unit& unit, const UnitOutcome& outcome) const {
    switch (unit.kind) {
      case UnitKind::kCalls:
        return fmt::format("{} in call {} of the checks for {}", outcome.what, outcome.place,
                           row(call_rows()[unit.index].kind).id);
      case UnitKind::kRates:
        return outcome.what + " while its speed was measured";
      case UnitKind::kPairs:
        return fmt::format("{} in a call whose windows all hold {}", outcome.what,
                           hex(outcome.place, job_.operation.dtype));
      case UnitKind::kSweep:
        break;
    }
    const Case& the_case = job_.cases[std::min<std::size_t>(outcome.place, job_.cases.size() - 1)];
    return fmt::format("{} in a call with {} (case {}, values {})", outcome.what,
                       describe(job_.operation, the_case.geometry), outcome.place,
                       to_string(the_case.family));
  }

  const Job& job_;
  const AuditOptions& options_;
  const Deadline& deadline_;
  const std::string& stage_;
  const std::function<void(std::uint64_t)>& progress_;
  Rules rules_;
  std::size_t chunks_;
  std::size_t pair_chunks_;
  std::size_t results_ = 0;
  std::vector<std::size_t> offsets_;  ///< of each case's first truth; last, of the end
  std::vector<UnitState> truth_states_;
  const SharedArray<Truth>* truths_ = nullptr;
  Found found_;
};

}  // namespace

Found drive(const Job& job, const AuditOptions& options, const Deadline& deadline,
            const std::string& stage, const std::function<void(std::uint64_t)>& progress) {
  return Driver(job, options, deadline, stage, progress).run();
}

}  // namespace assay::window
