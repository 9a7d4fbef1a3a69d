#include "audit/fuzz/subjects.h"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "contracts/fuzz/demand.h"
#include "kernels/mutants/mutants.h"

namespace assay::fuzz {

namespace {

/// By its path from the source folder on, which tokens then name.
fkc::Document document(const std::string& path) {
  std::ifstream stream(std::string(ASSAY_SOURCE_DIR "/") + path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  fkc::Document read = fkc::parse_document(text, path);
  demand(!read.kernels.empty() && !fkc::has_errors(read.diagnostics), "a contract without faults");
  return read;
}

Registry registry_of(const char* mutant_name) {
  Registry built_in = built_in_registry();
  if (mutant_name == nullptr) return built_in;
  std::vector<Mutant> mutants = cast_mutants();
  for (Mutant& mutant : window_mutants()) mutants.push_back(std::move(mutant));
  std::vector<Kernel> kernels = built_in.kernels();
  bool found = false;
  for (const Mutant& mutant : mutants) {
    if (mutant.name != mutant_name) continue;
    for (Kernel& kernel : kernels) {
      if (kernel.entry_point != mutant.entry_point) continue;
      kernel.variants = {kernel.variants.front(), {"mutant", mutant.function}};
      found = true;
    }
  }
  demand(found, "a mutant of the name in ASSAY_FUZZ_MUTANT");
  return Registry(std::move(kernels));
}

}  // namespace

const Subjects& subjects() {
  static const Subjects* made = [] {
    auto* all = new Subjects{{document("contracts/reference/cast.fkc.md"),
                              document("contracts/reference/conv-pool.fkc.md")},
                             registry_of(std::getenv("ASSAY_FUZZ_MUTANT")),
                             {}};
    all->bound = assay::bind(all->documents, all->registry, {});
    for (const Job& job : all->bound.casts) demand(job.not_run.empty(), "a cast that is bound");
    for (const window::Job& job : all->bound.windows) {
      demand(job.not_run.empty(), "an operation with windows that is bound");
    }
    return all;
  }();
  return *made;
}

Heartbeat& unheard() {
  static std::atomic<std::uint64_t> ticks{0};
  static std::atomic<std::uint64_t> place{0};
  static std::atomic<std::uint64_t> work{0};
  static Heartbeat heartbeat(ticks, place, work);
  return heartbeat;
}

}  // namespace assay::fuzz
