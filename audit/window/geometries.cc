#include "audit/window/geometries.h"

#include <rapidcheck.h>

#include <algorithm>
#include <limits>

namespace assay::window {

namespace {

/// What a geometry has that this operation has no parameter for becomes neutral, and what it has
/// one number for becomes equal in both directions.
Geometry fitted(const Operation& operation, Geometry geometry) {
  oracle::ConvolutionGeometry& e = geometry.extents;
  const auto fit = [&](ParameterRole role, Pair& value, Pair neutral) {
    const OperationParameter* parameter = operation.find(role);
    if (parameter == nullptr) {
      value = neutral;
    } else if (!parameter->pair) {
      value.columns = value.rows;
    }
  };
  fit(ParameterRole::kStride, e.stride, {1, 1});
  fit(ParameterRole::kPadding, e.padding, {0, 0});
  fit(ParameterRole::kDilation, e.dilation, {1, 1});
  fit(ParameterRole::kOutputPadding, geometry.output_padding, {0, 0});
  // Contracts of direct convolutions carry a dilation that their kernels need not walk; what a
  // kernel does there is told by the judge of refusals.
  if (operation.kind == OperationKind::kConvolution) e.dilation = {1, 1};
  if (operation.kind == OperationKind::kPooling) {
    fit(ParameterRole::kWindow, e.kernel, e.kernel);
    e.out_channels = e.in_channels;
  }
  if (!operation.has(ParameterRole::kGroups)) e.groups = 1;
  geometry.bias = operation.takes_bias && (geometry.bias || !operation.bias_optional);
  return geometry;
}

/// The common way to write one down.
Geometry make(std::int64_t batch, std::int64_t in_channels, std::int64_t out_channels,
              std::int64_t groups, Pair image, Pair kernel, Pair stride = {1, 1},
              Pair padding = {0, 0}, Pair dilation = {1, 1}, Pair output_padding = {0, 0},
              bool bias = false) {
  Geometry geometry;
  oracle::ConvolutionGeometry& e = geometry.extents;
  e.batch = batch;
  e.in_channels = in_channels;
  e.out_channels = out_channels;
  e.groups = groups;
  e.image = image;
  e.kernel = kernel;
  e.stride = stride;
  e.padding = padding;
  e.dilation = dilation;
  geometry.output_padding = output_padding;
  geometry.bias = bias;
  return geometry;
}

/// What is the same for every operation, as far as it admits it.
std::vector<Geometry> common_corners() {
  return {
      make(1, 1, 1, 1, {1, 1}, {1, 1}),
      make(1, 1, 1, 1, {1, 2}, {1, 2}),
      make(1, 1, 1, 1, {2, 1}, {2, 1}),
      make(1, 1, 1, 1, {2, 2}, {2, 2}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      make(1, 2, 1, 1, {1, 1}, {1, 1}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      make(1, 1, 2, 1, {1, 1}, {1, 1}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      make(2, 1, 1, 1, {2, 3}, {1, 2}),
      // Nothing: no image, no input channel (a bias alone), no output channel.
      make(0, 2, 3, 1, {4, 5}, {2, 3}),
      make(2, 0, 3, 1, {4, 5}, {2, 3}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      make(2, 2, 0, 1, {4, 5}, {2, 3}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      // The window as large as the image, and larger, over padding; past the window's edge.
      make(1, 2, 2, 1, {3, 4}, {3, 4}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      make(1, 1, 2, 1, {2, 3}, {4, 5}, {1, 1}, {1, 1}),
      make(1, 1, 1, 1, {1, 1}, {3, 3}, {1, 1}, {2, 2}),
      make(1, 1, 1, 1, {2, 2}, {2, 2}, {1, 1}, {3, 3}, {1, 1}, {0, 0}, true),
      make(1, 2, 2, 1, {3, 3}, {2, 2}, {1, 1}, {1, 2}),
      make(1, 2, 2, 1, {3, 3}, {2, 2}, {1, 1}, {2, 0}),
      // Strides: unequal, equal to the window, beyond it; outputs of one pixel.
      make(1, 1, 2, 1, {5, 7}, {2, 3}, {2, 1}),
      make(1, 1, 2, 1, {5, 7}, {2, 3}, {1, 3}),
      make(2, 2, 3, 1, {7, 6}, {2, 2}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, true),
      make(2, 3, 4, 1, {6, 11}, {2, 3}, {2, 3}, {1, 2}, {1, 1}, {0, 0}, true),
      make(1, 1, 1, 1, {9, 9}, {2, 2}, {4, 3}),
      make(1, 3, 2, 1, {6, 5}, {3, 3}, {7, 7}),
      make(1, 1, 1, 1, {5, 5}, {5, 5}, {2, 2}),
      // Groups and depthwise filters, with more outputs than inputs and fewer.
      make(1, 4, 4, 2, {4, 5}, {2, 2}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      make(2, 4, 6, 2, {4, 3}, {2, 3}, {1, 1}, {1, 1}),
      make(1, 6, 3, 3, {3, 4}, {2, 2}, {2, 1}, {0, 1}, {1, 1}, {1, 0}, true),
      make(1, 4, 4, 4, {5, 6}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {0, 0}, true),
      make(2, 3, 6, 3, {4, 4}, {2, 2}, {2, 2}),
      // Dilation, and rests that an output padding fills.
      make(1, 1, 1, 1, {4, 5}, {2, 3}, {1, 1}, {0, 0}, {2, 1}),
      make(1, 1, 1, 1, {4, 5}, {2, 3}, {1, 1}, {0, 0}, {1, 2}),
      make(1, 2, 3, 1, {3, 4}, {3, 2}, {2, 3}, {1, 1}, {2, 3}, {1, 2}),
      make(1, 4, 4, 2, {3, 3}, {2, 2}, {3, 2}, {1, 0}, {2, 2}, {2, 1}),
      make(1, 1, 1, 1, {2, 2}, {2, 2}, {2, 2}, {0, 0}, {1, 1}, {5, 3}),
      make(1, 2, 2, 1, {1, 1}, {1, 1}, {1, 1}, {0, 0}, {1, 1}, {3, 0}),
      // Long sums.
      make(1, 32, 2, 1, {3, 3}, {3, 3}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      make(1, 70, 1, 1, {5, 5}, {5, 5}),
      make(1, 2, 1, 1, {35, 35}, {33, 33}),
      // Beyond 8 bits of a column and 16 bits of an element.
      make(1, 1, 2, 1, {1, 300}, {1, 2}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      make(1, 1, 1, 1, {300, 1}, {1, 1}),
      make(1, 1, 1, 1, {280, 271}, {1, 1}, {30, 29}),
      make(2, 1, 300, 1, {1, 2}, {1, 1}),
      make(1, 300, 2, 1, {1, 2}, {1, 1}),
  };
}

/// Sizes at which other code may run: many channels on both sides, large windows, strides,
/// paddings and batches, indices beyond 16 bits. Of most only a part of the results is looked at.
std::vector<Geometry> large_corners() {
  return {
      make(1, 16, 16, 1, {10, 11}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {0, 0}, true),
      make(1, 16, 16, 1, {9, 9}, {3, 3}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      make(1, 12, 4, 1, {9, 10}, {3, 3}, {2, 2}, {3, 3}),
      make(1, 17, 8, 1, {9, 8}, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {0, 0}, true),
      make(1, 32, 24, 1, {4, 5}, {1, 1}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      make(1, 520, 4, 1, {2, 3}, {1, 1}),
      make(1, 65, 3, 1, {4, 5}, {3, 3}),
      make(1, 2, 66, 1, {3, 3}, {2, 2}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      make(1, 8, 4, 1, {6, 5}, {4, 4}, {2, 2}, {1, 1}),
      make(5, 2, 3, 1, {3, 4}, {2, 2}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      make(9, 1, 2, 1, {2, 3}, {1, 2}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      make(1, 20, 20, 10, {4, 5}, {2, 2}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      make(1, 8, 16, 2, {4, 5}, {2, 3}, {1, 1}, {1, 1}, {1, 1}, {0, 0}, true),
      make(1, 17, 17, 17, {7, 9}, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {0, 0}, true),
      make(1, 2, 3, 1, {12, 13}, {9, 8}, {1, 1}, {2, 3}, {1, 1}, {0, 0}, true),
      make(1, 3, 4, 1, {23, 27}, {11, 11}, {4, 4}, {2, 2}),
      make(1, 1, 2, 1, {4, 4}, {19, 18}, {1, 1}, {17, 16}),
      make(1, 2, 2, 1, {3, 3}, {2, 3}, {16, 17}),
      make(1, 2, 2, 1, {3, 3}, {3, 2}, {2, 1}, {0, 0}, {4, 17}),
      make(1, 4, 4, 2, {4, 3}, {3, 3}, {1, 2}, {1, 0}, {5, 4}),
      make(1, 2, 1, 1, {13, 14}, {2, 2}, {5, 6}),
      make(1, 1, 2, 1, {190, 181}, {1, 1}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true),
      make(2, 2, 2, 1, {130, 133}, {2, 2}),
  };
}

/// What tells lengths of vectors from one another, where results are read off the image.
void add_gathered(std::vector<Geometry>& all) {
  // Strides beyond 8 bits.
  all.push_back(make(1, 1, 2, 1, {2, 520}, {1, 2}, {1, 257}));
  all.push_back(make(1, 1, 1, 1, {520, 2}, {2, 1}, {257, 1}));
  // Results of every number of columns around a vector's length, of every width of vector.
  for (const std::int64_t lanes : {2, 4, 8, 16, 32, 64}) {
    for (const std::int64_t columns : {lanes - 1, lanes, lanes + 1}) {
      for (const std::int64_t stride : {1, 2}) {
        const std::int64_t image = (columns - 1) * stride + 1;
        const std::int64_t padding = columns % 3 == 0 ? 1 : 0;
        all.push_back(make(1, 2, 3, 1, {2, image + 2 - 2 * padding}, {2, 3}, {1, stride},
                           {0, padding}, {1, 1}, {0, 0}, true));
        all.push_back(make(1, 2, 2, 2, {3, image + 1}, {2, 2}, {stride, stride}, {0, 0}));
      }
    }
  }
  // Few columns and many rows or channels: vectors may run along those.
  for (const std::int64_t many : {7, 8, 9, 15, 16, 17, 33}) {
    all.push_back(make(1, 1, 2, 1, {many + 1, 2}, {2, 2}));
    all.push_back(make(1, 3, many, 1, {2, 2}, {2, 1}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, true));
    all.push_back(make(1, many, many, many, {3, 2}, {2, 2}, {1, 1}, {1, 1}));
  }
}

/// The same where the image is scattered over the results: vectors may run along either.
void add_scattered(std::vector<Geometry>& all) {
  // Strides beyond 8 bits.
  all.push_back(make(1, 1, 2, 1, {2, 3}, {1, 2}, {1, 257}));
  all.push_back(make(1, 1, 1, 1, {3, 2}, {2, 1}, {257, 1}));
  for (const std::int64_t lanes : {2, 4, 8, 16, 32, 64}) {
    for (const std::int64_t columns : {lanes - 1, lanes, lanes + 1}) {
      for (const std::int64_t stride : {1, 2}) {
        // (image - 1) stride + window = columns
        const std::int64_t window = columns == 1 ? 1 : 2 + (columns * (stride - 1)) % 2;
        const std::int64_t image = (columns - window) / stride + 1;
        all.push_back(make(1, 2, 3, 1, {2, image}, {2, window}, {1, stride}));
      }
      all.push_back(make(1, 2, 2, 2, {3, columns}, {2, 3}, {2, 1 + columns % 2}, {1, 1}));
    }
  }
  for (const std::int64_t many : {7, 8, 9, 15, 16, 17, 33}) {
    all.push_back(make(1, 1, 2, 1, {many - 1, 2}, {2, 2}));
    all.push_back(make(1, 3, many, 1, {2, 2}, {2, 1}));
    all.push_back(make(1, many, many, many, {3, 2}, {2, 2}, {1, 1}, {1, 1}));
  }
  // Padding crops the result, past the window's size too; it keeps a large image's result small.
  all.push_back(make(1, 2, 2, 1, {7, 6}, {2, 2}, {1, 1}, {2, 3}));
  all.push_back(make(1, 1, 1, 1, {270, 261}, {1, 1}, {1, 1}, {120, 110}));
  all.push_back(make(1, 1, 2, 1, {3, 2}, {2, 2}, {2, 3}, {0, 0}, {1, 1}, {2, 3}));
}

std::vector<Geometry> corners(OperationKind kind) {
  std::vector<Geometry> all = common_corners();
  const std::vector<Geometry> large = large_corners();
  all.insert(all.end(), large.begin(), large.end());
  if (kind == OperationKind::kTransposedConvolution) {
    add_scattered(all);
  } else {
    add_gathered(all);
  }
  return all;
}

/// Small more often than large, up to `most`.
std::int64_t draw(std::int64_t least, std::int64_t most) {
  const std::int64_t range = *rc::gen::inRange<std::int64_t>(0, 4) == 0
                                 ? most
                                 : std::min(most, least + (most - least + 3) / 4);
  return *rc::gen::inRange<std::int64_t>(least, range + 1);
}

Pair draw_pair(std::int64_t least, std::int64_t most) {
  const std::int64_t rows = draw(least, most);
  const std::int64_t columns = draw(least, most);
  return {rows, columns};
}

/// Any geometry of these sizes, admitted or not.
rc::Gen<Geometry> any_geometry() {
  return rc::gen::exec([] {
    Geometry geometry;
    oracle::ConvolutionGeometry& e = geometry.extents;
    e.batch = draw(1, 3);
    const int grouping = *rc::gen::inRange(0, 4);  // two in four dense, one grouped, one depthwise
    e.groups = grouping < 2 ? 1 : draw(2, grouping == 2 ? 4 : 9);
    const std::int64_t in_per_group = grouping == 3 ? 1 : draw(1, 8);
    const std::int64_t out_per_group = draw(1, grouping == 3 ? 2 : 6);
    e.in_channels = e.groups * in_per_group;
    e.out_channels = e.groups * out_per_group;
    e.kernel = draw_pair(1, 7);
    e.image = draw_pair(1, 24);
    if (*rc::gen::inRange(0, 3) == 0) e.image.columns = draw(1, 70);
    e.stride = draw_pair(1, 5);
    // Up to past the last position of the window.
    e.padding = {draw(0, e.kernel.rows + 1), draw(0, e.kernel.columns + 1)};
    if (*rc::gen::inRange(0, 3) == 0) e.padding = {0, 0};
    e.dilation = *rc::gen::inRange(0, 2) == 0 ? Pair{1, 1} : draw_pair(1, 3);
    geometry.output_padding =
        *rc::gen::inRange(0, 2) == 0 ? Pair{0, 0} : draw_pair(0, e.stride.rows + 1);
    geometry.bias = *rc::gen::inRange(0, 2) == 0;
    return geometry;
  });
}

}  // namespace

std::vector<Geometry> corner_geometries(const Operation& operation) {
  std::vector<Geometry> kept;
  for (const Geometry& corner : corners(operation.kind)) {
    Geometry geometry = fitted(operation, corner);
    // A pooling's window is square: its longer side, if that fits.
    if (operation.kind == OperationKind::kPooling) {
      Pair& window = geometry.extents.kernel;
      window.rows = window.columns =
          std::max(corner.extents.kernel.rows, corner.extents.kernel.columns);
    }
    if (!complete(operation, geometry)) {
      // Smaller windows make some of them possible.
      geometry.extents.kernel = {1, 1};
      if (!complete(operation, geometry)) continue;
    }
    if (std::find(kept.begin(), kept.end(), geometry) == kept.end()) kept.push_back(geometry);
  }
  std::stable_sort(kept.begin(), kept.end(), [&](const Geometry& a, const Geometry& b) {
    return input_elements(operation, a) < input_elements(operation, b);
  });
  return kept;
}

std::vector<Geometry> random_geometries(const Operation& operation, std::size_t count,
                                        double most_work, std::uint64_t seed) {
  std::vector<Geometry> kept;
  const rc::Gen<Geometry> generator = any_geometry();
  rc::Random random(seed);
  for (std::size_t tries = 0; kept.size() < count && tries < 50 * count + 1000; ++tries) {
    const rc::Random mine = random.split();
    Geometry geometry = fitted(operation, generator(mine, rc::kNominalSize).value());
    if (!complete(operation, geometry)) continue;
    if (work(operation, geometry) > most_work) continue;
    kept.push_back(geometry);
  }
  return kept;
}

}  // namespace assay::window
