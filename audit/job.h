// A job: one contract bound to the kernel that claims to keep it, with all that is needed to judge
// the kernel's results.
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
  std::unique_ptr<oracle::CastOracle> oracle;
  std::unique_ptr<CellMap> cells;
  std::unique_ptr<Rules> rules;

  std::vector<std::unique_ptr<ProbeSpace>> spaces;
  /// assigned[v][s]: variant v is driven over space s.
  std::vector<std::vector<bool>> assigned;
};

/// Binds contracts to kernels. Kernels whose name matches no pattern of `options.only` are left
/// out; a kernel that cannot be audited gives a job that says why. Throws UsageError when a pattern
/// matches nothing.
std::vector<Job> bind(const std::vector<fkc::Document>& documents, const Registry& registry,
                      const AuditOptions& options);

/// Chooses the probe spaces of a job for the effort asked for.
void plan(Job& job, const AuditOptions& options);

}  // namespace assay
