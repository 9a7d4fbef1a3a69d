// From a violation seen in a sweep to the simplest case that shows it, verified again in a fresh
// process.
#pragma once

#include <cstdint>
#include <vector>

#include "audit/drive.h"
#include "audit/job.h"
#include "audit/judge/bitwise.h"

namespace assay {

/// A violation to be verified and simplified.
struct WitnessRequest {
  std::uint32_t job = 0;
  std::uint32_t variant = 0;
  ClaimKind claim = ClaimKind::kRounding;
  Violations seen;
  std::uint32_t reference = 0;  ///< `bitwise`: the variant to compare with
  std::vector<ChunkPlace> uncounted =
      {};  ///< `bitwise`: chunks whose differences are to be counted
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
  bool other_bits = false;      ///< the very same block gave something else at that place:
  Bits got_again = 0;           ///< this
  bool counted = false;         ///< `bitwise`: all of the chunks asked for
  std::uint64_t differing = 0;  ///< results that differ in them
};

/// Verifies and simplifies all requests in worker processes. Fewest elements first, then the
/// simplest bits (fewest set, then the smallest number). Deterministic. For `bitwise`, `seen` names
/// the space and chunk in which the variant's outputs differ from the reference's, whose result is
/// then the expected one.
std::vector<Witness> find_witnesses(const std::vector<Job>& jobs, const AuditOptions& options,
                                    const std::vector<WitnessRequest>& requests);

}  // namespace assay
