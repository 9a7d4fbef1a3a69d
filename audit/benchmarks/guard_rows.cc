// What it costs to run kernels in worker processes: the same sweeps of a cast, kernel, oracle,
// comparison and all, in this process and in one worker, in turns.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "audit/benchmarks/cast_job.h"
#include "audit/benchmarks/rows.h"
#include "audit/worker/pool.h"
#include "audit/worker/shared_array.h"

namespace assay::benchmarks {

namespace {

constexpr std::uint64_t kChunks = 32;  // of 2^24 probes
constexpr double kMostOverhead = 1.10;

/// Of this process and its children: a busy machine does not count as a cost.
double processor_seconds_of_all() {
  double total = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(who, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime}) {
      total += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    }
  }
  return total;
}

Sample worker_cost(std::size_t variant) {
  // The cast whose kernel, oracle and comparison take the least time for each probe.
  const Job& job = cast_job("cast_f32_to_bf16");
  const ProbeSpace& space = space_of(job, "exhaustive");
  SharedArray<SweepTally> tallies(kChunks);
  const auto sweep_one = [&](std::size_t chunk) {
    tallies[chunk] = checked_chunk(job, *job.variants[variant], space, chunk);
  };
  const double start = processor_seconds_of_all();
  for (std::size_t chunk = 0; chunk < kChunks; ++chunk) sweep_one(chunk);
  const double in_this = processor_seconds_of_all() - start;
  for (std::size_t chunk = 0; chunk < kChunks; ++chunk) tallies[chunk] = {};

  PoolOptions options;
  options.results = [&](std::size_t c) -> ResultBytes { return {result_bytes(tallies[c])}; };
  run_in_workers(std::vector<UnitKeys>(kChunks), options,
                 [&](std::size_t chunk, Heartbeat& heartbeat) {
                   heartbeat.at(chunk);
                   sweep_one(chunk);
                 });
  const double in_worker = processor_seconds_of_all() - start - in_this;
  std::uint64_t probes = 0;
  for (std::size_t chunk = 0; chunk < kChunks; ++chunk) probes += tallies[chunk].probes;
  if (probes != kChunks << 24) throw std::runtime_error("the worker did not do its work");
  return {in_worker / in_this,
          {{"in a worker, CPU s", in_worker}, {"in this process, CPU s", in_this}}};
}

}  // namespace

void add_guard_rows(Rows& rows) {
  const std::size_t widest = cast_job("cast_f32_to_bf16").variants.size() - 1;
  for (const std::size_t variant : {std::size_t{0}, widest}) {
    rows.push_back({variant == 0 ? "guard.scalar" : "guard.widest",
                    fmt::format("sweep f32 to bf16, {}: time in a worker / in this process",
                                variant == 0 ? "scalar" : "widest"),
                    "", at_most(kMostOverhead), 7, [variant] { return worker_cost(variant); },
                    "32 of 256 stretches"});
  }
}

}  // namespace assay::benchmarks
