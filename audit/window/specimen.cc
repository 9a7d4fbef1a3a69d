#include "audit/window/specimen.h"

#include <rapidcheck.h>

#include <algorithm>
#include <bit>
#include <functional>

namespace assay::window {

namespace {

/// A stretch of indices that is kept.
struct Range {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// What is kept along every axis that a geometry has. Channels of all groups are cut alike.
struct Cut {
  Range batch, groups, in_channels, out_channels;  // channels: within a group
  Range image_rows, image_columns, kernel_rows, kernel_columns;
};

Cut everything(const Geometry& geometry) {
  const oracle::ConvolutionGeometry& e = geometry.extents;
  return {{0, e.batch},
          {0, e.groups},
          {0, e.in_channels / e.groups},
          {0, e.out_channels / e.groups},
          {0, e.image.rows},
          {0, e.image.columns},
          {0, e.kernel.rows},
          {0, e.kernel.columns}};
}

/// The elements of a dense four-dimensional tensor of which `ranges` are kept.
std::vector<Bits> crop(const std::vector<Bits>& from, const Shape& shape,
                       const std::array<std::vector<std::int64_t>, 4>& kept) {
  std::vector<Bits> to;
  for (const std::int64_t a : kept[0]) {
    for (const std::int64_t b : kept[1]) {
      for (const std::int64_t c : kept[2]) {
        for (const std::int64_t d : kept[3]) {
          to.push_back(
              from[static_cast<std::size_t>(((a * shape[1] + b) * shape[2] + c) * shape[3] + d)]);
        }
      }
    }
  }
  return to;
}

std::vector<std::int64_t> indices(Range range) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < range.count; ++i) all.push_back(range.first + i);
  return all;
}

/// Channels over all kept groups.
std::vector<std::int64_t> channels(Range groups, Range within, std::int64_t per_group) {
  std::vector<std::int64_t> all;
  for (std::int64_t g = 0; g < groups.count; ++g) {
    for (std::int64_t c = 0; c < within.count; ++c) {
      all.push_back((groups.first + g) * per_group + within.first + c);
    }
  }
  return all;
}

Specimen cut_out(const Operation& operation, const Specimen& from, const Cut& cut) {
  const oracle::ConvolutionGeometry& e = from.geometry.extents;
  const std::vector<Shape> shapes = input_shapes(operation, from.geometry);
  const std::vector<std::int64_t> in =
      channels(cut.groups, cut.in_channels, e.in_channels / e.groups);
  const bool pooling = operation.kind == OperationKind::kPooling;
  const std::vector<std::int64_t> out =
      pooling ? in : channels(cut.groups, cut.out_channels, e.out_channels / e.groups);
  Specimen to = from;
  to.tensors.x =
      crop(from.tensors.x, shapes[0],
           {indices(cut.batch), in, indices(cut.image_rows), indices(cut.image_columns)});
  if (operation.is_sum()) {
    const bool transposed = operation.kind == OperationKind::kTransposedConvolution;
    to.tensors.weight =
        crop(from.tensors.weight, shapes[1],
             {transposed ? in : out, indices(transposed ? cut.out_channels : cut.in_channels),
              indices(cut.kernel_rows), indices(cut.kernel_columns)});
  }
  if (from.geometry.bias) {
    to.tensors.bias.clear();
    for (const std::int64_t channel : out) {
      to.tensors.bias.push_back(from.tensors.bias[static_cast<std::size_t>(channel)]);
    }
  }
  oracle::ConvolutionGeometry& extents = to.geometry.extents;
  extents.batch = cut.batch.count;
  extents.groups = cut.groups.count;
  extents.in_channels = static_cast<std::int64_t>(in.size());
  extents.out_channels = static_cast<std::int64_t>(out.size());
  extents.image = {cut.image_rows.count, cut.image_columns.count};
  extents.kernel = {cut.kernel_rows.count, cut.kernel_columns.count};
  return to;
}

/// Every plane without the element at `left_out`.
std::vector<Bits> planes_without(const std::vector<Bits>& from, std::size_t plane,
                                 std::size_t left_out) {
  std::vector<Bits> to;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (i % plane != left_out) to.push_back(from[i]);
  }
  return to;
}

/// Image and filter, of the same height and width, as one row each, without one pixel and the
/// weight that it meets in the result that all meet in.
Specimen in_one_row(const Operation& operation, const Specimen& from, std::size_t left_out) {
  Specimen to = from;
  oracle::ConvolutionGeometry& e = to.geometry.extents;
  const std::int64_t plane = e.kernel.rows * e.kernel.columns;
  to.tensors.x = planes_without(from.tensors.x, static_cast<std::size_t>(plane), left_out);
  const bool mirrored = operation.kind == OperationKind::kTransposedConvolution;
  const std::size_t weight = mirrored ? static_cast<std::size_t>(plane) - 1 - left_out : left_out;
  to.tensors.weight = planes_without(from.tensors.weight, static_cast<std::size_t>(plane), weight);
  e.image = e.kernel = {1, plane - 1};
  return to;
}

using Step = std::function<Specimen(const Specimen&)>;

/// Ranges to keep of an axis: single indices where there are few, halves, all but an end.
std::vector<Range> ranges_of(std::int64_t extent, bool singles) {
  std::vector<Range> all;
  if (extent < 2) return all;
  if (singles && extent <= 16) {
    for (std::int64_t i = 0; i < extent; ++i) all.push_back({i, 1});
  } else {
    all.push_back({0, 1});
    all.push_back({extent - 1, 1});
  }
  const std::int64_t half = extent / 2;
  if (half > 1) {
    all.push_back({0, half});
    all.push_back({extent - half, half});
  }
  if (extent > 2) {
    all.push_back({0, extent - 1});
    all.push_back({1, extent - 1});
  }
  return all;
}

std::vector<Step> geometry_steps(const Operation& operation, const Geometry& geometry) {
  std::vector<Step> steps;
  const oracle::ConvolutionGeometry& e = geometry.extents;
  const auto keep = [&](Range Cut::*axis, std::int64_t extent, bool singles) {
    for (const Range range : ranges_of(extent, singles)) {
      steps.push_back([&operation, axis, range](const Specimen& from) {
        Cut cut = everything(from.geometry);
        cut.*axis = range;
        return cut_out(operation, from, cut);
      });
    }
  };
  keep(&Cut::batch, e.batch, true);
  keep(&Cut::groups, e.groups, true);
  keep(&Cut::out_channels, operation.is_sum() ? e.out_channels / e.groups : 1, true);
  keep(&Cut::in_channels, e.in_channels / e.groups, true);
  keep(&Cut::image_rows, e.image.rows, false);
  keep(&Cut::image_columns, e.image.columns, false);
  if (operation.is_sum()) {
    keep(&Cut::kernel_rows, e.kernel.rows, true);
    keep(&Cut::kernel_columns, e.kernel.columns, true);
    // Image and filter together: where either alone would leave the sum without its terms.
    const auto keep_both = [&](Range Cut::*image, Range Cut::*filter, std::int64_t in_image,
                               std::int64_t in_filter) {
      if (in_image < 2 || in_filter < 2) return;
      for (const std::int64_t first : {0, 1}) {
        steps.push_back([=, &operation](const Specimen& from) {
          Cut cut = everything(from.geometry);
          cut.*image = {first, in_image - 1};
          cut.*filter = {first, in_filter - 1};
          return cut_out(operation, from, cut);
        });
      }
    };
    keep_both(&Cut::image_rows, &Cut::kernel_rows, e.image.rows, e.kernel.rows);
    keep_both(&Cut::image_columns, &Cut::kernel_columns, e.image.columns, e.kernel.columns);
    // In one row, an element in their midst can go as well.
    const bool one_row = e.image == e.kernel && e.kernel.rows * e.kernel.columns > 2;
    for (std::int64_t i = 0; one_row && i < e.kernel.rows * e.kernel.columns; ++i) {
      steps.push_back([i, &operation](const Specimen& from) {
        return in_one_row(operation, from, static_cast<std::size_t>(i));
      });
    }
  } else if (e.kernel.rows > 1) {
    // A square window: nothing of the tensor goes with it.
    for (const std::int64_t size : {std::int64_t{1}, e.kernel.rows / 2, e.kernel.rows - 1}) {
      if (size < 1 || size >= e.kernel.rows) continue;
      steps.push_back([size](const Specimen& from) {
        Specimen to = from;
        to.geometry.extents.kernel = {size, size};
        return to;
      });
    }
  }
  if (geometry.bias) {
    steps.push_back([](const Specimen& from) {
      Specimen to = from;
      to.geometry.bias = false;
      to.tensors.bias.clear();
      return to;
    });
  }
  const auto lower = [&](Pair& (*pair)(Geometry&), std::int64_t least) {
    Geometry now = geometry;
    const Pair value = pair(now);
    for (const bool rows : {true, false}) {
      const std::int64_t from_value = rows ? value.rows : value.columns;
      for (const std::int64_t to_value : {least, from_value - 1}) {
        if (to_value >= from_value || to_value < least) continue;
        for (const bool both : {false, true}) {
          steps.push_back([pair, rows, both, to_value](const Specimen& from) {
            Specimen to = from;
            Pair& changed = pair(to.geometry);
            if (rows || both) changed.rows = std::min(changed.rows, to_value);
            if (!rows || both) changed.columns = std::min(changed.columns, to_value);
            return to;
          });
        }
      }
    }
  };
  lower([](Geometry& g) -> Pair& { return g.extents.stride; }, 1);
  lower([](Geometry& g) -> Pair& { return g.extents.padding; }, 0);
  lower([](Geometry& g) -> Pair& { return g.extents.dilation; }, 1);
  lower([](Geometry& g) -> Pair& { return g.output_padding; }, 0);
  return steps;
}

std::vector<Step> value_steps(const Operation& operation, const Specimen& specimen) {
  std::vector<Step> steps;
  const DtypeTraits& format = traits(operation.dtype);
  Tensors tensors = specimen.tensors;
  const auto set = [&](std::size_t index, std::size_t first, std::size_t count, Bits bits) {
    const std::vector<Bits>& now = tensors.operand(index);
    const bool changes = std::any_of(now.begin() + static_cast<long>(first),
                                     now.begin() + static_cast<long>(first + count),
                                     [&](Bits old) { return old != bits; });
    if (!changes) return;
    steps.push_back([index, first, count, bits](const Specimen& from) {
      Specimen to = from;
      std::vector<Bits>& values = to.tensors.operand(index);
      std::fill_n(values.begin() + static_cast<long>(first), count, bits);
      return to;
    });
  };
  // Zeros, by halves and quarters, down to single elements.
  for (std::size_t index = 0; index < 3; ++index) {
    const std::size_t size = tensors.operand(index).size();
    for (std::size_t count = size; count > 0; count /= 2) {
      for (std::size_t first = 0; first + count <= size; first += count)
        set(index, first, count, 0);
    }
  }
  // What is not zero becomes one where it can, or loses bits.
  for (std::size_t index = 0; index < 3; ++index) {
    const std::vector<Bits>& now = tensors.operand(index);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const Bits bits = now[i];
      if (bits == 0 || bits == format.one()) continue;
      set(index, i, 1, format.one());
      if (bits == (format.one() | format.sign_mask())) continue;
      const auto simpler = [&](Bits candidate) {
        if (candidate != bits && candidate != 0 && std::popcount(candidate) < std::popcount(bits)) {
          set(index, i, 1, candidate);
        }
      };
      simpler(bits & ~format.sign_mask());
      simpler((bits & format.sign_mask()) | format.one());
      simpler(bits & ~format.fraction_mask());
      for (Bits low = format.fraction_mask() >> 1; low != 0; low >>= 1) simpler(bits & ~low);
      for (Bits rest = bits; rest != 0; rest &= rest - 1) simpler(bits & ~(rest & (~rest + 1)));
    }
  }
  return steps;
}

rc::Seq<Specimen> after(const Operation& operation, const Specimen& specimen,
                        std::vector<Step> steps) {
  // Where the looked-at result goes when tensors are cut is left to whoever looks: its index is
  // only a hint.
  return rc::seq::mapMaybe(rc::seq::fromContainer(std::move(steps)),
                           [&operation, specimen](const Step& step) {
                             Specimen next = step(specimen);
                             Geometry geometry = next.geometry;
                             if (!complete(operation, geometry)) return rc::Maybe<Specimen>();
                             next.geometry = geometry;
                             return rc::Maybe<Specimen>(std::move(next));
                           });
}

}  // namespace

rc::Seq<Specimen> simpler_geometries(const Operation& operation, const Specimen& specimen) {
  return after(operation, specimen, geometry_steps(operation, specimen.geometry));
}

rc::Seq<Specimen> simpler_values(const Operation& operation, const Specimen& specimen) {
  return after(operation, specimen, value_steps(operation, specimen));
}

}  // namespace assay::window
