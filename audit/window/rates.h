// How fast a variant is, by the operations and bytes that the contract's cost formulas count.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/window/job.h"
#include "audit/worker/pool.h"
#include "audit/worker/runner.h"

namespace assay::window {

/// A geometry of a size at which the loop itself is what takes the time.
struct RateGeometry {
  std::string what;  ///< "3x3 window, 16 to 16 channels, 32x32 results"
  Geometry geometry;
};

/// Those that the operation admits: dense, depthwise, strided.
std::vector<RateGeometry> rate_geometries(const Operation& operation);
inline constexpr std::size_t kMostRates = 4;

/// Trivially copyable: workers write it to shared memory.
struct RateTally {
  double seconds[kMostRates] = {};  ///< of one call, the least of several; 0 where it was refused
  char fault[240] = {};             ///< the first refusal of a valid call; empty if none
};

void measure_rates(const Job& job, const KernelVariant& variant, Heartbeat& heartbeat,
                   RateTally& tally);

/// What the contract's formula counts for a geometry, or nothing where it has no value.
std::optional<double> flops(const Operation& operation, const Geometry& geometry);
std::optional<double> bytes_moved(const Operation& operation, const Geometry& geometry);

}  // namespace assay::window
