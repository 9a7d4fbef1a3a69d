// Sweeps: a kernel variant driven over one chunk of a probe space and compared with the oracle.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "audit/judge/cells.h"
#include "audit/judge/census.h"
#include "audit/judge/deviations.h"
#include "audit/probe/space.h"
#include "audit/worker/pool.h"
#include "audit/worker/runner.h"
#include "contracts/fkc/document.h"
#include "oracles/cast_oracle.h"

namespace assay {

/// Claims that are judged element by element: the first ten of `kClaims`.
inline constexpr std::size_t kElementClaims = 10;
static_assert(static_cast<std::size_t>(ClaimKind::kDomainExact) == kElementClaims - 1);

/// The rules that results are judged by: what the contract declares, or for what it leaves open the
/// rule that deviations are measured from.
struct Rules {
  std::array<bool, kElementClaims> declared{};
  std::uint64_t max_ulp = 0;
  double max_relative = 0;
  double max_absolute = 0;
  OverflowRule overflow = OverflowRule::kInfinity;
  NanRule nan = NanRule::kPreserved;

  explicit Rules(const fkc::KernelContract& contract);

  /// The claims that are declared, as a ClaimSet.
  std::uint32_t declared_set() const;
};

/// Which element claims a result violates, as a bit set over ClaimKind.
using ClaimSet = std::uint32_t;
constexpr ClaimSet bit(ClaimKind kind) {
  return ClaimSet{1} << static_cast<unsigned>(kind);
}

/// The result that is due where the oracle's is `expected`: the same, but the largest finite number
/// where the exact result is out of a floating format's range and the contract saturates.
Bits due_result(const Rules& rules, const Cell& cell, const oracle::CastOperation& operation,
                Bits expected);

/// Judges one result, where `expected` is the oracle's. Only claims with the input in scope can be
/// violated. A result equal to the one that is due violates nothing but possibly a relative or
/// absolute bound.
ClaimSet violated(const Rules& rules, const Cell& cell, const oracle::CastOperation& operation,
                  Bits input, Bits got, Bits expected);

/// The violations of one claim: how many, the first, and the simplest.
struct Violations {
  std::uint64_t count = 0;
  std::uint64_t first = 0;  ///< which of the probes it was, from 1
  Bits input = 0;
  Bits got = 0;
  Bits expected = 0;
  std::uint32_t space = 0;  ///< of the job
  std::uint64_t chunk = 0;
  std::uint64_t block = 0;
  std::uint32_t position = 0;

  /// `before`: how many probes ran before those among which `other` were counted.
  void add(const Violations& other, std::uint64_t before = 0);
};

/// What one chunk showed. Trivially copyable: workers write it to shared memory.
struct SweepTally {
  std::uint64_t probes = 0;
  std::uint64_t digest =
      0;  ///< XXH3-64 of the outputs in order; outside the contract, of the oracle's
  std::uint64_t calls = 0;
  double seconds = 0;  ///< CPU time
  CallFault fault = CallFault::kNone;
  char fault_text[240] = {};
  std::uint64_t environment_changes = 0;
  char environment_change[160] = {};

  std::array<Violations, kElementClaims> violations{};

  std::uint64_t unlike_due = 0;  ///< results inside the contract that are not the due ones
  /// Infinities where a finite result is due: violations of an overflow rule beside its own scope.
  std::uint64_t infinite_too_early = 0;

  /// Results that differ from the oracle's, and how the error histogram changes by them.
  std::uint64_t differing = 0;
  std::array<std::int64_t, kErrorRows> error_row_changes{};
  std::uint64_t max_distance = 0;
  Bits max_distance_input = 0;
  Bits max_distance_got = 0;
  std::uint64_t without_distance = 0;  ///< NaNs where a finite result is due
  /// The largest error that a correctly rounded result would have had where there is another one.
  double lost_error = -1;
  double max_error = -1;
  Bits max_error_input = 0;
  Bits max_error_got = 0;
  double max_relative = 0;
  double max_absolute = 0;

  // Behaviour that is measured whether claimed or not, as deviations from the oracle's convention.
  std::uint64_t nan_lost = 0;
  std::uint64_t nan_sign_changed = 0;
  std::uint64_t nan_not_quiet = 0;
  std::uint64_t nan_payload_changed = 0;
  std::uint64_t caller_error_differing = 0;  ///< neither saturated nor (for NaN) zero

  bool deviates = false;  ///< the chunk's deviations are not all zero

  /// Of chunks in the plan's order.
  void merge(const SweepTally& other);
};

/// Drives `runner`, which keeps `log`, over a chunk. Adds to `deviations` as well as to `tally`.
void sweep(CastRunner& runner, const EnvironmentLog& log, const ProbeSpace& space,
           std::uint64_t chunk, const oracle::CastOracle& oracle, const CellMap& cells,
           const Rules& rules, Heartbeat& heartbeat, SweepTally& tally, Deviations& deviations);

}  // namespace assay
