#include "audit/window/testing/judged.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <stdexcept>

#include "audit/options.h"

namespace assay::window::testing {

namespace {

KernelFunction scalar = nullptr;

std::unique_ptr<Job> make_job(const std::string& kernel, Dtype dtype) {
  static const fkc::Document document =
      fkc::read_document(ASSAY_SOURCE_DIR "/contracts/reference/conv-pool.fkc.md");
  static const Registry registry = built_in_registry();
  auto made = std::make_unique<Job>();
  for (const fkc::KernelContract& contract : document.kernels) {
    if (contract.kernel == kernel) made->contract = &contract;
  }
  if (made->contract == nullptr) throw std::runtime_error("no contract of " + kernel);
  const std::string why = read_operation(*made->contract, dtype, made->operation);
  if (!why.empty()) throw std::runtime_error(why);
  made->kernel_name = kernel;
  made->entry_point = fmt::format("fuel_reference_backend::ops::{}_{}", kernel, traits(dtype).name);
  made->kernel = registry.find(made->entry_point);
  for (const KernelVariant& variant : made->kernel->variants) made->variants.push_back(&variant);
  AuditOptions options;
  options.effort = Effort::kQuick;
  plan(*made, options);
  return made;
}

}  // namespace

const Job& job(const std::string& kernel, Dtype dtype) {
  static std::map<std::pair<std::string, Dtype>, std::unique_ptr<Job>> jobs;
  std::unique_ptr<Job>& found = jobs[{kernel, dtype}];
  if (found == nullptr) found = make_job(kernel, dtype);
  return *found;
}

CallTally judge(CallJudge judge, const Job& job, const KernelVariant& variant, std::uint64_t seed) {
  scalar = job.kernel->variants.front().function;
  std::atomic<std::uint64_t> ticks{0};
  std::atomic<std::uint64_t> place{0};
  std::atomic<std::uint64_t> work{0};
  Heartbeat heartbeat(ticks, place, work);
  EnvironmentLog log;
  Subject subject{job, variant, seed, heartbeat, log};
  CallTally tally;
  judge(subject, tally);
  return tally;
}

CallTally judge(CallJudge judge, const Job& job, KernelFunction function) {
  return testing::judge(judge, job, KernelVariant{"scalar", function});
}

KernelStatus real(KernelCall& call) {
  return scalar(call);
}

bool refuted(const CallTally& tally) {
  return tally.fault == CallFault::kNone && tally.violations > 0 && tally.has_example &&
         tally.example.why[0] != '\0' && tally.example.circumstances[0] != '\0';
}

bool upheld(const CallTally& tally) {
  return tally.fault == CallFault::kNone && tally.violations == 0 && tally.probes > 0 &&
         tally.probes == tally.planned && tally.instabilities.count == 0 &&
         tally.input_changes.count == 0 && tally.undecidable[0] == '\0' && tally.space[0] != '\0';
}

std::string text(const CallTally& tally) {
  return fmt::format(
      "probes {} of {}, violations {}, fault '{}', undecidable '{}'\nwhy: {}\ncircumstances: {}\n"
      "instabilities {}: {}\ninput changes {}: {}\nobservation: {}\nspace: {}",
      tally.probes, tally.planned, tally.violations, tally.fault_text, tally.undecidable,
      tally.example.why, tally.example.circumstances, tally.instabilities.count,
      tally.instabilities.first.why, tally.input_changes.count, tally.input_changes.first.why,
      tally.observation, tally.space);
}

}  // namespace assay::window::testing
