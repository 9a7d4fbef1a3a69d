// Geometries of convolutions for tests: shapes, parameters, and lists that go round all corners.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "kernels/testing/dense.h"

namespace assay::testing {

struct Pair {
  std::int64_t h;
  std::int64_t w;
};

/// One convolution; `transposed` chooses the shape rules.
struct Geometry {
  std::int64_t batch = 1;
  std::int64_t in_channels = 1;   ///< of one group
  std::int64_t out_channels = 1;  ///< of one group
  std::int64_t groups = 1;
  Pair image = {1, 1};
  Pair kernel = {1, 1};
  Pair stride = {1, 1};
  Pair padding = {0, 0};
  Pair dilation = {1, 1};
  Pair output_padding = {0, 0};
  bool bias = false;

  std::vector<std::int64_t> x_shape() const {
    return {batch, groups * in_channels, image.h, image.w};
  }
  std::vector<std::int64_t> weight_shape(bool transposed) const {
    if (transposed) return {groups * in_channels, out_channels, kernel.h, kernel.w};
    return {groups * out_channels, in_channels, kernel.h, kernel.w};
  }
  static std::int64_t out_extent(bool transposed, std::int64_t image, std::int64_t kernel,
                                 std::int64_t stride, std::int64_t padding, std::int64_t dilation,
                                 std::int64_t output_padding) {
    if (transposed) {
      return (image - 1) * stride - 2 * padding + dilation * (kernel - 1) + output_padding + 1;
    }
    const std::int64_t room = image + 2 * padding - kernel;
    return room < 0 ? 0 : room / stride + 1;
  }
  std::vector<std::int64_t> out_shape(bool transposed) const {
    return {batch, groups * out_channels,
            out_extent(transposed, image.h, kernel.h, stride.h, padding.h, dilation.h,
                       output_padding.h),
            out_extent(transposed, image.w, kernel.w, stride.w, padding.w, dilation.w,
                       output_padding.w)};
  }
  bool valid(bool transposed) const {
    const std::vector<std::int64_t> out = out_shape(transposed);
    return out[2] > 0 && out[3] > 0;
  }
  std::string text() const {
    const auto pair = [](const char* name, Pair p) {
      return std::string(" ") + name + " " + std::to_string(p.h) + "x" + std::to_string(p.w);
    };
    return "batch " + std::to_string(batch) + " channels " + std::to_string(in_channels) + "->" +
           std::to_string(out_channels) + " groups " + std::to_string(groups) +
           pair("image", image) + pair("kernel", kernel) + pair("stride", stride) +
           pair("padding", padding) + pair("dilation", dilation) +
           pair("output padding", output_padding) + (bias ? " bias" : "");
  }
};

/// What a call of `operation` ("conv2d", "conv_transpose2d", "conv2d_simple") is made of.
struct Convolution {
  std::vector<Dense> inputs;
  Dense out;
  std::vector<KernelParameter> parameters;
};

inline Convolution make_convolution(const std::string& operation, Dtype dtype, const Geometry& g) {
  const bool transposed = operation == "conv_transpose2d";
  Convolution made{{Dense(dtype, g.x_shape()), Dense(dtype, g.weight_shape(transposed))},
                   Dense(dtype, g.out_shape(transposed)),
                   {}};
  if (operation == "conv2d_simple") {
    made.parameters = {{"stride", g.stride.h}, {"padding", g.padding.h}};
    return made;
  }
  if (operation == "conv2d" && g.bias) {
    made.inputs.emplace_back(dtype, std::vector<std::int64_t>{g.groups * g.out_channels});
  }
  made.parameters = {{"stride_h", g.stride.h},     {"stride_w", g.stride.w},
                     {"padding_h", g.padding.h},   {"padding_w", g.padding.w},
                     {"dilation_h", g.dilation.h}, {"dilation_w", g.dilation.w},
                     {"groups", g.groups}};
  if (transposed) {
    made.parameters.push_back({"output_padding_h", g.output_padding.h});
    made.parameters.push_back({"output_padding_w", g.output_padding.w});
  }
  return made;
}

/// The geometry as far as the operation goes: what it has no parameter for is set to 1 or 0.
inline Geometry fitted(Geometry g, const std::string& operation) {
  if (operation != "conv_transpose2d") {
    g.dilation = {1, 1};
    g.output_padding = {0, 0};
  }
  if (operation == "conv2d_simple") {
    g.groups = 1;
    g.stride.w = g.stride.h;
    g.padding.w = g.padding.h;
  }
  g.bias = g.bias && operation == "conv2d";
  return g;
}

/// Widths around every vector length and tile of every target, dense and depthwise.
inline std::vector<Geometry> width_geometries() {
  std::vector<Geometry> all;
  for (const std::int64_t lanes : {1, 2, 4, 8, 16, 32, 64}) {
    for (const std::int64_t width : {lanes - 1, lanes, lanes + 1}) {
      if (width < 1) continue;
      for (const std::int64_t stride : {1, 2, 3}) {
        const std::int64_t image = (width - 1) * stride + 1;
        all.push_back({.in_channels = 2,
                       .out_channels = 5,
                       .image = {2, image},
                       .kernel = {1, 3},
                       .stride = {1, stride},
                       .padding = {0, 1},
                       .bias = true});
        all.push_back({.groups = 2,
                       .image = {3, image},
                       .kernel = {2, 2},
                       .stride = {stride, stride},
                       .padding = {1, 1}});
      }
    }
  }
  return all;
}

/// The corners by hand.
inline std::vector<Geometry> corner_geometries() {
  return {
      {},
      {.batch = 0, .in_channels = 2, .out_channels = 3, .image = {4, 5}, .kernel = {2, 3}},
      {.batch = 3, .in_channels = 2, .out_channels = 3, .image = {4, 5}, .kernel = {2, 3}},
      {.in_channels = 0, .out_channels = 3, .image = {4, 5}, .kernel = {2, 3}, .bias = true},
      {.in_channels = 2, .out_channels = 0, .image = {4, 5}, .kernel = {2, 3}, .bias = true},
      // A kernel of the whole image, and one larger than it, over padding.
      {.in_channels = 3, .out_channels = 2, .image = {4, 5}, .kernel = {4, 5}, .bias = true},
      {.in_channels = 3, .image = {3, 2}, .kernel = {7, 5}, .padding = {2, 2}},
      {.image = {1, 1}, .kernel = {5, 5}, .padding = {2, 2}},
      // Padding beyond the kernel: outputs without a term.
      {.out_channels = 5, .image = {3, 4}, .kernel = {2, 3}, .padding = {4, 5}, .bias = true},
      {.groups = 3, .image = {2, 3}, .kernel = {1, 1}, .padding = {3, 3}, .bias = true},
      // Strides above the kernel, above the image, and far above both.
      {.in_channels = 2, .image = {9, 11}, .kernel = {2, 2}, .stride = {4, 5}, .bias = true},
      {.image = {3, 3}, .kernel = {2, 2}, .stride = {7, 7}, .padding = {6, 6}},
      {.image = {5, 6}, .kernel = {3, 3}, .stride = {1, 2}, .padding = {2, 1}},
      // Groups: dense, grouped with a multiple, depthwise with a multiplier, more than a block.
      {.in_channels = 8, .out_channels = 9, .image = {3, 4}, .kernel = {3, 3}, .padding = {1, 1}},
      {.in_channels = 3,
       .out_channels = 4,
       .groups = 2,
       .image = {3, 20},
       .kernel = {3, 3},
       .padding = {1, 1},
       .bias = true},
      {.out_channels = 6, .groups = 4, .image = {4, 7}, .kernel = {3, 3}, .padding = {1, 1}},
      {.groups = 5, .image = {6, 40}, .kernel = {3, 3}, .padding = {1, 1}, .bias = true},
      // Dilation and output padding, of common and of coprime steps with the stride.
      {.in_channels = 2,
       .out_channels = 3,
       .image = {4, 5},
       .kernel = {3, 3},
       .stride = {2, 3},
       .padding = {1, 2},
       .dilation = {3, 2},
       .output_padding = {1, 0}},
      {.in_channels = 2,
       .image = {4, 5},
       .kernel = {2, 3},
       .stride = {4, 6},
       .dilation = {2, 4},
       .output_padding = {3, 5}},
      {.image = {2, 3},
       .kernel = {3, 2},
       .stride = {2, 2},
       .dilation = {2, 2},
       .output_padding = {2, 5}},
      {.groups = 2,
       .image = {1, 1},
       .kernel = {1, 1},
       .stride = {9, 9},
       .dilation = {5, 5},
       .output_padding = {11, 30}},
      {.in_channels = 2, .out_channels = 2, .image = {3, 30}, .kernel = {4, 4}, .padding = {3, 3}},
  };
}

/// Seeded ones with everything at once.
inline std::vector<Geometry> random_geometries(int count) {
  std::mt19937_64 random(20261130);
  const auto up_to = [&](std::int64_t least, std::int64_t most) {
    return least +
           static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least + 1));
  };
  const auto pair = [&](std::int64_t least, std::int64_t most) {
    const std::int64_t h = up_to(least, most);
    return Pair{h, up_to(least, most)};
  };
  std::vector<Geometry> all;
  for (int i = 0; i < count; ++i) {
    Geometry g;
    g.batch = up_to(1, 2);
    g.in_channels = up_to(1, 3);
    g.out_channels = up_to(1, 6);
    g.groups = up_to(1, 3);
    g.image = pair(1, 7);
    g.image.w = up_to(1, 40);
    g.kernel = pair(1, 4);
    g.stride = pair(1, 4);
    g.padding = pair(0, 4);
    g.dilation = pair(1, 3);
    g.output_padding = pair(0, 4);
    g.bias = up_to(0, 1) == 1;
    all.push_back(g);
  }
  return all;
}

inline std::vector<Geometry> all_geometries() {
  std::vector<Geometry> all = corner_geometries();
  for (const auto& more : {width_geometries(), random_geometries(60)}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

/// One kernel of a convolution and its operation's name.
struct Subject {
  const Kernel* kernel;
  std::string operation;

  Dtype dtype() const { return kernel->outputs[0]; }
};

inline std::vector<Subject> convolutions(const Registry& registry) {
  const std::string prefix = "fuel_reference_backend::ops::";
  std::vector<Subject> all;
  for (const Kernel& kernel : registry.kernels()) {
    for (const char* operation : {"conv2d", "conv_transpose2d", "conv2d_simple"}) {
      const std::string name(traits(kernel.outputs[0]).name);
      if (kernel.entry_point == prefix + operation + "_" + name)
        all.push_back({&kernel, operation});
    }
  }
  return all;
}

}  // namespace assay::testing
