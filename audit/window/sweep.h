// Sweeps: a kernel variant driven over a stretch of the job's cases, each result compared with its
// truth.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "audit/window/job.h"
#include "audit/window/rules.h"
#include "audit/worker/pool.h"
#include "audit/worker/runner.h"
#include "contracts/measure.h"

namespace assay::window {

/// Cases of one sweep.
inline constexpr std::size_t kCasesPerChunk = 12;

/// Stands for a case outside of the job's: one window with a pair of values (pairs.h).
inline constexpr std::uint32_t kPairCase = ~std::uint32_t{0};

/// A result that shows something.
struct Place {
  std::uint32_t in_case = 0;  ///< of the job, or kPairCase
  std::uint64_t result = 0;
  Bits got = 0;
  std::uint32_t pair = 0;  ///< where `in_case` says so: first value << 16 | second
};

/// The call that a place is in, or for a pair the smallest one like it.
Case case_of(const Job& job, const Place& place);

struct ClaimCount {
  std::uint64_t probes = 0;  ///< results in the claim's scope
  std::uint64_t violations = 0;
  std::uint64_t earliest = 0;  ///< which of all results the first violation was, from 1
  std::size_t size = 0;        ///< tensor elements of the case of `first`
  Place first;                 ///< in the smallest case

  /// `before`: how many results there were before those among which `other` were counted.
  void add(const ClaimCount& other, std::uint64_t before = 0);
};

/// Rows of numbers of terms: 0, 1, 2, 3 to 4, 5 to 8, and so on by powers of two.
inline constexpr std::size_t kTermRows = 24;
constexpr std::size_t term_row(std::uint64_t terms) {
  if (terms < 2) return static_cast<std::size_t>(terms);
  return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(terms - 1)) + 1,
                               kTermRows - 1);
}
constexpr std::array<double, kTermRows> no_shares() {
  std::array<double, kTermRows> shares{};
  shares.fill(-1);
  return shares;
}

/// Of a measure: its largest value and where.
struct Worst {
  double value = -1;
  double condition = 1;
  Place at;

  void take(double candidate, double condition_there, const Place& place) {
    if (candidate > value) *this = {candidate, condition_there, place};
  }
};

/// What one stretch showed. Trivially copyable: workers write it to shared memory.
struct SweepTally {
  std::uint64_t probes = 0;  ///< results
  std::uint64_t calls = 0;
  std::uint64_t cases = 0;
  double seconds = 0;         ///< processor time, all in all
  double kernel_seconds = 0;  ///< elapsed in the calls
  CallFault fault = CallFault::kNone;
  char fault_text[240] = {};
  std::uint64_t environment_changes = 0;
  char environment_change[160] = {};
  std::uint64_t input_changes = 0;

  std::array<ClaimCount, kResultClaimCount> claims{};

  /// Measured whether claimed or not, of sums that cannot overflow and of windows with numbers.
  std::uint64_t measured = 0;
  std::uint64_t unmeasured = 0;  ///< finite operands, but a partial sum might overflow
  std::array<std::uint64_t, kErrorEdges.size()> error_rows{};
  std::uint64_t max_distance = 0;
  Worst ulp;
  Worst relative;
  Worst absolute;
  /// Of sums whose bound is not 0, by how many products they have: the largest error over the
  /// bound; -1 where there is none.
  std::array<double, kTermRows> bound_shares = no_shares();

  // Where contracts are silent.
  std::uint64_t zero_sums = 0;
  std::uint64_t negative_zero_sums = 0;
  std::uint64_t gap_decides = 0;  ///< results that tell padding skipped from padding multiplied
  std::uint64_t gap_gives_nan = 0;
  std::uint64_t bias_decides = 0;  ///< results that tell the bias first from the bias last
  std::uint64_t bias_last = 0;
  std::uint64_t only_nans = 0;
  std::uint64_t only_nans_give_nan = 0;
  std::uint64_t both_zeros = 0;
  std::uint64_t both_zeros_give_negative = 0;

  /// Of stretches in the plan's order.
  void merge(const SweepTally& other);
};

/// Of one variant's results in one case.
struct CaseDigest {
  bool ran = false;
  std::uint64_t bits = 0;     ///< XXH3-64 of the results
  std::uint64_t one_nan = 0;  ///< the same with every NaN as the canonical one
};

/// Judges one result, which `seen` says, in a call whose truths `source` knows: counts it under
/// every claim that it bears on, measures it, and notes what it shows where contracts are silent.
void judge_one(const Job& job, const Rules& rules, const Place& seen, TruthSource& source,
               const Truth& truth, SweepTally& tally);

/// Drives `variant` over the cases first … first + count - 1. `truths[i]` are those of case
/// first + i; `digests[i]` is filled.
void sweep(const Job& job, const KernelVariant& variant, const Rules& rules, std::size_t first,
           std::span<const std::span<const Truth>> truths, std::span<CaseDigest> digests,
           Heartbeat& heartbeat, SweepTally& tally);

}  // namespace assay::window
