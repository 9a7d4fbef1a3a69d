// From contracts to jobs: which kernel is to be audited, and how.
#pragma once

#include <cstddef>
#include <vector>

#include "audit/job.h"
#include "audit/window/job.h"

namespace assay {

/// The jobs of all contracts, by family of kernels.
struct Bound {
  enum class Family : std::uint8_t { kCast, kWindow };
  struct Slot {
    Family family;
    std::size_t index;  ///< into the family's jobs
  };

  std::vector<Job> casts;
  std::vector<window::Job> windows;
  std::vector<Slot> order;  ///< that of the documents
};

/// Binds contracts to kernels, one job for each dtype that a contract fans out over. Kernels whose
/// name (the contract's, or that with the dtype) matches no pattern of `options.only` are left out;
/// a kernel that cannot be audited gives a job that says why. Throws UsageError when a pattern
/// matches nothing.
[[nodiscard]] Bound bind(const std::vector<fkc::Document>& documents, const Registry& registry,
                         const AuditOptions& options);

}  // namespace assay
