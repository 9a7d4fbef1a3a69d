// Kernels driven in this process, for tests of sweeps.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "audit/window/sweep.h"
#include "audit/window/testing/reading.h"

namespace assay::window::testing {

/// A job of one kernel whose variants are given. Not to be moved: the job points into it.
struct Driven {
  Reading reading;
  Kernel kernel;
  Job job;
};

/// Of a contract of conv-pool.fkc.md, as it is.
std::unique_ptr<Driven> driven(const std::string& kernel, Dtype dtype,
                               std::vector<KernelVariant> variants, std::vector<Case> cases = {});
/// Of another one.
std::unique_ptr<Driven> driven(Reading reading, std::vector<KernelVariant> variants,
                               std::vector<Case> cases = {});

/// The built-in scalar kernel.
KernelStatus healthy(KernelCall& call, const std::string& kernel, Dtype dtype);

/// Truths of all cases, one after the other.
std::vector<std::vector<Truth>> truths_of(const Job& job);

/// A sweep of one variant over all cases.
SweepTally swept(const Job& job, std::size_t variant = 0,
                 std::vector<CaseDigest>* digests = nullptr);

/// A heartbeat that nobody listens to.
Heartbeat unheard();

const ClaimCount& count_of(const SweepTally& tally, ClaimKind kind);

}  // namespace assay::window::testing
