// A job: one contract in one dtype bound to the kernel that claims to keep it.
#pragma once

#include <string>
#include <vector>

#include "audit/options.h"
#include "audit/window/share.h"
#include "audit/window/values.h"
#include "kernels/registry.h"

namespace assay::window {

struct Job {
  const fkc::KernelContract* contract = nullptr;
  std::string kernel_name;  ///< the contract's, with the dtype where it lists several
  std::string entry_point;
  /// Why the kernel cannot be audited here; empty if it can. The members below are then set.
  std::string not_run;

  Operation operation;
  const Kernel* kernel = nullptr;
  std::vector<const KernelVariant*> variants;  ///< those asked for, in registry order
  std::uint64_t seed = 1;                      ///< of the audit, for tokens; as the next
  Effort effort = Effort::kStandard;
  std::vector<Case> cases;  ///< the probe space of the sweeps
  /// Of poolings of 16-bit formats: first values of pairs, each of which meets every pattern.
  std::vector<Bits> firsts;
  std::string choice;  ///< what the cases depend on: "seed 1, effort quick"
  Share share = {};    ///< what of it runs here
};

/// Chooses the cases of a job for the effort asked for.
void plan(Job& job, const AuditOptions& options);

}  // namespace assay::window
