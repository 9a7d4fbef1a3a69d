#include "audit/window/testing/driven.h"

#include <atomic>
#include <map>
#include <stdexcept>

namespace assay::window::testing {

std::unique_ptr<Driven> driven(Reading reading, std::vector<KernelVariant> variants,
                               std::vector<Case> cases) {
  if (!reading.why_not.empty()) throw std::runtime_error(reading.why_not);
  auto made = std::make_unique<Driven>();
  made->reading = std::move(reading);
  made->kernel.variants = std::move(variants);
  Job& job = made->job;
  job.operation = made->reading.operation;
  job.contract = job.operation.contract;
  job.kernel_name = job.contract->kernel;
  job.entry_point = "test";
  job.kernel = &made->kernel;
  for (const KernelVariant& variant : made->kernel.variants) job.variants.push_back(&variant);
  job.cases = std::move(cases);
  return made;
}

std::unique_ptr<Driven> driven(const std::string& kernel, Dtype dtype,
                               std::vector<KernelVariant> variants, std::vector<Case> cases) {
  return driven(read_edited(kernel, dtype, {}), std::move(variants), std::move(cases));
}

KernelStatus healthy(KernelCall& call, const std::string& kernel, Dtype dtype) {
  static const Registry registry = built_in_registry();
  static std::map<std::pair<std::string, Dtype>, KernelFunction> found;
  KernelFunction& function = found[{kernel, dtype}];
  if (function == nullptr) {
    const std::string name =
        "fuel_reference_backend::ops::" + kernel + "_" + std::string(traits(dtype).name);
    function = registry.find(name)->variant("scalar")->function;
  }
  return function(call);
}

std::vector<std::vector<Truth>> truths_of(const Job& job) {
  std::vector<std::vector<Truth>> all;
  for (const Case& the_case : job.cases) {
    const Tensors tensors = make_tensors(job.operation, the_case);
    TruthSource source(job.operation, the_case.geometry, tensors);
    std::vector<Truth>& truths = all.emplace_back();
    const std::size_t results = elements(output_shape(the_case.geometry));
    for (std::size_t r = 0; r < results; ++r) truths.push_back(source.truth(r));
  }
  return all;
}

SweepTally swept(const Job& job, std::size_t variant, std::vector<CaseDigest>* digests) {
  const std::vector<std::vector<Truth>> truths = truths_of(job);
  const std::vector<std::span<const Truth>> spans(truths.begin(), truths.end());
  std::vector<CaseDigest> unwanted;
  std::vector<CaseDigest>& filled = digests == nullptr ? unwanted : *digests;
  filled.assign(job.cases.size(), {});
  Heartbeat heartbeat = unheard();
  SweepTally tally;
  sweep(job, *job.variants[variant], Rules(job.operation), 0, spans, filled, heartbeat, tally);
  return tally;
}

Heartbeat unheard() {
  static std::atomic<std::uint64_t> ticks{0};
  static std::atomic<std::uint64_t> place{0};
  static std::atomic<std::uint64_t> work{0};
  return Heartbeat(ticks, place, work);
}

const ClaimCount& count_of(const SweepTally& tally, ClaimKind kind) {
  return tally.claims[result_claim_row(kind)];
}

}  // namespace assay::window::testing
