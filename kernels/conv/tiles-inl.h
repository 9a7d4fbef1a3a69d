// The convolution of a plan on vectors, once per Highway target and arithmetic.
//
// A vector holds outputs, never terms of one sum: each lane adds up its own output in the order
// that conv.h gives, so the lanes' results are those of the scalar loop. Lanes are outputs of one
// row that meet the same kernel positions: neighbours in a convolution; in a transposed one, which
// is computed output by output (plan.h), those `stride` apart. A tile is a few vectors of a few
// output channels, whose sums stay in registers while each pixel is loaded once for all channels.
//
// A lane whose input is in the padding keeps its sum: the mask is on the sum, not on a factor or a
// product, so that nothing is added. Loads may take in neighbours inside x, never anything outside.
//
// An arithmetic is a struct of:
//   Word                       the element as it is stored
//   D, V                       tag and vector of the sums
//   kDeinterleaves             whether vectors of D hold Words, so that two make one of every other
//   kBlockVectors              vectors of a tile of four output channels
//   kSingleVectors             vectors of a tile of one output channel
//   V load(const Word*)        as many elements as lanes; any alignment
//   V broadcast(Word)
//   V add(V, V), V multiply_add(V sum, V a, V b)     sum + a * b in two roundings
//   void store(V, Word*)       NaNs as the canonical one; any alignment

// Highway includes this file once per target.
#if defined(ASSAY_KERNELS_CONV_TILES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_KERNELS_CONV_TILES_INL_H_
#undef ASSAY_KERNELS_CONV_TILES_INL_H_
#else
#define ASSAY_KERNELS_CONV_TILES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "kernels/conv/plan.h"
#include "kernels/highway_compat.h"

HWY_BEFORE_NAMESPACE();
namespace assay::conv {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Outputs of one row that meet the same kernel positions.
struct Segment {
  Taps columns;             ///< of the first output
  std::int64_t lane_step;   ///< input columns from one output to the next
  std::int64_t outputs;     ///< 1 or more
  std::int64_t out_column;  ///< of the first output
  std::int64_t out_step;    ///< columns from one output to the next
};

/// Where a tile reads and writes, in elements.
struct Place {
  std::int64_t x;        ///< the group's first plane of the image
  std::int64_t weight;   ///< the first output channel's filter for that plane
  std::int64_t out;      ///< the row of the first output channel
  std::int64_t channel;  ///< the first output channel, of all groups
};

template <class A>
HWY_INLINE std::int64_t lanes_of() {
  return static_cast<std::int64_t>(hn::Lanes(typename A::D()));
}

template <class A>
HWY_INLINE std::int64_t byte_offset(std::int64_t i) {
  return i * static_cast<std::int64_t>(sizeof(typename A::Word));
}

/// The vector that begins with element `at` of x.
template <class A>
HWY_INLINE typename A::V load_vector(const Plan& plan, std::int64_t at) {
  return A::load(reinterpret_cast<const typename A::Word*>(plan.x + byte_offset<A>(at)));
}

template <class A>
HWY_INLINE typename A::V broadcast_element(const std::byte* base, std::int64_t i) {
  typename A::Word word;
  std::memcpy(&word, base + byte_offset<A>(i), sizeof(word));
  return A::broadcast(word);
}

/// Lanes `begin` to `end` from elements `at` + lane * step, the others zero.
template <class A>
HWY_INLINE typename A::V load_lanes(const Plan& plan, std::int64_t at, std::int64_t step,
                                    std::int64_t begin, std::int64_t end) {
  using Word = typename A::Word;
  HWY_ALIGN Word words[hn::MaxLanes(typename A::D())] = {};
  for (std::int64_t i = begin; i < end; ++i) {
    std::memcpy(&words[i], plan.x + byte_offset<A>(at + i * step), sizeof(Word));
  }
  return A::load(words);
}

/// All lanes, every one inside the row.
template <class A>
HWY_INLINE typename A::V load_inside(const Plan& plan, std::int64_t at, std::int64_t step) {
  const std::int64_t lanes = lanes_of<A>();
  if (HWY_LIKELY(step == 1)) return load_vector<A>(plan, at);
#if HWY_TARGET != HWY_SCALAR  // whose one lane has no other
  if constexpr (A::kDeinterleaves) {
    if (step == 2 && at + 2 * lanes <= plan.x_elements) {
      const auto lower = load_vector<A>(plan, at);
      const auto upper = load_vector<A>(plan, at + lanes);
      return hn::ConcatEven(typename A::D(), upper, lower);
    }
  }
#endif
  return load_lanes<A>(plan, at, step, 0, lanes);
}

/// Lanes `begin` to `end` inside the row; of the others anything.
template <class A>
HWY_INLINE typename A::V load_across_edge(const Plan& plan, std::int64_t at, std::int64_t step,
                                          std::int64_t begin, std::int64_t end) {
  const bool in_tensor = at >= 0 && at <= plan.x_elements - lanes_of<A>();
  if (step == 1 && in_tensor) return load_vector<A>(plan, at);
  return load_lanes<A>(plan, at, step, begin, end);
}

/// The first `lanes` lanes, `step` columns apart.
template <class A>
HWY_INLINE void store_lanes(typename A::V sums, const Plan& plan, std::int64_t at,
                            std::int64_t step, std::int64_t lanes) {
  using Word = typename A::Word;
  if (step == 1 && lanes == lanes_of<A>()) {
    A::store(sums, reinterpret_cast<Word*>(plan.out + byte_offset<A>(at)));
    return;
  }
  HWY_ALIGN Word words[hn::MaxLanes(typename A::D())];
  A::store(sums, words);
  for (std::int64_t i = 0; i < lanes; ++i) {
    std::memcpy(plan.out + byte_offset<A>(at + i * step), &words[i], sizeof(Word));
  }
}

/// `kVectors` vectors of outputs, from output `first` of the segment on, in `kChannels` consecutive
/// output channels. Only the last vector may have fewer outputs than lanes.
template <class A, int kChannels, int kVectors>
HWY_NOINLINE void tile(const Plan& plan, const Taps& rows, const Segment& segment,
                       const Place& place, std::int64_t first) {
  using V = typename A::V;
  const typename A::D d;
  const std::int64_t lanes = lanes_of<A>();
  const Taps& columns = segment.columns;
  const std::int64_t step = segment.lane_step;
  const std::int64_t extent = plan.columns.input;
  // The last input column of lane 0 with which a whole vector is inside the row, or -1.
  const bool fits = extent > 0 && (lanes == 1 || step <= (extent - 1) / (lanes - 1));
  const std::int64_t last_inside = fits ? extent - 1 - (lanes - 1) * step : -1;

  std::int64_t outputs[kVectors];
  std::int64_t origin[kVectors];
  std::int64_t limit[kVectors];
  V sums[kChannels][kVectors];
  for (int v = 0; v < kVectors; ++v) {
    outputs[v] = std::min(lanes, segment.outputs - (first + v * lanes));
    origin[v] = columns.input + (first + v * lanes) * step;
    limit[v] = outputs[v] == lanes ? last_inside : -1;
    for (int c = 0; c < kChannels; ++c) sums[c][v] = hn::Zero(d);
  }

  for (std::int64_t ci = 0; ci < plan.in_channels; ++ci) {
    for (std::int64_t r = 0; r < rows.count; ++r) {
      const std::int64_t row =
          place.x + ci * plan.x_plane + (rows.input + r * rows.input_step) * extent;
      std::int64_t weight = place.weight + ci * plan.weight_in_step +
                            (rows.kernel + r * rows.kernel_step) * plan.columns.kernel +
                            columns.kernel;
      std::int64_t shift = 0;
      for (std::int64_t t = 0; t < columns.count; ++t) {
        V factors[kChannels];
        for (int c = 0; c < kChannels; ++c) {
          factors[c] = broadcast_element<A>(plan.weight, weight + c * plan.weight_out_step);
        }
        for (int v = 0; v < kVectors; ++v) {
          const std::int64_t column = origin[v] + shift;
          if (HWY_LIKELY(column >= 0 && column <= limit[v])) {
            const V pixels = load_inside<A>(plan, row + column, step);
            for (int c = 0; c < kChannels; ++c) {
              sums[c][v] = A::multiply_add(sums[c][v], pixels, factors[c]);
            }
            continue;
          }
          const std::int64_t begin = first_inside(column, step);
          const std::int64_t end = std::min(outputs[v], count_below(column, step, extent));
          if (begin >= end) continue;
          const V pixels = load_across_edge<A>(plan, row + column, step, begin, end);
          const auto inside = hn::And(hn::FirstN(d, static_cast<std::size_t>(end)),
                                      hn::Not(hn::FirstN(d, static_cast<std::size_t>(begin))));
          for (int c = 0; c < kChannels; ++c) {
            const V sum = A::multiply_add(sums[c][v], pixels, factors[c]);
            sums[c][v] = hn::IfThenElse(inside, sum, sums[c][v]);
          }
        }
        weight += columns.kernel_step;
        shift += columns.input_step;
      }
    }
  }

  for (int c = 0; c < kChannels; ++c) {
    for (int v = 0; v < kVectors; ++v) {
      V sum = sums[c][v];
      if (plan.bias != nullptr) {
        sum = A::add(sum, broadcast_element<A>(plan.bias, place.channel + c));
      }
      const std::int64_t at = place.out + c * plan.out_plane + segment.out_column +
                              (first + v * lanes) * segment.out_step;
      store_lanes<A>(sum, plan, at, segment.out_step, outputs[v]);
    }
  }
}

/// One segment in `kChannels` output channels, by tiles of `kVectors` vectors as far as they go.
template <class A, int kChannels, int kVectors>
void segment_outputs(const Plan& plan, const Taps& rows, const Segment& segment,
                     const Place& place) {
  const std::int64_t lanes = lanes_of<A>();
  std::int64_t first = 0;
  for (; first + (kVectors - 1) * lanes < segment.outputs; first += kVectors * lanes) {
    tile<A, kChannels, kVectors>(plan, rows, segment, place, first);
  }
  for (; first < segment.outputs; first += lanes) {
    tile<A, kChannels, 1>(plan, rows, segment, place, first);
  }
}

/// All outputs of `kChannels` output channels of one image.
template <class A, int kChannels, int kVectors>
void channel_outputs(const Plan& plan, Place place) {
  const Axis& columns = plan.columns;
  const bool gathers = plan.direction == Direction::kGather;
  const std::int64_t segments = gathers ? 1 : std::min(columns.stride, columns.output);
  for (std::int64_t oh = 0; oh < plan.rows.output; ++oh) {
    const Taps rows = inside(taps_of(plan.rows, plan.direction, oh), plan.rows.input);
    for (std::int64_t phase = 0; phase < segments; ++phase) {
      Segment segment{taps_of(columns, plan.direction, phase), columns.stride, columns.output, 0,
                      1};
      if (!gathers) {
        segment.lane_step = 1;
        segment.outputs = (columns.output - 1 - phase) / columns.stride + 1;
        segment.out_column = phase;
        segment.out_step = columns.stride;
      }
      segment_outputs<A, kChannels, kVectors>(plan, rows, segment, place);
    }
    place.out += columns.output;
  }
}

/// The loop of a plan. Where a group has several output channels (groups == 1 above all), they
/// share each pixel in blocks of four; one by itself (depthwise) has more vectors in flight
/// instead.
template <class A>
void convolve(const Plan& plan) {
  for (std::int64_t n = 0; n < plan.batch; ++n) {
    for (std::int64_t group = 0; group < plan.groups; ++group) {
      Place place{(n * plan.groups + group) * plan.in_channels * plan.x_plane, 0, 0, 0};
      const std::int64_t filters = group * plan.in_channels * plan.out_channels * plan.filter;
      std::int64_t co = 0;
      while (co < plan.out_channels) {
        place.channel = group * plan.out_channels + co;
        place.weight = filters + co * plan.weight_out_step;
        place.out = (n * plan.groups * plan.out_channels + place.channel) * plan.out_plane;
        if (co + 4 <= plan.out_channels) {
          channel_outputs<A, 4, A::kBlockVectors>(plan, place);
          co += 4;
        } else {
          channel_outputs<A, 1, A::kSingleVectors>(plan, place);
          co += 1;
        }
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace assay::conv
HWY_AFTER_NAMESPACE();

#endif  // per target
