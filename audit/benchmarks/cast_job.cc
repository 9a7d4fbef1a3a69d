#include "audit/benchmarks/cast_job.h"

#include <atomic>
#include <map>
#include <memory>
#include <stdexcept>

#include "audit/bind.h"

namespace assay::benchmarks {

const Job& cast_job(const std::string& kernel) {
  static const std::vector<fkc::Document> documents = {
      fkc::read_document(ASSAY_SOURCE_DIR "/contracts/reference/cast.fkc.md")};
  static const Registry registry = built_in_registry();
  static std::map<std::string, std::unique_ptr<Bound>> known;
  std::unique_ptr<Bound>& bound = known[kernel];
  if (bound == nullptr) {
    AuditOptions options;
    options.only = {kernel};
    options.effort = Effort::kExhaustive;
    bound = std::make_unique<Bound>(assay::bind(documents, registry, options));
    plan(bound->casts.at(0), options);
  }
  const Job& job = bound->casts.at(0);
  if (!job.not_run.empty()) throw std::runtime_error(kernel + ": " + job.not_run);
  return job;
}

const ProbeSpace& space_of(const Job& job, const std::string& name) {
  for (const auto& space : job.spaces) {
    if (space->name() == name) return *space;
  }
  throw std::runtime_error("no space '" + name + "'");
}

std::size_t from_bytes(const Job& job) {
  return static_cast<std::size_t>(traits(job.oracle->operation().from).bytes());
}
std::size_t to_bytes(const Job& job) {
  return static_cast<std::size_t>(traits(job.oracle->operation().to).bytes());
}

Heartbeat unheard() {
  static std::atomic<std::uint64_t> ticks{0};
  static std::atomic<std::uint64_t> place{0};
  static std::atomic<std::uint64_t> work{0};
  return Heartbeat(ticks, place, work);
}

SweepTally checked_chunk(const Job& job, const KernelVariant& variant, const ProbeSpace& space,
                         std::uint64_t chunk) {
  EnvironmentLog log;
  CastRunner runner(*job.kernel, variant, log);
  Heartbeat heartbeat = unheard();
  SweepTally tally;
  Deviations deviations;
  sweep(runner, log, space, chunk, *job.oracle, *job.cells, *job.rules, heartbeat, tally,
        deviations);
  if (tally.fault != CallFault::kNone) throw std::runtime_error(tally.fault_text);
  if (tally.probes != space.probes(chunk)) throw std::runtime_error("probes are missing");
  if (tally.differing != tally.caller_error_differing) {
    throw std::runtime_error(job.contract->kernel + ": results differ from the oracle's");
  }
  return tally;
}

}  // namespace assay::benchmarks
