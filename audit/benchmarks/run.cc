#include "audit/benchmarks/run.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace assay::benchmarks {

namespace {

/// Of an even number of values the lower of the two in the middle: one that was measured.
double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Measured medians(const Row& row, const std::vector<Sample>& samples) {
  Measured measured;
  measured.row = &row;
  std::vector<double> figures;
  for (const Sample& sample : samples) figures.push_back(sample.figure);
  measured.median.figure = median(figures);
  const auto [least, most] = std::minmax_element(figures.begin(), figures.end());
  measured.least = *least;
  measured.most = *most;
  for (std::size_t i = 0; i < samples.front().beside.size(); ++i) {
    std::vector<double> values;
    for (const Sample& sample : samples) values.push_back(sample.beside[i].second);
    measured.median.beside.emplace_back(samples.front().beside[i].first, median(values));
  }
  return measured;
}

/// Names each row as its first repetition ends; the figures go into the table.
class Progress : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    if (runs.empty() || runs.front().run_type != Run::RT_Iteration) return;
    fmt::print(stderr, "{}: {} repetitions\n", runs.front().run_name.function_name, runs.size());
  }
};

}  // namespace

std::vector<Measured> run(const Rows& rows) {
  std::vector<std::vector<Sample>> samples(rows.size());
  std::vector<Measured> measured(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    measured[i].row = &row;
    benchmark::RegisterBenchmark(
        row.name.c_str(),
        [&row, &into = samples[i], &outcome = measured[i]](benchmark::State& state) {
          for (auto _ : state) {
            const auto start = std::chrono::steady_clock::now();
            try {
              into.push_back(row.measure());
            } catch (const Skipped& skipped) {
              outcome.skipped = skipped.what();
            } catch (const std::exception& error) {
              outcome.failed = error.what();
            }
            const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
            state.SetIterationTime(spent.count());
          }
          if (into.empty()) state.SkipWithError("not measured");
        })
        ->Iterations(1)
        ->Repetitions(row.repetitions)
        ->UseManualTime();
  }
  Progress progress;
  benchmark::RunSpecifiedBenchmarks(&progress);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!samples[i].empty() && measured[i].skipped.empty() && measured[i].failed.empty()) {
      measured[i] = medians(rows[i], samples[i]);
    }
  }
  return measured;
}

}  // namespace assay::benchmarks
