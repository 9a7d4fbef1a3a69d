#include "audit/drive.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "oracles/certificate.h"
#include "reports/text.h"

namespace assay {

namespace {

enum class UnitKind : std::uint8_t { kStructure, kCensus, kSweep };

struct Unit {
  UnitKind kind;
  std::uint32_t job;
  std::uint32_t variant = 0;
  std::uint32_t space = 0;  ///< or the row of a structural judge
  std::uint64_t chunk = 0;
  bool mine = true;      ///< and not another shard's
  std::uint64_t id = 0;  ///< its place among the units of all shards
};

/// What a chunk of a space costs: that of the kernels' calls.
std::uint64_t cost(const Job& job, std::uint32_t space, std::uint64_t chunk) {
  std::uint64_t variants = 0;
  for (const std::vector<bool>& spaces : job.assigned) variants += spaces[space] ? 1 : 0;
  return job.spaces[space]->probes(chunk) * variants;
}

/// Those of all shards. Everything before the long sweeps first, so that a run cut short has
/// something of each.
std::vector<Unit> units_of(const std::vector<Job>& jobs, const AuditOptions& options) {
  const Parts& parts = options.parts;
  Dealer dealer(options.shard);
  const std::size_t sweeps = structure_rows().size();  // a kind of work; each judge is another
  std::vector<Unit> structure;
  std::vector<Unit> small;
  std::vector<Unit> large;
  for (std::uint32_t j = 0; j < jobs.size(); ++j) {
    const Job& job = jobs[j];
    if (!job.not_run.empty()) continue;
    for (std::uint32_t v = 0; v < job.variants.size(); ++v) {
      for (std::uint32_t row = 0; row < structure_rows().size(); ++row) {
        if (!parts.has_judge(structure_rows()[row].kind)) continue;
        structure.push_back({UnitKind::kStructure, j, v, row, 0, dealer.mine(row)});
      }
    }
    if (!parts.sweeps) continue;
    for (std::uint32_t s = 0; s < job.spaces.size(); ++s) {
      const ProbeSpace& space = *job.spaces[s];
      // A chunk's census and the sweeps of all variants over it are in one shard.
      std::vector<bool> mine;
      for (std::uint64_t c = 0; c < space.chunks(); ++c) {
        mine.push_back(dealer.mine(sweeps, cost(job, s, c)));
        small.push_back({UnitKind::kCensus, j, 0, s, c, mine.back()});
      }
      std::vector<Unit>& list = space.chunks() > 64 ? large : small;
      for (std::uint32_t v = 0; v < job.variants.size(); ++v) {
        if (!job.assigned[v][s]) continue;
        for (std::uint64_t c = 0; c < space.chunks(); ++c) {
          list.push_back({UnitKind::kSweep, j, v, s, c, mine[c]});
        }
      }
    }
  }
  structure.insert(structure.end(), small.begin(), small.end());
  structure.insert(structure.end(), large.begin(), large.end());
  for (std::size_t i = 0; i < structure.size(); ++i) structure[i].id = i;
  return structure;
}

class Driver {
 public:
  Driver(const std::vector<Job>& jobs, const AuditOptions& options, const Deadline& deadline)
      : jobs_(jobs),
        options_(options),
        deadline_(deadline),
        units_(units_of(jobs, options)),
        units_of_all_shards_(units_.size()) {
    std::erase_if(units_, [](const Unit& unit) { return !unit.mine; });
  }

  DriveResult run() {
    assign_slots();
    SharedArray<SweepTally> tallies(sweeps_);
    SharedArray<Deviations> deviations(sweeps_);
    SharedArray<Census> censuses(censuses_);
    SharedArray<StructureTally> structures(structures_);
    PoolOptions pool;
    pool.workers = options_.threads;
    pool.hang_after = options_.hang_after;
    pool.deadline = deadline_;
    if (options_.progress) {
      pool.progress = [&](std::uint64_t done) {
        options_.progress({"casts", done, total_probes_});
      };
    }
    pool.checkpoint = options_.checkpoint;
    pool.keep_all = options_.shard.is_part();
    pool.stage = fmt::format("casts, {} units", units_of_all_shards_);
    pool.id = [&](std::size_t u) { return units_[u].id; };
    pool.results = [&](std::size_t u) -> ResultBytes {
      switch (units_[u].kind) {
        case UnitKind::kStructure:
          return {result_bytes(structures[slots_[u]])};
        case UnitKind::kCensus:
          return {result_bytes(censuses[slots_[u]])};
        case UnitKind::kSweep:
          return sweep_bytes(tallies[slots_[u]], deviations[slots_[u]]);
      }
      return {};
    };
    const FpEnvironment environment = FpEnvironment::current();
    const PoolResult pooled = run_in_workers(keys_, pool, [&](std::size_t u, Heartbeat& heartbeat) {
      environment.restore();  // whatever the kernel of an earlier unit left behind
      const Unit& unit = units_[u];
      switch (unit.kind) {
        case UnitKind::kStructure:
          structure(unit, heartbeat, structures[slots_[u]]);
          break;
        case UnitKind::kCensus:
          census(unit, heartbeat, censuses[slots_[u]]);
          break;
        case UnitKind::kSweep:
          drive_chunk(unit, heartbeat, tallies[slots_[u]], deviations[slots_[u]]);
          break;
      }
    });
    return collect(pooled, tallies, deviations, censuses, structures);
  }

 private:
  /// Memory of deviations that nobody touches costs nothing; so it is left alone where there are
  /// none.
  static ResultBytes sweep_bytes(SweepTally& tally, Deviations& deviations) {
    ResultBytes bytes{result_bytes(tally)};
    if (tally.deviates) bytes.push_back(result_bytes(deviations));
    return bytes;
  }

  void assign_slots() {
    // A family is a variant; its sweeps are one group, and each structural judgement is another.
    std::uint32_t family = 0;
    std::vector<std::uint32_t> first_family;
    for (const Job& job : jobs_) {
      first_family.push_back(family);
      family += static_cast<std::uint32_t>(job.variants.size());
    }
    const std::uint32_t census_family = family;
    const auto groups = static_cast<std::uint32_t>(structure_rows().size()) + 1;
    for (const Unit& unit : units_) {
      switch (unit.kind) {
        case UnitKind::kStructure:
          slots_.push_back(structures_++);
          break;
        case UnitKind::kCensus:
          slots_.push_back(censuses_++);
          break;
        case UnitKind::kSweep:
          slots_.push_back(sweeps_++);
          total_probes_ += jobs_[unit.job].spaces[unit.space]->probes(unit.chunk);
          break;
      }
      UnitKeys keys;
      keys.family = unit.kind == UnitKind::kCensus ? census_family + unit.job
                                                   : first_family[unit.job] + unit.variant;
      // What calls leave behind in a process must not be that of other claims' calls, which lie
      // differently with each number of workers.
      if (unit.kind == UnitKind::kStructure &&
          structure_rows()[unit.space].kind == ClaimKind::kResourcesKept) {
        keys.family += census_family + static_cast<std::uint32_t>(jobs_.size());
      }
      keys.group = keys.family * groups + (unit.kind == UnitKind::kStructure ? unit.space + 1 : 0);
      keys_.push_back(keys);
    }
  }

  void structure(const Unit& unit, Heartbeat& heartbeat, StructureTally& tally) const {
    const Job& job = jobs_[unit.job];
    EnvironmentLog log;
    Subject subject{*job.contract, *job.kernel, *job.variants[unit.variant],
                    options_.seed, heartbeat,   log,
                    *job.cells};
    tally = judged<StructureExample>(
        log, [&](StructureTally& found) { structure_rows()[unit.space].judge(subject, found); });
  }

  void census(const Unit& unit, Heartbeat& heartbeat, Census& census) const {
    const Job& job = jobs_[unit.job];
    heartbeat.at(unit.chunk);
    Census local;
    job.spaces[unit.space]->count(unit.chunk, *job.cells, *job.oracle, local);
    census = local;
  }

  void drive_chunk(const Unit& unit, Heartbeat& heartbeat, SweepTally& tally,
                   Deviations& deviations) const {
    const Job& job = jobs_[unit.job];
    EnvironmentLog log;
    CastRunner runner(*job.kernel, *job.variants[unit.variant], log);
    SweepTally local;
    Deviations found;
    sweep(runner, log, *job.spaces[unit.space], unit.chunk, *job.oracle, *job.cells, *job.rules,
          heartbeat, local, found);
    for (Violations& violations : local.violations) violations.space = unit.space;
    if (local.deviates) deviations = found;
    tally = local;
  }

  /// Where a lost unit was, for the message.
  std::string place(const Unit& unit, const UnitOutcome& outcome) const {
    const Job& job = jobs_[unit.job];
    if (unit.kind == UnitKind::kStructure) {
      return fmt::format("{} in call {} of the checks for {}", outcome.what, outcome.place,
                         row(structure_rows()[unit.space].kind).id);
    }
    const ProbeSpace& space = *job.spaces[unit.space];
    std::vector<std::uint64_t> in(kBlockProbes);
    const Block block = space.fill(unit.chunk, outcome.place, in.data());
    return fmt::format(
        "{} in a call of {} elements that starts with {} (space {}, chunk {}, block {})",
        outcome.what, block.probes, hex(oracle::load(in.data(), 0, space.dtype()), space.dtype()),
        space.name(), unit.chunk, outcome.place);
  }

  DriveResult collect(const PoolResult& pooled, const SharedArray<SweepTally>& tallies,
                      const SharedArray<Deviations>& deviations,
                      const SharedArray<Census>& censuses,
                      const SharedArray<StructureTally>& structures) const {
    DriveResult result;
    result.interrupted = pooled.interrupted;
    result.out_of_time = pooled.out_of_time;
    for (const Job& job : jobs_) {
      JobResult& to = result.jobs.emplace_back();
      to.variants.resize(job.variants.size());
      for (std::size_t s = 0; s < job.spaces.size(); ++s) {
        to.censuses.emplace_back(job.spaces[s]->chunks());
        to.counted.emplace_back(job.spaces[s]->chunks(), false);
      }
      for (std::size_t v = 0; v < job.variants.size(); ++v) {
        to.variants[v].structure.resize(structure_rows().size());
        to.variants[v].structure_states.resize(structure_rows().size());
        to.variants[v].structure_failures.resize(structure_rows().size());
        for (std::size_t s = 0; s < job.spaces.size(); ++s) {
          SpaceResult& space = to.variants[v].spaces.emplace_back();
          space.assigned = job.assigned[v][s];
          if (space.assigned) space.chunks.resize(job.spaces[s]->chunks());
        }
      }
    }
    for (std::size_t u = 0; u < units_.size(); ++u) {
      const Unit& unit = units_[u];
      const UnitOutcome& outcome = pooled.units[u];
      JobResult& job = result.jobs[unit.job];
      const bool lost = outcome.state == UnitState::kCrashed || outcome.state == UnitState::kHung;
      if (unit.kind == UnitKind::kCensus) {
        job.counted[unit.space][unit.chunk] = outcome.state == UnitState::kDone;
        if (job.count_failure.empty() && (lost || outcome.state == UnitState::kFailed)) {
          job.count_failure =
              fmt::format("the auditor failed to count its own probes ({}, chunk {}): {}",
                          jobs_[unit.job].spaces[unit.space]->name(), unit.chunk, outcome.what);
        }
        job.censuses[unit.space][unit.chunk] = censuses[slots_[u]];
        continue;
      }
      VariantResult& variant = job.variants[unit.variant];
      std::string failure;
      if (lost) failure = place(unit, outcome);
      if (outcome.state == UnitState::kFailed) {
        failure = "a check could not be made: " + outcome.what;
      }
      if (outcome.state == UnitState::kHung) variant.hang = failure;
      std::string& kept = unit.kind == UnitKind::kStructure ? variant.structure_failures[unit.space]
                                                            : variant.failure;
      if (kept.empty()) kept = failure;
      if (unit.kind == UnitKind::kStructure) {
        variant.structure_states[unit.space] = outcome.state;
        if (outcome.state == UnitState::kDone)
          variant.structure[unit.space] = structures[slots_[u]];
      } else {
        ChunkResult& chunk = variant.spaces[unit.space].chunks[unit.chunk];
        chunk.state = outcome.state;
        if (outcome.state != UnitState::kDone) continue;
        chunk.tally = tallies[slots_[u]];
        // A space's chunks are counted before they are swept.
        const bool whole =
            chunk.tally.fault == CallFault::kNone && job.counted[unit.space][unit.chunk];
        if (whole && chunk.tally.deviates) variant.deviations.add(deviations[slots_[u]]);
      }
    }
    return result;
  }

  const std::vector<Job>& jobs_;
  const AuditOptions& options_;
  const Deadline& deadline_;
  std::vector<Unit> units_;
  std::size_t units_of_all_shards_;
  std::vector<std::size_t> slots_;
  std::vector<UnitKeys> keys_;
  std::size_t sweeps_ = 0;
  std::size_t censuses_ = 0;
  std::size_t structures_ = 0;
  std::uint64_t total_probes_ = 0;
};

}  // namespace

void verify_certificates(const std::vector<Job>& jobs, const AuditOptions& options) {
  struct Answer {
    bool verified;
    char why[300];
  };
  SharedArray<Answer> answers(jobs.size());
  std::vector<UnitKeys> keys;
  for (std::uint32_t j = 0; j < jobs.size(); ++j) keys.push_back({j, j});
  PoolOptions pool;
  pool.workers = options.threads;
  pool.hang_after = std::chrono::seconds(600);
  const PoolResult result = run_in_workers(keys, pool, [&](std::size_t j, Heartbeat&) {
    std::string why;
    answers[j].verified = !jobs[j].not_run.empty() || oracle::verify(*jobs[j].oracle, why);
    put(answers[j].why, why);
  });
  if (result.interrupted) return;  // nothing is run then that would need the oracle
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (result.units[j].state != UnitState::kDone) {
      throw AuditError("the oracle's self-check failed: " + result.units[j].what);
    }
    if (!answers[j].verified) throw AuditError(answers[j].why);
  }
}

DriveResult drive(const std::vector<Job>& jobs, const AuditOptions& options,
                  const Deadline& deadline) {
  if (jobs.empty()) return {};
  verify_certificates(jobs, options);
  return Driver(jobs, options, deadline).run();
}

}  // namespace assay
