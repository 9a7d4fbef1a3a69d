// Each feature that geometries.h promises is among the corners, and still among the cases that are
// planned: a list of geometries can lose one without anybody noticing.
#include "audit/window/geometries.h"

#include <algorithm>
#include <functional>

#include "audit/window/job.h"
#include "audit/window/testing/reading.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

constexpr std::array<const char*, 4> kKernels = {"conv2d", "conv_transpose2d", "conv2d_simple",
                                                 "max_pool2d"};

struct Feature {
  const char* what;
  std::function<bool(const Operation&)> due;  ///< for these operations
  std::function<bool(const Geometry&)> holds;
};

bool any(const Operation&) {
  return true;
}
bool sum(const Operation& operation) {
  return operation.is_sum();
}
bool direct(const Operation& operation) {
  return operation.kind == OperationKind::kConvolution;
}
bool transposed(const Operation& operation) {
  return operation.kind == OperationKind::kTransposedConvolution;
}
/// Of a direct convolution with groups the contract wants x.dim[1] divisible by weight.dim[1], and
/// nothing is divisible by 0.
bool admits_no_channels(const Operation& operation) {
  return !(direct(operation) && operation.has(ParameterRole::kGroups));
}
bool padded(const Operation& operation) {
  return operation.has(ParameterRole::kPadding);
}
bool grouped(const Operation& operation) {
  return operation.has(ParameterRole::kGroups);
}
bool biased(const Operation& operation) {
  return operation.takes_bias;
}
bool no_bias(const Operation& operation) {
  return !operation.takes_bias || operation.bias_optional;
}
/// Strides and paddings by direction.
bool paired(const Operation& operation) {
  return operation.find(ParameterRole::kStride)->pair;
}
bool not_transposed(const Operation& operation) {
  return !transposed(operation);
}

bool unequal(Pair pair) {
  return pair.rows != pair.columns;
}
using Extents = oracle::ConvolutionGeometry;

std::vector<Feature> features() {
  std::vector<Feature> all;
  const auto on_extents = [&](const char* what, bool (*due)(const Operation&),
                              bool (*holds)(const Extents&)) {
    all.push_back({what, due, [holds](const Geometry& g) { return holds(g.extents); }});
  };
  const auto on_call = [&](const char* what, bool (*due)(const Operation&),
                           bool (*holds)(const Geometry&)) {
    all.push_back({what, due, holds});
  };
  on_extents("everything of size one", any, [](const Extents& e) { return e == Extents{}; });
  on_extents("empty batch", any, [](const Extents& e) { return e.batch == 0; });
  on_extents("several images", any, [](const Extents& e) { return e.batch > 1; });
  on_extents("no input channel", admits_no_channels,
             [](const Extents& e) { return e.in_channels == 0; });
  on_extents(
      "no input channel but outputs",
      [](const Operation& o) { return sum(o) && admits_no_channels(o); },
      [](const Extents& e) { return e.in_channels == 0 && e.out_channels > 0; });
  on_extents("no output channel but inputs", sum,
             [](const Extents& e) { return e.out_channels == 0 && e.in_channels > 0; });
  on_call("a bias alone, over padding", biased, [](const Geometry& g) {
    return g.bias && g.extents.padding.rows >= g.extents.kernel.rows;
  });
  on_call("a bias", biased, [](const Geometry& g) { return g.bias; });
  on_call("no bias", no_bias, [](const Geometry& g) { return !g.bias; });
  on_extents("one-pixel output", any, [](const Extents& e) { return e.result == Pair{1, 1}; });
  on_extents("one-pixel output of a larger image", not_transposed, [](const Extents& e) {
    return e.result == Pair{1, 1} && e.image.rows > 1;
  });
  on_extents("window as large as the image", any,
             [](const Extents& e) { return e.kernel == e.image && e.kernel.rows > 1; });
  on_extents("window larger than the image", sum, [](const Extents& e) {
    return e.kernel.rows > e.image.rows && e.kernel.columns > e.image.columns;
  });
  on_extents("stride of the window", any, [](const Extents& e) {
    return e.stride == e.kernel && e.stride.rows > 1 && e.result.columns > 1;
  });
  on_extents("stride beyond the window, several results", any, [](const Extents& e) {
    return e.stride.rows > e.kernel.rows && e.stride.columns > e.kernel.columns &&
           e.result.rows > 1 && e.result.columns > 1;
  });
  on_extents("padding", padded, [](const Extents& e) { return e.padding.rows > 0; });
  on_extents("padding past the window in both directions", direct, [](const Extents& e) {
    return e.padding.rows > e.kernel.rows && e.padding.columns > e.kernel.columns;
  });
  on_extents("padding past the window", padded,
             [](const Extents& e) { return e.padding.columns > e.kernel.columns; });
  on_extents("unequal image", any, [](const Extents& e) { return unequal(e.image); });
  on_extents("unequal window", sum, [](const Extents& e) { return unequal(e.kernel); });
  on_extents("unequal stride", paired, [](const Extents& e) { return unequal(e.stride); });
  on_extents("unequal padding", paired, [](const Extents& e) { return unequal(e.padding); });
  on_extents("unequal everything", paired, [](const Extents& e) {
    return unequal(e.image) && unequal(e.kernel) && unequal(e.stride) && unequal(e.padding) &&
           unequal(e.result) && e.in_channels != e.out_channels && e.batch > 1;
  });
  on_extents("groups of several channels", grouped, [](const Extents& e) {
    return e.groups > 1 && e.in_channels > e.groups && e.out_channels > e.groups;
  });
  on_extents("groups with other outputs than inputs", grouped, [](const Extents& e) {
    return e.groups > 1 && e.in_channels > e.groups && e.out_channels != e.in_channels;
  });
  on_extents("depthwise", grouped, [](const Extents& e) {
    return e.groups > 1 && e.in_channels == e.groups && e.out_channels == e.groups;
  });
  on_extents("depthwise with two outputs each", grouped, [](const Extents& e) {
    return e.groups > 1 && e.in_channels == e.groups && e.out_channels == 2 * e.groups;
  });
  on_call("output padding below the stride", transposed, [](const Geometry& g) {
    return g.output_padding.rows > 0 && g.output_padding.rows < g.extents.stride.rows;
  });
  on_call("output padding at the stride", transposed,
          [](const Geometry& g) { return g.output_padding == g.extents.stride; });
  on_call("output padding above the stride", transposed, [](const Geometry& g) {
    return g.output_padding.rows > g.extents.stride.rows &&
           g.output_padding.columns > g.extents.stride.columns;
  });
  on_extents("dilation of rows", transposed,
             [](const Extents& e) { return e.dilation.rows > 1 && e.kernel.rows > 1; });
  on_extents("dilation of columns", transposed,
             [](const Extents& e) { return e.dilation.columns > 1 && e.kernel.columns > 1; });
  on_extents("unequal dilation", transposed, [](const Extents& e) { return unequal(e.dilation); });
  on_extents("a result of more than 255 columns", any,
             [](const Extents& e) { return e.result.columns > 255; });
  on_extents("a result of more than 255 rows", any,
             [](const Extents& e) { return e.result.rows > 255; });
  on_extents("more than 255 output channels", any,
             [](const Extents& e) { return e.out_channels > 255; });
  on_extents("more than 255 input channels", any,
             [](const Extents& e) { return e.in_channels > 255; });
  on_extents("an image of more than 65535 elements", any, [](const Extents& e) {
    return e.image.rows * e.image.columns > 65535 && e.result.rows > 1 && e.result.columns > 1;
  });
  on_extents("sums of a thousand products", sum, [](const Extents& e) {
    return e.in_channels / e.groups * std::min(e.kernel.rows, e.image.rows) *
               std::min(e.kernel.columns, e.image.columns) >
           1000;
  });
  for (const std::int64_t lanes : {2, 4, 8, 16, 32, 64}) {
    for (const std::int64_t columns : {lanes - 1, lanes, lanes + 1}) {
      all.push_back({"columns around a vector", any,
                     [=](const Geometry& g) { return g.extents.result.columns == columns; }});
      all.push_back({"columns around a vector, with a stride", any, [=](const Geometry& g) {
                       return g.extents.result.columns == columns && g.extents.stride.columns == 2;
                     }});
      all.push_back({"image columns around a vector", transposed,
                     [=](const Geometry& g) { return g.extents.image.columns == columns; }});
    }
  }
  for (const std::int64_t many : {7, 8, 9, 15, 16, 17, 33}) {
    all.push_back({"rows around a vector, few columns", any, [=](const Geometry& g) {
                     return g.extents.result.rows == many && g.extents.result.columns < 4;
                   }});
    all.push_back({"channels around a vector, few columns", any, [=](const Geometry& g) {
                     return g.extents.out_channels == many && g.extents.result.columns < 6;
                   }});
    all.push_back({"groups around a vector", grouped, [=](const Geometry& g) {
                     return g.extents.groups == many && g.extents.in_channels == many;
                   }});
  }
  return all;
}

std::string missing(const Operation& operation, const std::vector<Geometry>& geometries) {
  std::string text;
  std::size_t index = 0;
  for (const Feature& feature : features()) {
    ++index;
    if (!feature.due(operation)) continue;
    if (std::none_of(geometries.begin(), geometries.end(), feature.holds)) {
      text += std::to_string(index) + " " + feature.what + "\n";
    }
  }
  return text;
}

TEST_CASE("corners are complete, distinct and in the order of their size", "[window]") {
  for (const char* kernel : kKernels) {
    const Operation& operation = testing::operation(kernel, Dtype::kF32);
    const std::vector<Geometry> corners = corner_geometries(operation);
    INFO(kernel);
    REQUIRE(corners.size() > 50);
    std::size_t before = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      Geometry again = corners[i];
      INFO(describe(operation, again));
      CHECK(complete(operation, again));
      CHECK(again == corners[i]);
      CHECK(std::find(corners.begin(), corners.begin() + static_cast<long>(i), again) ==
            corners.begin() + static_cast<long>(i));
      CHECK(input_elements(operation, again) >= before);
      before = input_elements(operation, again);
    }
  }
}

TEST_CASE("corners have every feature that is promised", "[window]") {
  for (const char* kernel : kKernels) {
    DYNAMIC_SECTION(kernel) {
      const Operation& operation = testing::operation(kernel, Dtype::kF32);
      CHECK(missing(operation, corner_geometries(operation)) == "");
    }
  }
}

TEST_CASE("the cases of a job have every feature too, at any effort", "[window]") {
  for (const char* kernel : kKernels) {
    for (const Effort effort : {Effort::kQuick, Effort::kStandard}) {
      DYNAMIC_SECTION(kernel << " " << to_string(effort)) {
        Job job;
        job.operation = testing::operation(kernel, Dtype::kF32);
        AuditOptions options;
        options.effort = effort;
        plan(job, options);
        std::vector<Geometry> geometries;
        std::vector<Family> seen;
        for (const Case& the_case : job.cases) {
          geometries.push_back(the_case.geometry);
          seen.push_back(the_case.family);
        }
        CHECK(missing(job.operation, geometries) == "");
        for (const Family family : families(job.operation)) {
          INFO(to_string(family));
          CHECK(std::count(seen.begin(), seen.end(), family) > 5);
        }
      }
    }
  }
}

TEST_CASE("random geometries are those of their seed, within the work asked for", "[window]") {
  constexpr double kMost = 4000;
  for (const char* kernel : kKernels) {
    INFO(kernel);
    const Operation& operation = testing::operation(kernel, Dtype::kF32);
    const std::vector<Geometry> drawn = random_geometries(operation, 150, kMost, 7);
    REQUIRE(drawn.size() == 150);
    CHECK(drawn == random_geometries(operation, 150, kMost, 7));
    CHECK(drawn != random_geometries(operation, 150, kMost, 8));
    for (const Geometry& geometry : drawn) {
      Geometry again = geometry;
      CHECK(complete(operation, again));
      CHECK(again == geometry);
      CHECK(work(operation, geometry) <= kMost);
    }
    const std::vector<Geometry> few = random_geometries(operation, 10, kMost, 7);
    CHECK(std::equal(few.begin(), few.end(), drawn.begin()));
  }
}

TEST_CASE("random geometries have the features that an operation has", "[window]") {
  for (const char* kernel : kKernels) {
    const Operation& operation = testing::operation(kernel, Dtype::kF32);
    const std::vector<Geometry> drawn = random_geometries(operation, 200, 40000, 1);
    const auto check = [&](const char* what, bool due, bool (*holds)(const Geometry&)) {
      INFO(kernel << ": " << what);
      const auto count = std::count_if(drawn.begin(), drawn.end(), holds);
      if (due) {
        CHECK(count >= 10);
      } else {
        CHECK(count == 0);
      }
    };
    check("groups", grouped(operation), [](const Geometry& g) { return g.extents.groups > 1; });
    check("depthwise", grouped(operation), [](const Geometry& g) {
      return g.extents.groups > 1 && g.extents.groups == g.extents.in_channels;
    });
    check("padding", padded(operation),
          [](const Geometry& g) { return g.extents.padding.rows > 0; });
    check("stride", true, [](const Geometry& g) { return g.extents.stride.rows > 1; });
    check("unequal stride", paired(operation),
          [](const Geometry& g) { return unequal(g.extents.stride); });
    check("dilation", transposed(operation), [](const Geometry& g) {
      return g.extents.dilation.rows > 1 || g.extents.dilation.columns > 1;
    });
    check("output padding", transposed(operation),
          [](const Geometry& g) { return g.output_padding.rows > 0; });
    check("output padding at or above the stride", transposed(operation), [](const Geometry& g) {
      return g.output_padding.rows >= g.extents.stride.rows ||
             g.output_padding.columns >= g.extents.stride.columns;
    });
    check("bias", biased(operation), [](const Geometry& g) { return g.bias; });
    check("no bias", true, [](const Geometry& g) { return !g.bias; });
    check("wide images", true, [](const Geometry& g) { return g.extents.image.columns > 24; });
    check("windows larger than one", true, [](const Geometry& g) {
      return g.extents.kernel.rows > 1 && g.extents.kernel.columns > 1;
    });
  }
}

TEST_CASE("nothing is drawn where nothing is admitted", "[window]") {
  const Operation& operation = testing::operation("conv2d", Dtype::kF32);
  CHECK(random_geometries(operation, 5, 0, 1).empty());
  CHECK(random_geometries(operation, 0, 1000, 1).empty());
}

}  // namespace
}  // namespace assay::window
