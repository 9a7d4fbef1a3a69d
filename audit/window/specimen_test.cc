// Steps of shrinking: complete calls, always smaller, with the tensors' own elements.
#include "audit/window/specimen.h"

#include <rapidcheck.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <tuple>

#include "audit/window/call.h"
#include "audit/window/geometries.h"
#include "audit/window/testing/driven.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

constexpr std::array<const char*, 4> kKernels = {"conv2d", "conv_transpose2d", "conv2d_simple",
                                                 "max_pool2d"};

std::vector<Specimen> all_of(rc::Seq<Specimen> sequence) {
  std::vector<Specimen> all;
  while (rc::Maybe<Specimen> next = sequence.next()) all.push_back(std::move(*next));
  return all;
}

/// What no step may raise and each has to lower: the extents and parameters together.
std::int64_t measure(const Geometry& g) {
  const oracle::ConvolutionGeometry& e = g.extents;
  std::int64_t sum = e.batch + e.in_channels + e.out_channels + e.groups + (g.bias ? 1 : 0);
  for (const Pair pair : {e.image, e.kernel, e.stride, e.padding, e.dilation, g.output_padding}) {
    sum += pair.rows + pair.columns;
  }
  return sum;
}

void check_sizes(const Operation& operation, const Specimen& specimen) {
  const std::vector<Shape> shapes = input_shapes(operation, specimen.geometry);
  const auto inputs = specimen.tensors.inputs(operation, specimen.geometry);
  REQUIRE(inputs.size() == shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) CHECK(inputs[i]->size() == elements(shapes[i]));
  if (!specimen.geometry.bias) CHECK(specimen.tensors.bias.empty());
}

TEST_CASE("simpler geometries are complete and smaller, so that shrinking ends", "[window]") {
  for (const char* kernel : kKernels) {
    const Operation& operation = testing::operation(kernel, Dtype::kF32);
    for (const Geometry& geometry : random_geometries(operation, 25, 3000, 11)) {
      INFO(kernel << ": " << describe(operation, geometry));
      Specimen specimen{geometry, make_tensors(operation, {geometry, Family::kScaled, 1}), 0};
      std::size_t steps = 0;
      while (true) {
        const std::vector<Specimen> simpler = all_of(simpler_geometries(operation, specimen));
        for (const Specimen& next : simpler) {
          Geometry again = next.geometry;
          CHECK(complete(operation, again));
          CHECK(again == next.geometry);
          CHECK(measure(next.geometry) < measure(specimen.geometry));
          check_sizes(operation, next);
        }
        if (simpler.empty()) break;
        // The least bold step, so that the way is long.
        specimen = simpler.back();
        ++steps;
      }
      // Where nothing is left to take away everything is of size one.
      INFO("left: " << describe(operation, specimen.geometry));
      const oracle::ConvolutionGeometry& e = specimen.geometry.extents;
      CHECK((e.batch <= 1 && e.groups == 1 && e.in_channels <= 1 && e.out_channels <= 1));
      CHECK((e.image == Pair{1, 1} && e.kernel == Pair{1, 1} && e.stride == Pair{1, 1}));
      CHECK((e.padding == Pair{0, 0} && e.dilation == Pair{1, 1}));
      CHECK((specimen.geometry.output_padding == Pair{0, 0} && !specimen.geometry.bias));
      CHECK(steps > 0);
    }
  }
}

TEST_CASE("what a contract demands is never taken away", "[window]") {
  const auto demanding =
      testing::read_edited("conv2d", Dtype::kF32, {{"      optional: true\n", ""}});
  Geometry geometry;
  geometry.extents.image = {2, 2};
  geometry.bias = true;
  REQUIRE(complete(demanding.operation, geometry));
  const Specimen specimen{geometry, make_tensors(demanding.operation, {geometry, {}, 1}), 0};
  const auto simpler = all_of(simpler_geometries(demanding.operation, specimen));
  CHECK_FALSE(simpler.empty());
  for (const Specimen& next : simpler) CHECK(next.geometry.bias);
}

/// Which elements of a tensor of this shape are there: each holds its own index.
struct Kept {
  std::array<std::set<std::int64_t>, 4> along;  ///< indices by axis

  Kept(const std::vector<Bits>& indices, const Shape& shape) {
    for (const Bits index : indices) {
      auto rest = static_cast<std::int64_t>(index);
      for (std::size_t axis = 4; axis-- > 0;) {
        along[axis].insert(rest % shape[axis]);
        rest /= shape[axis];
      }
    }
  }

  /// The elements in row-major order, as they have to be.
  std::vector<Bits> expected(const Shape& shape) const {
    std::vector<Bits> all;
    for (const std::int64_t a : along[0]) {
      for (const std::int64_t b : along[1]) {
        for (const std::int64_t c : along[2]) {
          for (const std::int64_t d : along[3]) {
            all.push_back(static_cast<Bits>(((a * shape[1] + b) * shape[2] + c) * shape[3] + d));
          }
        }
      }
    }
    return all;
  }
};

std::vector<Bits> counting(std::size_t size) {
  std::vector<Bits> all(size);
  std::iota(all.begin(), all.end(), Bits{0});
  return all;
}

std::set<std::int64_t> modulo(const std::set<std::int64_t>& from, std::int64_t n) {
  std::set<std::int64_t> all;
  for (const std::int64_t i : from) all.insert(i % n);
  return all;
}

bool in_one_piece(const std::set<std::int64_t>& kept) {
  return kept.empty() ||
         *kept.rbegin() - *kept.begin() + 1 == static_cast<std::int64_t>(kept.size());
}

/// Whether image and filter, of one height and width, are one row each, and one element is gone.
bool in_one_row(const Geometry& before, const Geometry& after) {
  const Pair plane = before.extents.kernel;
  const Pair row{1, plane.rows * plane.columns - 1};
  return before.extents.image == plane && after.extents.image == row && after.extents.kernel == row;
}

/// The places within their plane that are left of the first plane.
std::vector<Bits> places(const std::vector<Bits>& tags, Pair plane) {
  const auto size = static_cast<std::size_t>(plane.rows * plane.columns);
  std::vector<Bits> all;
  for (std::size_t i = 0; i + 1 < size; ++i) all.push_back((tags[i] - counting(1)[0]) % size);
  return all;
}

TEST_CASE("in one row, every pixel keeps the weight that it met", "[window]") {
  for (const char* kernel : {"conv2d", "conv_transpose2d"}) {
    const Operation& operation = testing::operation(kernel, Dtype::kF32);
    Geometry geometry;
    geometry.extents.in_channels = 2;
    geometry.extents.image = geometry.extents.kernel = {2, 3};
    REQUIRE(complete(operation, geometry));
    Specimen tagged{geometry, {counting(12), counting(12), {}}, 0};
    std::size_t seen = 0;
    for (const Specimen& next : all_of(simpler_geometries(operation, tagged))) {
      if (!in_one_row(geometry, next.geometry)) continue;
      ++seen;
      CHECK((next.tensors.x.size() == 10 && next.tensors.weight.size() == 10));
      std::vector<Bits> met = places(next.tensors.weight, {2, 3});
      if (operation.kind == OperationKind::kTransposedConvolution) {
        std::reverse(met.begin(), met.end());
        for (Bits& place : met) place = 5 - place;
      }
      CHECK(places(next.tensors.x, {2, 3}) == met);
    }
    CHECK(seen == 6);
  }
}

TEST_CASE("what remains of the tensors belongs together", "[window]") {
  for (const char* kernel : kKernels) {
    const Operation& operation = testing::operation(kernel, Dtype::kF32);
    const bool scattered = operation.kind == OperationKind::kTransposedConvolution;
    for (const Geometry& geometry : random_geometries(operation, 40, 3000, 12)) {
      INFO(kernel << ": " << describe(operation, geometry));
      const std::vector<Shape> shapes = input_shapes(operation, geometry);
      Specimen tagged{geometry, {}, 0};
      tagged.tensors.x = counting(elements(shapes[0]));
      if (operation.is_sum()) tagged.tensors.weight = counting(elements(shapes[1]));
      if (geometry.bias) {
        tagged.tensors.bias = counting(static_cast<std::size_t>(geometry.extents.out_channels));
      }
      const std::int64_t in_per_group = geometry.extents.in_channels / geometry.extents.groups;
      const std::int64_t out_per_group = geometry.extents.out_channels / geometry.extents.groups;
      for (const Specimen& next : all_of(simpler_geometries(operation, tagged))) {
        if (in_one_row(geometry, next.geometry)) continue;  // see above
        const Kept x(next.tensors.x, shapes[0]);
        CHECK(x.expected(shapes[0]) == next.tensors.x);
        for (const std::size_t axis : {0, 2, 3}) CHECK(in_one_piece(x.along[axis]));
        if (!operation.is_sum()) continue;
        const Kept weight(next.tensors.weight, shapes[1]);
        CHECK(weight.expected(shapes[1]) == next.tensors.weight);
        CHECK(in_one_piece(weight.along[2]));
        CHECK(in_one_piece(weight.along[3]));
        // The input channels of image and weight are the same ones, group by group.
        const std::set<std::int64_t>& within = weight.along[1];
        if (scattered) {
          CHECK(weight.along[0] == x.along[1]);
        } else {
          CHECK(within == modulo(x.along[1], in_per_group));
        }
        // The groups that are there are there on both sides.
        std::set<std::int64_t> groups;
        for (const std::int64_t channel : x.along[1]) groups.insert(channel / in_per_group);
        CHECK(static_cast<std::int64_t>(groups.size()) == next.geometry.extents.groups);
        std::set<std::int64_t> outputs = weight.along[0];
        if (scattered) {
          outputs.clear();
          for (const std::int64_t g : groups) {
            for (const std::int64_t c : within) outputs.insert(g * out_per_group + c);
          }
        }
        std::set<std::int64_t> of_outputs;
        for (const std::int64_t channel : outputs) of_outputs.insert(channel / out_per_group);
        CHECK(of_outputs == groups);
        if (!next.geometry.bias) continue;
        CHECK(std::vector<Bits>(outputs.begin(), outputs.end()) == next.tensors.bias);
      }
    }
  }
}

/// Results by the real kernel.
std::vector<Bits> results_of(const std::string& kernel, const Specimen& specimen) {
  static std::string name;
  name = kernel;
  const KernelVariant variant{
      "scalar", [](KernelCall& call) { return testing::healthy(call, name, Dtype::kF32); }};
  EnvironmentLog log;
  const Operation& operation = testing::operation(kernel, Dtype::kF32);
  CaseRunner runner(operation, variant, log);
  INFO(runner.fault());
  REQUIRE(runner.run(specimen.geometry, specimen.tensors) == CallFault::kNone);
  return runner.results();
}

TEST_CASE("kept images and channels have the results that they had", "[window]") {
  for (const char* kernel : kKernels) {
    const Operation& operation = testing::operation(kernel, Dtype::kF32);
    std::size_t compared = 0;
    for (const Geometry& geometry : random_geometries(operation, 60, 3000, 13)) {
      INFO(kernel << ": " << describe(operation, geometry));
      const Tensors tensors = make_tensors(operation, {geometry, Family::kScaled, 1});
      const Specimen specimen{geometry, tensors, 0};
      const std::vector<Bits> before = results_of(kernel, specimen);
      const Shape shape = output_shape(geometry);
      const auto plane = static_cast<std::size_t>(shape[2] * shape[3]);
      for (const Specimen& next : all_of(simpler_geometries(operation, specimen))) {
        // Images, groups and output channels only: everything else is as it was.
        Geometry restored = next.geometry;
        restored.extents.batch = geometry.extents.batch;
        restored.extents.out_channels = geometry.extents.out_channels;
        restored.extents.groups = geometry.extents.groups;
        restored.extents.in_channels = geometry.extents.in_channels;
        const bool same_sums = next.geometry.extents.in_channels / next.geometry.extents.groups ==
                                   geometry.extents.in_channels / geometry.extents.groups ||
                               !operation.is_sum();
        if (restored != geometry || !same_sums) continue;
        // Each plane of results is one of the old ones, in their order.
        const std::vector<Bits> after = results_of(kernel, next);
        std::size_t old_plane = 0;
        for (std::size_t at = 0; at < after.size(); at += plane) {
          while (old_plane * plane < before.size() &&
                 !std::equal(after.begin() + static_cast<long>(at),
                             after.begin() + static_cast<long>(at + plane),
                             before.begin() + static_cast<long>(old_plane * plane))) {
            ++old_plane;
          }
          CHECK(old_plane * plane < before.size());
          ++old_plane;
        }
        ++compared;
      }
    }
    CHECK(compared > 40);
  }
}

/// Elements that are not 0, those that are neither 0 nor 1, and all bits that are set.
std::tuple<std::size_t, std::size_t, int> measure(const Tensors& tensors, Dtype dtype) {
  std::tuple<std::size_t, std::size_t, int> sum{0, 0, 0};
  for (const auto* values : {&tensors.x, &tensors.weight, &tensors.bias}) {
    for (const Bits bits : *values) {
      std::get<0>(sum) += bits != 0 ? 1 : 0;
      std::get<1>(sum) += bits != 0 && bits != traits(dtype).one() ? 1 : 0;
      std::get<2>(sum) += std::popcount(bits);
    }
  }
  return sum;
}

TEST_CASE("simpler values are of the same call and simpler, so that shrinking ends", "[window]") {
  for (const Dtype dtype : {Dtype::kF16, Dtype::kF32}) {
    for (const char* kernel : {"conv2d_simple", "max_pool2d"}) {
      const Operation& operation = testing::operation(kernel, dtype);
      Geometry geometry;
      geometry.extents.image = {2, 2};
      geometry.extents.kernel = operation.is_sum() ? Pair{1, 2} : Pair{2, 2};
      REQUIRE(complete(operation, geometry));
      for (const Family family : families(operation)) {
        INFO(kernel << " " << to_string(family));
        Specimen specimen{geometry, make_tensors(operation, {geometry, family, 2}), 0};
        while (true) {
          const std::vector<Specimen> simpler = all_of(simpler_values(operation, specimen));
          for (const Specimen& next : simpler) {
            CHECK(next.geometry == geometry);
            check_sizes(operation, next);
            CHECK(measure(next.tensors, dtype) < measure(specimen.tensors, dtype));
          }
          if (simpler.empty()) break;
          specimen = simpler.back();
        }
        // Where nothing is left to simplify everything is 0.
        CHECK(std::get<0>(measure(specimen.tensors, dtype)) == 0);
      }
    }
  }
}

TEST_CASE("the boldest steps come first", "[window]") {
  const Operation& operation = testing::operation("conv2d", Dtype::kF32);
  Geometry geometry;
  geometry.extents = {3, 2, 2, 1, {4, 5}, {2, 2}, {1, 1}, {1, 1}, {0, 0}, {1, 1}};
  REQUIRE(complete(operation, geometry));
  const Specimen specimen{geometry, make_tensors(operation, {geometry, Family::kScaled, 1}), 0};
  const std::vector<Specimen> geometries = all_of(simpler_geometries(operation, specimen));
  CHECK(geometries.front().geometry.extents.batch == 1);
  const std::vector<Specimen> values = all_of(simpler_values(operation, specimen));
  CHECK(std::all_of(values.front().tensors.x.begin(), values.front().tensors.x.end(),
                    [](Bits bits) { return bits == 0; }));
}

}  // namespace
}  // namespace assay::window
