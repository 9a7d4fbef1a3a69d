// One input of a cast, step by step: what is due, and what each variant gives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/job.h"
#include "oracles/cast_steps.h"

namespace assay {

/// Elements of a tensor in which an input stands as every lane of a vector, of whole vectors and of
/// the rest behind them.
inline constexpr std::size_t kLanes = 131;

/// One result, and how often it came.
struct LaneResult {
  Bits bits = 0;
  std::size_t first = 0;  ///< the first element that gave it
  std::size_t count = 0;
};

/// What one variant gives.
struct CastGiven {
  std::string variant;
  std::string failure;  ///< why nothing is known; empty if it is
  Bits alone = 0;       ///< in a tensor of this one element
  /// In a tensor of kLanes elements that are all the input: every result, by its first element.
  std::vector<LaneResult> lanes;

  /// Of `alone`: every rule of rounding that gives it. Empty for NaNs and infinities.
  std::vector<std::string_view> fits;
  /// Steps from the due result, none where one of them is a NaN; and |result - y| in ulps of y,
  /// where both are finite.
  std::optional<std::uint64_t> ulp_distance;
  std::optional<double> ulp_error;
  /// Claims of the contract that any of the results breaks, by the audit's own rules.
  std::vector<ClaimKind> broken;
};

struct CastExplanation {
  std::string kernel;
  oracle::CastOperation operation;
  Bits input = 0;
  oracle::CastSteps steps;
  Bits due = 0;                  ///< by the contract, where `nothing_due` is false
  bool any_nan = false;          ///< any NaN will do for it
  bool nothing_due = false;      ///< the contract does not say what such an input gives
  bool caller_error = false;     ///< the contract makes such an input the caller's error
  std::vector<CastGiven> given;  ///< by variant of the job
};

/// Explains `input`, a pattern of the job's source format. The variants run in worker processes;
/// one that crashes or hangs says so. Throws AuditError where the oracle cannot be trusted.
CastExplanation explain_cast(const std::vector<Job>& jobs, Bits input, const AuditOptions& options);

}  // namespace assay
