// A convolution whose arguments have been checked: extents, steps and addresses, in elements. What
// follows needs no further check and cannot overflow.
//
// Along each spatial axis an output coordinate o meets the input through pairs of a kernel position
// k and an input coordinate i. A convolution gathers: i = o * stride - padding + k * dilation. A
// transposed one scatters: o = i * stride - padding + k * dilation. Either way the pairs of one o,
// in the order in which the sum takes them, are two arithmetic progressions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace assay::conv {

enum class Direction : std::uint8_t { kGather, kScatter };

/// One spatial axis.
struct Axis {
  std::int64_t input;   ///< extent of x
  std::int64_t kernel;  ///< extent of the weight, 1 or more
  std::int64_t output;  ///< extent of the output
  std::int64_t stride;
  std::int64_t padding;
  std::int64_t dilation;
  /// Scattered: stride / gcd(stride, dilation), the distance of the kernel positions that reach
  /// one output, and dilation / gcd(stride, dilation), that of their input coordinates.
  std::int64_t kernel_step = 1;
  std::int64_t input_step = 1;
};

/// The pairs of an output coordinate in the order of summation: (kernel, input), then each with its
/// step added, `count` in all. Input coordinates ascend.
struct Taps {
  std::int64_t count;
  std::int64_t kernel;
  std::int64_t kernel_step;
  std::int64_t input;
  std::int64_t input_step;
};

struct Plan {
  Direction direction;
  std::int64_t batch;
  std::int64_t groups;
  std::int64_t in_channels;   ///< of one group
  std::int64_t out_channels;  ///< of one group
  Axis rows;
  Axis columns;
  std::int64_t x_elements;
  std::int64_t out_elements;     ///< not 0 where a loop runs
  std::int64_t x_plane;          ///< from one channel of x to the next
  std::int64_t out_plane;        ///< from one channel of the output to the next
  std::int64_t filter;           ///< elements of one output channel's filter for one input channel
  std::int64_t weight_in_step;   ///< from one input channel's filter to the next one's
  std::int64_t weight_out_step;  ///< from one output channel's filter to the next one's
  const std::byte* x;
  const std::byte* weight;
  const std::byte* bias;  ///< one element per output channel of all groups, or null
  std::byte* out;
};

/// All taps of output coordinate `o`, those in the padding (outside 0 <= input < axis.input) too.
constexpr Taps taps_of(const Axis& axis, Direction direction, std::int64_t o) {
  if (direction == Direction::kGather) {
    return {axis.kernel, 0, 1, o * axis.stride - axis.padding, axis.dilation};
  }
  // The input ascends as the kernel position descends: from the last one that fits the stride.
  const std::int64_t padded = o + axis.padding;
  for (std::int64_t k = axis.kernel - 1; k >= 0 && k >= axis.kernel - axis.kernel_step; --k) {
    const std::int64_t distance = padded - k * axis.dilation;
    if (distance % axis.stride != 0) continue;
    return {k / axis.kernel_step + 1, k, -axis.kernel_step, distance / axis.stride,
            axis.input_step};
  }
  return {0, 0, 0, 0, 0};
}

/// The least i >= 0 with first + i * step >= 0, for step > 0.
constexpr std::int64_t first_inside(std::int64_t first, std::int64_t step) {
  return first >= 0 ? 0 : (-(first + 1)) / step + 1;
}

/// How many i >= 0 have first + i * step < extent, for step > 0.
constexpr std::int64_t count_below(std::int64_t first, std::int64_t step, std::int64_t extent) {
  return first >= extent ? 0 : (extent - 1 - first) / step + 1;
}

/// Without the taps in the padding of an input of `extent`.
constexpr Taps inside(Taps taps, std::int64_t extent) {
  if (taps.count == 0) return taps;
  const std::int64_t skipped = first_inside(taps.input, taps.input_step);
  const std::int64_t end = std::min(taps.count, count_below(taps.input, taps.input_step, extent));
  if (skipped >= end) return {0, 0, 0, 0, 0};
  return {end - skipped, taps.kernel + skipped * taps.kernel_step, taps.kernel_step,
          taps.input + skipped * taps.input_step, taps.input_step};
}

}  // namespace assay::conv
