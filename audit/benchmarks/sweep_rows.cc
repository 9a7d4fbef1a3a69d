// Sweeps of casts over all inputs: the rate with everything checked, by the audit's own code,
// against the same without a check, and against MPFR asked value by value.
#include <fmt/format.h>

#include <stdexcept>

#include "audit/benchmarks/cast_job.h"
#include "audit/benchmarks/kernel_alone.h"
#include "audit/benchmarks/program.h"
#include "audit/benchmarks/rows.h"
#include "audit/worker/processor_time.h"
#include "oracles/benchmarks/naive_cast.h"

namespace assay::benchmarks {

namespace {

constexpr double kGiga = 1e9;
constexpr int kRepetitions = 5;

double checked_seconds(const Job& job, const KernelVariant& variant, const ProbeSpace& space,
                       std::uint64_t chunk) {
  return checked_chunk(job, variant, space, chunk).seconds;
}

/// Chunk by chunk in turns, over the whole space.
Sample against_unchecked(const std::string& kernel) {
  const Job& job = cast_job(kernel);
  const KernelVariant& widest = *job.variants.back();
  const ProbeSpace& space = space_of(job, "exhaustive");
  KernelAlone alone(job, widest);
  double checked = 0;
  double unchecked = 0;
  for (std::uint64_t chunk = 0; chunk < space.chunks(); ++chunk) {
    checked += checked_seconds(job, widest, space, chunk);
    unchecked += alone.seconds(space, chunk);
  }
  const double probes = static_cast<double>(space.size()) / kGiga;
  return {unchecked / checked,
          {{"checked, G/s", probes / checked}, {"unchecked, G/s", probes / unchecked}}};
}

/// MPFR on two blocks of each chunk; their results are the kernel's.
Sample against_mpfr(const std::string& kernel) {
  const Job& job = cast_job(kernel);
  const oracle::CastOperation& operation = job.oracle->operation();
  const KernelVariant& widest = *job.variants.back();
  const ProbeSpace& space = space_of(job, "exhaustive");
  EnvironmentLog log;
  CastRunner runner(*job.kernel, widest, log);
  std::vector<std::uint64_t> in(kBlockProbes);
  std::vector<std::uint64_t> out(kBlockProbes);
  double checked = 0;
  double naive = 0;
  double naive_probes = 0;
  for (std::uint64_t chunk = 0; chunk < space.chunks(); ++chunk) {
    checked += checked_seconds(job, widest, space, chunk);
    for (const std::uint64_t block : {chunk, space.blocks(chunk) - 1 - chunk}) {
      const Block filled = space.fill(chunk, block, in.data());
      if (runner.call(in.data(), out.data(), filled.probes) != CallFault::kNone) {
        throw std::runtime_error(runner.fault());
      }
      const double start = processor_seconds();
      const std::uint64_t differing =
          oracle::count_differing(operation, in.data(), out.data(), filled.probes);
      naive += processor_seconds() - start;
      naive_probes += static_cast<double>(filled.probes);
      if (differing != 0) throw std::runtime_error("results differ from MPFR's");
    }
  }
  const double rate = static_cast<double>(space.size()) / checked;
  const double naive_rate = naive_probes / naive;
  return {rate / naive_rate, {{"checked, G/s", rate / kGiga}, {"MPFR, M/s", naive_rate / 1e6}}};
}

/// The program's audit of one cast, everything that it does, against the kernels.
Sample whole_audit(const std::string& kernel) {
  const Job& job = cast_job(kernel);
  double kernels = 0;
  double probes = 0;
  for (std::size_t v = 0; v < job.variants.size(); ++v) {
    for (std::size_t s = 0; s < job.spaces.size(); ++s) {
      if (!job.assigned[v][s]) continue;
      const ProbeSpace& space = *job.spaces[s];
      kernels += kernel_seconds(job, *job.variants[v], space, space.chunks() > 1 ? 64 : 1);
      probes += static_cast<double>(space.size());
    }
  }
  const ProgramRun run = run_assay({"audit", ASSAY_SOURCE_DIR "/contracts/reference/cast.fkc.md",
                                    "--only", kernel, "--effort", "exhaustive", "--threads", "1"});
  return {run.processor_seconds / kernels,
          {{"audit, CPU s", run.processor_seconds},
           {"kernels, CPU s", kernels},
           {"probes, G", probes / kGiga}}};
}

}  // namespace

void add_sweep_rows(Rows& rows) {
  struct Cast {
    const char* name;
    const char* words;
    const char* kernel;
  };
  constexpr Cast kCasts[] = {{"f32_f16", "f32 to f16", "cast_f32_to_f16"},
                             {"f32_bf16", "f32 to bf16", "cast_f32_to_bf16"},
                             {"u32_f32", "u32 to f32", "cast_u32_to_f32"},
                             {"f32_u32", "f32 to u32", "cast_f32_to_u32"}};
  for (const Cast& cast : kCasts) {
    const std::string kernel = cast.kernel;
    rows.push_back({fmt::format("sweep.{}.unchecked", cast.name),
                    fmt::format("sweep {}, widest: checked rate / unchecked", cast.words), "",
                    at_least(0.40), kRepetitions, [kernel] { return against_unchecked(kernel); }});
    rows.push_back({fmt::format("sweep.{}.mpfr", cast.name),
                    fmt::format("sweep {}, widest: checked rate / naive MPFR", cast.words), "",
                    at_least(500), kRepetitions, [kernel] { return against_mpfr(kernel); }});
  }
  for (const Cast& cast : kCasts) {
    const std::string kernel = cast.kernel;
    rows.push_back({fmt::format("audit.{}.kernels", cast.name),
                    fmt::format("whole audit {}, all variants: time / kernels alone", cast.words),
                    "", at_most(2.5), 1, [kernel] { return whole_audit(kernel); }});
  }
}

}  // namespace assay::benchmarks
