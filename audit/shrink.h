// From a violation seen in a sweep to the simplest case that shows it, verified again in a fresh
// process.
#pragma once

#include <cstdint>
#include <vector>

#include "audit/drive.h"
#include "audit/job.h"

namespace assay {

/// A violation to be verified and simplified.
struct WitnessRequest {
  std::uint32_t job = 0;
  std::uint32_t variant = 0;
  ClaimKind claim = ClaimKind::kRounding;
  Violations seen;
};

/// The simplest case found. Trivially copyable: workers write it to shared memory.
struct Witness {
  bool tried = false;       ///< the search ran to its end
  bool reproduced = false;  ///< the violation was seen again
  std::uint32_t elements = 0;
  std::uint32_t position = 0;
  Bits inputs[kBlockProbes] = {};
  Bits input = 0;  ///< the element concerned
  Bits got = 0;
  Bits expected = 0;
};

/// Verifies and simplifies all requests in worker processes. Fewest elements first, then the
/// simplest bits (fewest set, then the smallest number). Deterministic. For `bitwise`, `seen` names
/// the space and chunk in which the variant's outputs differ from the first variant's, whose result
/// is then the expected one.
std::vector<Witness> find_witnesses(const std::vector<Job>& jobs, const AuditOptions& options,
                                    const std::vector<WitnessRequest>& requests);

}  // namespace assay
