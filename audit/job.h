// A job of the family of casts: one contract bound to the kernel that claims to keep it, with all
// that is needed to judge the kernel's results.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "audit/judge/cells.h"
#include "audit/judge/sweep.h"
#include "audit/options.h"
#include "audit/probe/space.h"
#include "contracts/fkc/document.h"
#include "kernels/registry.h"
#include "oracles/cast_oracle.h"

namespace assay {

struct Job {
  const fkc::KernelContract* contract = nullptr;
  /// Why the kernel cannot be audited here; empty if it can. The members below are then set.
  std::string not_run;

  const Kernel* kernel = nullptr;
  std::vector<const KernelVariant*> variants;  ///< those asked for, in registry order
  std::uint64_t seed = 1;                      ///< of the audit, for tokens; as the next
  Effort effort = Effort::kStandard;
  std::unique_ptr<oracle::CastOracle> oracle;
  std::unique_ptr<CellMap> cells;
  std::unique_ptr<Rules> rules;

  std::vector<std::unique_ptr<ProbeSpace>> spaces;
  /// assigned[v][s]: variant v is driven over space s.
  std::vector<std::vector<bool>> assigned;
};

/// Chooses the probe spaces of a job for the effort asked for.
void plan(Job& job, const AuditOptions& options);

}  // namespace assay
