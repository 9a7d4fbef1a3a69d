// Rounding boundaries of casts from f64, whose inputs are too many for a sweep.
#include <fmt/format.h>

#include <algorithm>

#include "audit/benchmarks/cast_job.h"
#include "audit/benchmarks/kernel_alone.h"
#include "audit/benchmarks/rows.h"

namespace assay::benchmarks {

namespace {

constexpr double kGiga = 1e9;
constexpr std::uint64_t kStep = 64;  // every so many chunks of the boundaries of f64 to f32

/// All probes around the boundaries of f64 to f32 against a sweep of 32 bits.
Sample against_sweep() {
  const Job& job = cast_job("cast_f64_to_f32");
  const Job& narrow = cast_job("cast_f32_to_f16");
  const ProbeSpace& boundaries = space_of(job, "boundaries");
  const ProbeSpace& all = space_of(narrow, "exhaustive");
  double seconds = 0;
  double sweep_seconds = 0;
  double probes = 0;
  double sweep_probes = 0;
  for (std::uint64_t chunk = 0; chunk < boundaries.chunks(); chunk += kStep) {
    const SweepTally tally = checked_chunk(job, *job.variants.back(), boundaries, chunk);
    seconds += tally.seconds;
    probes += static_cast<double>(tally.probes);
    const std::uint64_t other = chunk / kStep * 7 % all.chunks();
    const SweepTally swept = checked_chunk(narrow, *narrow.variants.back(), all, other);
    sweep_seconds += swept.seconds;
    sweep_probes += static_cast<double>(swept.probes);
  }
  const double rate = probes / seconds;
  const double sweep_rate = sweep_probes / sweep_seconds;
  return {rate / sweep_rate,
          {{"boundaries, G/s", rate / kGiga},
           {"sweep f32 to f16, G/s", sweep_rate / kGiga},
           {"all boundaries, s", static_cast<double>(boundaries.size()) / rate}}};
}

Sample against_unchecked() {
  const Job& job = cast_job("cast_f64_to_f32");
  const ProbeSpace& boundaries = space_of(job, "boundaries");
  KernelAlone alone(job, *job.variants.back());
  double checked = 0;
  double unchecked = 0;
  double probes = 0;
  for (std::uint64_t chunk = 0; chunk < boundaries.chunks(); chunk += kStep) {
    const SweepTally tally = checked_chunk(job, *job.variants.back(), boundaries, chunk);
    checked += tally.seconds;
    probes += static_cast<double>(tally.probes);
    unchecked += alone.seconds(boundaries, chunk);
  }
  return {
      unchecked / checked,
      {{"checked, G/s", probes / kGiga / checked}, {"unchecked, G/s", probes / kGiga / unchecked}}};
}

/// Processor seconds of all that the exhaustive effort probes, of the slowest variant.
Sample whole(const std::string& kernel) {
  const Job& job = cast_job(kernel);
  Sample sample;
  double probes = 0;
  for (std::size_t v = 0; v < job.variants.size(); ++v) {
    double seconds = 0;
    probes = 0;
    for (std::size_t s = 0; s < job.spaces.size(); ++s) {
      if (!job.assigned[v][s]) continue;
      const ProbeSpace& space = *job.spaces[s];
      for (std::uint64_t chunk = 0; chunk < space.chunks(); ++chunk) {
        seconds += checked_chunk(job, *job.variants[v], space, chunk).seconds;
      }
      probes += static_cast<double>(space.size());
    }
    sample.beside.emplace_back(job.variants[v]->name + ", s", seconds);
    sample.figure = std::max(sample.figure, seconds);
  }
  sample.beside.emplace_back("probes of each, M", probes / 1e6);
  return sample;
}

}  // namespace

void add_boundary_rows(Rows& rows) {
  const std::string reduced = fmt::format("every {}th stretch of the boundaries", kStep);
  rows.push_back({"boundary.f64_f32.sweep",
                  "boundaries f64 to f32, widest: rate / that of a sweep f32 to f16", "",
                  at_least(0.25), 5, against_sweep, reduced});
  rows.push_back({"boundary.f64_f32.unchecked",
                  "boundaries f64 to f32, widest: checked rate / unchecked", "", at_least(0.40), 5,
                  against_unchecked, reduced});
  for (const auto& [kernel, words] :
       {std::pair{"cast_f64_to_f16", "f64 to f16"}, std::pair{"cast_f64_to_bf16", "f64 to bf16"}}) {
    rows.push_back({fmt::format("boundary.{}.whole", std::string(kernel).substr(5)),
                    fmt::format("{}, all boundaries and samples, slowest variant", words), "s",
                    at_most(1.0), 3, [name = std::string(kernel)] { return whole(name); }});
  }
}

}  // namespace assay::benchmarks
