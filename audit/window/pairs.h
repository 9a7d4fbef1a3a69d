// Poolings of 16-bit formats: windows of two different values, every pair of patterns or many.
#pragma once

#include <cstdint>
#include <vector>

#include "audit/options.h"
#include "audit/window/rules.h"
#include "audit/window/sweep.h"

namespace assay::window {

/// Whether the operation is a pooling whose pairs can be gone through: of a 16-bit format, with a
/// window of 2x2 and a stride of 2.
bool has_pairs(const Operation& operation);

/// `windows` windows side by side: an image of two rows.
Geometry pair_geometry(std::size_t windows);

/// The first values of the pairs at this effort; each meets every pattern as the second. At
/// `exhaustive` all patterns, else special values and others at even distances.
std::vector<Bits> first_values(Dtype dtype, Effort effort);

/// Patterns of a 16-bit format.
inline constexpr std::uint64_t kPatterns = 65536;

/// First values of one unit of work.
inline constexpr std::size_t kFirstsPerChunk = 32;

/// The call in which two values met, one of many windows, and which of them.
struct PairCall {
  Geometry geometry;
  Tensors tensors;
  std::size_t result = 0;
};
PairCall pair_call(Bits first, Bits second);

/// Drives `variant` over all pairs of the given first values. Each window holds first and second
/// value twice, side by side, so that both orders and the neighbourhood of every other second value
/// occur.
void sweep_pairs(const Job& job, const KernelVariant& variant, const Rules& rules,
                 std::span<const Bits> firsts, Heartbeat& heartbeat, SweepTally& tally);

}  // namespace assay::window
