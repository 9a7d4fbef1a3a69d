// What it costs to run kernels in worker processes: the same sweeps of a cast, kernel, oracle,
// comparison and all, in this process and in one worker, in turns. Times are processor seconds of
// this process and its children, so that a busy machine does not count as a cost.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "audit/bind.h"
#include "audit/drive.h"
#include "audit/worker/pool.h"
#include "audit/worker/shared_array.h"

namespace assay {
namespace {

constexpr std::uint64_t kChunks = 32;  // of 2^24 probes
constexpr double kMostOverhead = 1.10;

/// The cast whose kernel, oracle and comparison take the least time for each probe.
const Job& job() {
  static const std::vector<fkc::Document> documents = {
      fkc::read_document(ASSAY_SOURCE_DIR "/contracts/reference/cast.fkc.md")};
  static const Registry registry = built_in_registry();
  static std::vector<Job> jobs = [] {
    AuditOptions options;
    options.only = {"cast_f32_to_bf16"};
    options.effort = Effort::kExhaustive;
    std::vector<Job> bound = assay::bind(documents, registry, options).casts;
    plan(bound.front(), options);
    return bound;
  }();
  return jobs.front();
}

/// All 2^32 inputs.
const ProbeSpace& space() {
  const auto& spaces = job().spaces;
  return **std::max_element(spaces.begin(), spaces.end(),
                            [](const auto& a, const auto& b) { return a->chunks() < b->chunks(); });
}

void sweep_chunk(std::size_t variant, std::uint64_t chunk, Heartbeat& heartbeat,
                 SweepTally& tally) {
  EnvironmentLog log;
  CastRunner runner(*job().kernel, *job().variants[variant], log);
  SweepTally local;
  Deviations deviations;
  sweep(runner, log, space(), chunk, *job().oracle, *job().cells, *job().rules, heartbeat, local,
        deviations);
  tally = local;
}

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

/// Runs `work` again and again for as long as `state` asks.
template <typename Work>
void measure(benchmark::State& state, Work&& work) {
  for (auto _ : state) {
    const double start = processor_seconds_of_all();
    work();
    state.SetIterationTime(processor_seconds_of_all() - start);
  }
}

void in_this_process(benchmark::State& state, std::size_t variant) {
  std::atomic<std::uint64_t> ticks{0}, place{0}, work{0};
  Heartbeat heartbeat(ticks, place, work);
  std::vector<SweepTally> tallies(kChunks);
  measure(state, [&] {
    for (std::uint64_t c = 0; c < kChunks; ++c) sweep_chunk(variant, c, heartbeat, tallies[c]);
  });
  benchmark::DoNotOptimize(tallies.data());
}

void in_a_worker(benchmark::State& state, std::size_t variant) {
  SharedArray<SweepTally> tallies(kChunks);
  PoolOptions options;
  options.results = [&](std::size_t c) -> ResultBytes { return {result_bytes(tallies[c])}; };
  measure(state, [&] {
    run_in_workers(std::vector<UnitKeys>(kChunks), options, [&](std::size_t c, Heartbeat& beat) {
      sweep_chunk(variant, c, beat, tallies[c]);
    });
  });
}

/// Keeps the median times by name, and prints as usual.
class Medians : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Aggregate && run.aggregate_name == "median") {
        seconds[run.run_name.function_name] = run.GetAdjustedRealTime();
      }
    }
  }
  std::map<std::string, double> seconds;
};

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (std::size_t v : {std::size_t{0}, job().variants.size() - 1}) {
    const std::string& name = job().variants[v]->name;
    for (const bool worker : {false, true}) {
      benchmark::RegisterBenchmark(
          (name + (worker ? ", in a worker" : ", in this process")).c_str(),
          [v, worker](benchmark::State& state) {
            worker ? in_a_worker(state, v) : in_this_process(state, v);
          })
          ->Unit(benchmark::kMillisecond)
          ->UseManualTime()
          ->Repetitions(9)
          ->ReportAggregatesOnly();
    }
  }
  Medians medians;
  benchmark::RunSpecifiedBenchmarks(&medians);
  bool met = true;
  for (std::size_t v : {std::size_t{0}, job().variants.size() - 1}) {
    const std::string& name = job().variants[v]->name;
    const double ratio =
        medians.seconds[name + ", in a worker"] / medians.seconds[name + ", in this process"];
    fmt::print("{}: a worker takes {:.3f} times as long (at most {:.2f} is the aim)\n", name, ratio,
               kMostOverhead);
    met = met && ratio <= kMostOverhead;
  }
  return met ? 0 : 1;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  return assay::run(argc, argv);
}
