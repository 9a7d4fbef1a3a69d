#include "audit/window/geometry.h"

#include "audit/window/geometries.h"
#include "audit/window/testing/reading.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

using oracle::Term;

struct Parameter {
  std::string name;
  std::int64_t value;
  bool operator==(const Parameter&) const = default;
};

std::vector<Parameter> parameters_of(const Operation& operation, const Geometry& geometry) {
  std::vector<Parameter> all;
  for (const KernelParameter& p : parameters(operation, geometry)) all.push_back({p.name, p.value});
  return all;
}

/// x (2, 4, 5, 7), weight (6, 2, 3, 2), bias (6).
Geometry direct() {
  Geometry geometry;
  geometry.extents = {2, 4, 6, 2, {5, 7}, {3, 2}, {1, 1}, {2, 3}, {1, 2}, {1, 1}};
  geometry.bias = true;
  return geometry;
}

/// x (1, 4, 3, 5), weight (4, 3, 3, 2).
Geometry transposed() {
  Geometry geometry;
  geometry.extents = {1, 4, 6, 2, {3, 5}, {3, 2}, {1, 1}, {2, 3}, {1, 0}, {2, 1}};
  geometry.output_padding = {1, 2};
  return geometry;
}

/// x (2, 3, 7, 9), window 3x3, stride 2.
Geometry pooling() {
  Geometry geometry;
  geometry.extents = {2, 3, 3, 1, {7, 9}, {3, 3}, {1, 1}, {2, 2}, {0, 0}, {1, 1}};
  return geometry;
}

/// x (1, 2, 6, 5), kernel (3, 2, 2, 3).
Geometry simple() {
  Geometry geometry;
  geometry.extents = {1, 2, 3, 1, {6, 5}, {2, 3}, {1, 1}, {2, 2}, {1, 1}, {1, 1}};
  return geometry;
}

TEST_CASE("a direct convolution has these shapes, parameters and extents", "[window]") {
  const Operation& operation = testing::operation("conv2d", Dtype::kF32);
  Geometry geometry = direct();
  REQUIRE(complete(operation, geometry));
  CHECK(geometry.extents.result == Pair{3, 4});  // (5 + 2 - 3) / 2 + 1, (7 + 4 - 2) / 3 + 1
  CHECK(input_shapes(operation, geometry) == std::vector<Shape>{{2, 4, 5, 7}, {6, 2, 3, 2}, {6}});
  CHECK(output_shape(geometry) == Shape{2, 6, 3, 4});
  CHECK(input_elements(operation, geometry) == 280 + 72 + 6);
  CHECK(parameters_of(operation, geometry) == std::vector<Parameter>{{"stride_h", 2},
                                                                     {"stride_w", 3},
                                                                     {"padding_h", 1},
                                                                     {"padding_w", 2},
                                                                     {"dilation_h", 1},
                                                                     {"dilation_w", 1},
                                                                     {"groups", 2}});
  CHECK(describe(operation, geometry) ==
        "x (2, 4, 5, 7), weight (6, 2, 3, 2), bias (6), stride_h = 2, stride_w = 3, padding_h = 1, "
        "padding_w = 2, dilation_h = 1, dilation_w = 1, groups = 2");
  geometry.bias = false;
  CHECK(complete(operation, geometry));
  CHECK(input_shapes(operation, geometry) == std::vector<Shape>{{2, 4, 5, 7}, {6, 2, 3, 2}});
}

TEST_CASE("a transposed convolution has these shapes, parameters and extents", "[window]") {
  const Operation& operation = testing::operation("conv_transpose2d", Dtype::kF64);
  Geometry geometry = transposed();
  REQUIRE(complete(operation, geometry));
  // (3 - 1) 2 - 2 + 2 (3 - 1) + 1 + 1, (5 - 1) 3 - 0 + 1 (2 - 1) + 2 + 1
  CHECK(geometry.extents.result == Pair{8, 16});
  CHECK(input_shapes(operation, geometry) == std::vector<Shape>{{1, 4, 3, 5}, {4, 3, 3, 2}});
  CHECK(output_shape(geometry) == Shape{1, 6, 8, 16});
  CHECK(parameters_of(operation, geometry) == std::vector<Parameter>{{"stride_h", 2},
                                                                     {"stride_w", 3},
                                                                     {"padding_h", 1},
                                                                     {"padding_w", 0},
                                                                     {"output_padding_h", 1},
                                                                     {"output_padding_w", 2},
                                                                     {"dilation_h", 2},
                                                                     {"dilation_w", 1},
                                                                     {"groups", 2}});
}

TEST_CASE("a pooling and a simple convolution have these extents", "[window]") {
  const Operation& pool = testing::operation("max_pool2d", Dtype::kF16);
  Geometry geometry = pooling();
  REQUIRE(complete(pool, geometry));
  CHECK(geometry.extents.result == Pair{3, 4});  // (7 - 3) / 2 + 1, (9 - 3) / 2 + 1
  CHECK(input_shapes(pool, geometry) == std::vector<Shape>{{2, 3, 7, 9}});
  CHECK(output_shape(geometry) == Shape{2, 3, 3, 4});
  CHECK(parameters_of(pool, geometry) == std::vector<Parameter>{{"kernel_size", 3}, {"stride", 2}});
  const Operation& plain = testing::operation("conv2d_simple", Dtype::kF16);
  geometry = simple();
  REQUIRE(complete(plain, geometry));
  CHECK(geometry.extents.result == Pair{4, 3});  // (6 + 2 - 2) / 2 + 1, (5 + 2 - 3) / 2 + 1
  CHECK(input_shapes(plain, geometry) == std::vector<Shape>{{1, 2, 6, 5}, {3, 2, 2, 3}});
  CHECK(parameters_of(plain, geometry) == std::vector<Parameter>{{"stride", 2}, {"padding", 1}});
}

TEST_CASE("a call as formulas see it has operands and parameters", "[window]") {
  const Operation& operation = testing::operation("conv2d", Dtype::kF32);
  Geometry geometry = direct();
  REQUIRE(complete(operation, geometry));
  const fkc::CallShapes call = call_shapes(operation, geometry);
  CHECK(call.operands.at("x") == Shape{2, 4, 5, 7});
  CHECK(call.operands.at("weight") == Shape{6, 2, 3, 2});
  CHECK(call.operands.at("bias") == Shape{6});
  CHECK(call.params.at("x_shape") == fkc::ParamValue(fkc::Extents{2, 4, 5, 7}));
  CHECK(call.params.at("w_shape") == fkc::ParamValue(fkc::Extents{6, 2, 3, 2}));
  CHECK(call.params.at("stride") == fkc::ParamValue(fkc::Extents{2, 3}));
  CHECK(call.params.at("groups") == fkc::ParamValue(std::int64_t{2}));
  geometry.bias = false;
  CHECK(call_shapes(operation, geometry).operands.count("bias") == 0);
}

using Change = void (*)(Geometry&);

void check_excluded(const Operation& operation, const Geometry& good, Change change,
                    const char* what) {
  INFO(what);
  Geometry geometry = good;
  REQUIRE(complete(operation, geometry));
  change(geometry);
  CHECK_FALSE(complete(operation, geometry));
}

TEST_CASE("what a direct convolution does not define is not complete", "[window]") {
  const Operation& operation = testing::operation("conv2d", Dtype::kF32);
  const auto out = [&](Change change, const char* what) {
    check_excluded(operation, direct(), change, what);
  };
  out([](Geometry& g) { g.extents.dilation.rows = 2; }, "dilation");
  out([](Geometry& g) { g.output_padding.columns = 1; }, "output padding");
  out([](Geometry& g) { g.extents.groups = 3; }, "groups that do not divide the input channels");
  out([](Geometry& g) { g.extents.out_channels = 5; }, "groups that do not divide the outputs");
  out([](Geometry& g) { g.extents.groups = 0; }, "no groups");
  out([](Geometry& g) { g.extents.stride.columns = 0; }, "a stride of zero");
  out([](Geometry& g) { g.extents.kernel.rows = 0; }, "an empty window");
  out([](Geometry& g) { g.extents.kernel.rows = 8; }, "a window of 8 over 5 and padding 1");
  Geometry largest = direct();
  largest.extents.kernel = {7, 11};  // the image and its padding
  REQUIRE(complete(operation, largest));
  CHECK(largest.extents.result == Pair{1, 1});
}

TEST_CASE("a bias that a contract demands, or does not know, decides", "[window]") {
  const auto demanding =
      testing::read_edited("conv2d", Dtype::kF32, {{"      optional: true\n", ""}});
  Geometry geometry = direct();
  CHECK(complete(demanding.operation, geometry));
  geometry.bias = false;
  CHECK_FALSE(complete(demanding.operation, geometry));
  geometry = simple();
  geometry.bias = true;
  CHECK_FALSE(complete(testing::operation("conv2d_simple", Dtype::kF32), geometry));
}

TEST_CASE("what a simple convolution has no parameter for is not complete", "[window]") {
  const Operation& operation = testing::operation("conv2d_simple", Dtype::kF32);
  const auto out = [&](Change change, const char* what) {
    check_excluded(operation, simple(), change, what);
  };
  out([](Geometry& g) { g.extents.stride.columns = 1; }, "unequal strides");
  out([](Geometry& g) { g.extents.padding.columns = 0; }, "unequal paddings");
  out([](Geometry& g) { g.extents.groups = 2, g.extents.out_channels = 4; }, "groups");
  out([](Geometry& g) { g.extents.padding = {-1, -1}; }, "a negative padding");
}

TEST_CASE("what a transposed convolution does not define is not complete", "[window]") {
  const Operation& operation = testing::operation("conv_transpose2d", Dtype::kF32);
  const auto out = [&](Change change, const char* what) {
    check_excluded(operation, transposed(), change, what);
  };
  out([](Geometry& g) { g.bias = true; }, "a bias");
  out([](Geometry& g) { g.extents.groups = 3; }, "groups that do not divide the input channels");
  out([](Geometry& g) { g.extents.stride.rows = 0; }, "a stride of zero");
  out([](Geometry& g) { g.extents.dilation.columns = 0; }, "a dilation of zero");
  out([](Geometry& g) { g.extents.padding.rows = -1; }, "a negative padding");
  out([](Geometry& g) { g.output_padding.columns = -1; }, "a negative output padding");
  // 10 rows without padding: five on each side leave none, six on each side less than none.
  out([](Geometry& g) { g.extents.padding.rows = 5; }, "padding that takes everything");
  out([](Geometry& g) { g.extents.padding.rows = 6; }, "padding that takes more");
}

TEST_CASE("what a pooling does not define is not complete", "[window]") {
  const Operation& operation = testing::operation("max_pool2d", Dtype::kF32);
  const auto out = [&](Change change, const char* what) {
    check_excluded(operation, pooling(), change, what);
  };
  out([](Geometry& g) { g.extents.padding = {1, 1}; }, "padding");
  out([](Geometry& g) { g.extents.kernel.columns = 2; }, "a window that is no square");
  out([](Geometry& g) { g.extents.stride.rows = 1; }, "unequal strides");
  out([](Geometry& g) { g.extents.kernel = {8, 8}; }, "a window larger than the image");
  out([](Geometry& g) { g.extents.dilation = {2, 2}; }, "dilation");
  out([](Geometry& g) { g.extents.out_channels = 4; }, "other channels than the image's");
}

TEST_CASE("linear results are rows of a row-major tensor", "[window]") {
  Geometry geometry = direct();
  REQUIRE(complete(testing::operation("conv2d", Dtype::kF32), geometry));
  const Shape shape = output_shape(geometry);
  std::size_t linear = 0;
  for (std::int64_t n = 0; n < shape[0]; ++n) {
    for (std::int64_t c = 0; c < shape[1]; ++c) {
      for (std::int64_t i = 0; i < shape[2]; ++i) {
        for (std::int64_t j = 0; j < shape[3]; ++j, ++linear) {
          const oracle::ResultIndex at = result_index(geometry, linear);
          CHECK((at.image == n && at.channel == c && at.row == i && at.column == j));
        }
      }
    }
  }
  CHECK(linear == elements(shape));
}

TEST_CASE("products stand in the order of the loops", "[window]") {
  const Operation& operation = testing::operation("conv2d", Dtype::kF32);
  Geometry geometry;
  geometry.extents.in_channels = 2;
  geometry.extents.image = {3, 2};
  geometry.extents.kernel = {2, 2};
  REQUIRE(complete(operation, geometry));
  // Result (0, 0, 1, 0): rows 1 and 2 of both channels.
  CHECK(terms(operation, geometry, 1) ==
        std::vector<Term>{{2, 0}, {3, 1}, {4, 2}, {5, 3}, {8, 4}, {9, 5}, {10, 6}, {11, 7}});
  geometry.extents.padding = {1, 1};
  REQUIRE(complete(operation, geometry));
  // Nothing but the last element of the window meets the first of the image.
  CHECK(terms(operation, geometry, 0) == std::vector<Term>{{0, 3}, {6, 7}});
}

TEST_CASE("scattered products stand in the order of the inputs", "[window]") {
  const Operation& operation = testing::operation("conv_transpose2d", Dtype::kF32);
  Geometry geometry;
  geometry.extents.image = {2, 2};
  geometry.extents.kernel = {2, 2};
  REQUIRE(complete(operation, geometry));
  REQUIRE(geometry.extents.result == Pair{3, 3});
  CHECK(terms(operation, geometry, 4) == std::vector<Term>{{0, 3}, {1, 2}, {2, 1}, {3, 0}});
  CHECK(terms(operation, geometry, 2) == std::vector<Term>{{1, 1}});
}

TEST_CASE("work is never less than the number of products", "[window]") {
  for (const char* kernel : {"conv2d", "conv_transpose2d", "conv2d_simple", "max_pool2d"}) {
    const Operation& operation = testing::operation(kernel, Dtype::kF32);
    for (const Geometry& geometry : random_geometries(operation, 40, 3000, 5)) {
      std::size_t products = 0;
      const std::size_t results = elements(output_shape(geometry));
      for (std::size_t r = 0; r < results; ++r) {
        products +=
            operation.is_sum()
                ? terms(operation, geometry, r).size()
                : oracle::pooling_window(geometry.extents, result_index(geometry, r)).size();
      }
      INFO(kernel << ": " << describe(operation, geometry));
      CHECK(work(operation, geometry) >= static_cast<double>(products));
    }
  }
  // Without padding it is that number: 6 results, 3 channels, 2x2.
  Geometry geometry;
  geometry.extents = {1, 3, 1, 1, {3, 4}, {2, 2}, {1, 1}, {1, 1}, {0, 0}, {1, 1}};
  const Operation& operation = testing::operation("conv2d", Dtype::kF32);
  REQUIRE(complete(operation, geometry));
  CHECK(work(operation, geometry) == 6 * 3 * 4);
}

}  // namespace
}  // namespace assay::window
