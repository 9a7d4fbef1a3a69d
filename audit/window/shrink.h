// From a violation seen in a sweep to the simplest call that shows it, verified again in a fresh
// process.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "audit/window/check.h"
#include "audit/window/drive.h"
#include "audit/window/job.h"

namespace assay::window {

/// A violation to be verified and simplified.
struct WitnessRequest {
  std::uint32_t variant = 0;
  ClaimKind claim = ClaimKind::kAccumulator;  ///< of kResultClaims, or kBitwise
  Place seen;
  std::vector<std::uint32_t> cases = {};  ///< kBitwise: all that differ
  std::uint32_t reference = 0;            ///< kBitwise: the variant to compare with
};

/// Runs of equal elements that are kept of each operand of a witness.
inline constexpr std::size_t kWitnessRuns = 2048;

/// Trivially copyable, without padding.
struct Run {
  Bits bits = 0;
  std::uint64_t times = 0;
};

/// The simplest call found. Trivially copyable: workers write it to shared memory.
struct Witness {
  bool tried = false;       ///< the search ran to its end
  bool reproduced = false;  ///< the violation was seen again
  Geometry geometry;
  std::uint64_t result = 0;
  Bits got = 0;
  Truth truth;
  Bits reference = 0;            ///< of the reference, for kBitwise
  double error = 0;              ///< what the claim bounds, in its measure
  std::uint64_t differing = 0;   ///< kBitwise: results that differ, in all cases
  char failure[240] = {};        ///< how the search ended, where it was cut off; empty if not
  std::uint32_t counts[3] = {};  ///< elements of x, weight, bias
  Run runs[3][kWitnessRuns] = {};

  /// The operands, as far as the runs go.
  Tensors tensors() const;
  /// Whether that is all of them.
  bool is_whole() const;
};

/// Verifies and simplifies all requests in worker processes: geometry first, then values. The same
/// every time, unless the time runs out: a minute, or shortly after `deadline`. Sets `*interrupted`
/// where a signal ended it.
std::vector<Witness> find_witnesses(const Job& job, const AuditOptions& options,
                                    const std::vector<WitnessRequest>& requests,
                                    const Deadline& deadline = std::nullopt,
                                    bool* interrupted = nullptr);

}  // namespace assay::window
