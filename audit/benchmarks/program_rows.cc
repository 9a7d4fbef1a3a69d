// The program as it is run: elapsed time, processors, memory.
#include <fmt/format.h>

#include <map>

#include "audit/benchmarks/program.h"
#include "audit/benchmarks/rows.h"

namespace assay::benchmarks {

namespace {

const std::string kCasts = ASSAY_SOURCE_DIR "/contracts/reference/cast.fkc.md";
const std::string kWindows = ASSAY_SOURCE_DIR "/contracts/reference/conv-pool.fkc.md";

std::vector<std::string> audit(std::vector<std::string> contracts, const char* effort,
                               const char* threads = "2") {
  contracts.insert(contracts.begin(), "audit");
  contracts.insert(contracts.end(), {"--effort", effort, "--threads", threads});
  return contracts;
}

Sample sample_of(double figure, const ProgramRun& run) {
  return {figure,
          {{"elapsed, s", run.seconds},
           {"CPU s", run.processor_seconds},
           {"processors busy", run.processor_seconds / run.seconds},
           {"peak PSS, MiB", run.peak_mebibytes}}};
}

/// A run that several rows are about, made once.
const ProgramRun& once(const std::vector<std::string>& arguments) {
  static std::map<std::vector<std::string>, ProgramRun> known;
  const auto found = known.find(arguments);
  if (found != known.end()) return found->second;
  return known[arguments] = run_assay(arguments);
}

Sample one_against_two() {
  const std::vector<std::string> only = {"--only", "cast_f*_to_f16", "--only", "cast_f*_to_bf16"};
  std::vector<std::string> one = audit({kCasts}, "standard", "1");
  std::vector<std::string> two = audit({kCasts}, "standard", "2");
  one.insert(one.end(), only.begin(), only.end());
  two.insert(two.end(), only.begin(), only.end());
  const ProgramRun on_one = run_assay(one);
  const ProgramRun on_two = run_assay(two);
  return {on_one.seconds / on_two.seconds,
          {{"on one, s", on_one.seconds},
           {"on two, s", on_two.seconds},
           {"busy on two", on_two.processor_seconds / on_two.seconds}}};
}

}  // namespace

void add_program_rows(Rows& rows) {
  const auto elapsed = [](const std::vector<std::string>& arguments) {
    const ProgramRun& run = once(arguments);
    return sample_of(run.seconds, run);
  };
  const auto memory = [](const std::vector<std::string>& arguments) {
    const ProgramRun& run = once(arguments);
    return sample_of(run.peak_mebibytes, run);
  };
  const auto exhaustive = audit({kCasts}, "exhaustive");
  const auto standard = audit({kCasts, kWindows}, "standard");
  rows.push_back({"program.list", "assay list, both contracts", "ms", at_most(50), 15, [] {
                    const ProgramRun run = run_assay({"list", kCasts, kWindows});
                    return Sample{run.seconds * 1e3, {{"CPU, ms", run.processor_seconds * 1e3}}};
                  }});
  rows.push_back(
      {"program.quick", "audit, quick, both contracts, 2 processors", "s", at_most(10), 3, [] {
         const ProgramRun run = run_assay(audit({kCasts, kWindows}, "quick"));
         return sample_of(run.seconds, run);
       }});
  rows.push_back({"program.cores", "audit, standard, casts to 16 bits: time on 1 / on 2 processors",
                  "", at_least(1.8), 1, one_against_two,
                  "of the casts, those from f32, f64, f16 and bf16 to f16 and bf16"});
  rows.push_back({"program.standard", "audit, standard, both contracts, 2 processors", "s",
                  at_most(60), 1, [=] { return elapsed(standard); }});
  rows.push_back({"program.standard.memory", "the same: peak memory of all its processes (PSS)",
                  "MiB", at_most(300), 1, [=] { return memory(standard); }});
  rows.push_back({"program.exhaustive", "audit, exhaustive, casts, 2 processors", "s", at_most(180),
                  1, [=] { return elapsed(exhaustive); }});
  rows.push_back({"program.exhaustive.memory", "the same: peak memory of all its processes (PSS)",
                  "MiB", at_most(300), 1, [=] { return memory(exhaustive); }});
}

}  // namespace assay::benchmarks
