// Truths of sums and windows that can be computed by hand.
#include "audit/window/truth.h"

#include <bit>
#include <cmath>
#include <limits>

#include "audit/window/testing/reading.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

std::vector<Bits> integers(std::initializer_list<std::int64_t> values, Dtype dtype) {
  std::vector<Bits> all;
  for (const std::int64_t n : values) all.push_back(integer_bits(n, dtype));
  return all;
}

bool near(double a, double b) {
  return std::fabs(a - b) <= 1e-14 * std::fabs(b);
}

/// One result: the sum of `count` products side by side.
Geometry one_sum(const Operation& operation, std::int64_t count, bool bias = false) {
  Geometry geometry;
  geometry.extents.image = {1, count};
  geometry.extents.kernel = {1, count};
  geometry.bias = bias;
  REQUIRE(complete(operation, geometry));
  REQUIRE(elements(output_shape(geometry)) == 1);
  return geometry;
}

Truth truth_of_sum(const Operation& operation, const Tensors& tensors) {
  const Geometry geometry =
      one_sum(operation, static_cast<std::int64_t>(tensors.x.size()), !tensors.bias.empty());
  return TruthSource(operation, geometry, tensors).truth(0);
}

/// Of a window of 2x2.
Truth truth_of_window(Dtype dtype, const std::vector<Bits>& x) {
  const Operation& operation = testing::operation("max_pool2d", dtype);
  Geometry geometry;
  geometry.extents.image = {2, 2};
  geometry.extents.kernel = {2, 2};
  REQUIRE(complete(operation, geometry));
  const Tensors tensors{x, {}, {}};
  return TruthSource(operation, geometry, tensors).truth(0);
}

TEST_CASE("sums of integers are the integers", "[window]") {
  const Operation& operation = testing::operation("conv2d", Dtype::kF32);
  Geometry geometry;
  geometry.extents = {1, 2, 2, 1, {2, 3}, {1, 2}, {1, 1}, {1, 1}, {0, 0}, {1, 1}};
  geometry.bias = true;
  REQUIRE(complete(operation, geometry));
  const Tensors tensors{integers({1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6}, Dtype::kF32),
                        integers({1, 10, 100, 1000, 2, 0, 0, -3}, Dtype::kF32),
                        integers({7, -7}, Dtype::kF32)};
  TruthSource source(operation, geometry, tensors);
  // Channel 0: x(i, j) + 10 x(i, j + 1) - 100 x(i, j) - 1000 x(i, j + 1) + 7, the second channel of
  // the image being the first negated; channel 1: 2 x(i, j) + 3 x(i, j + 1) - 7.
  const std::int64_t due[] = {-2072, -3161, -5339, -6428, 1, 6, 16, 21};
  for (std::size_t r = 0; r < 8; ++r) {
    const Truth truth = source.truth(r);
    CHECK(truth.exact == integer_bits(due[r], Dtype::kF32));
    CHECK(truth.model == truth.exact);
    CHECK(truth.model_bias_first == truth.exact);
    CHECK(truth.products == 4);
    CHECK((truth.finite && truth.bounded && truth.within_bound && !truth.has_nan));
    CHECK((truth.absolute == 0 && truth.relative == 0 && truth.ulp == 0));
  }
  // |-99 x(0, 0)| + |-990 x(0, 1)| in parts, and the bias.
  CHECK(near(source.truth(0).condition, (1 + 20 + 100 + 2000 + 7) / 2072.0));
  const oracle::SumError error = source.error(4, integer_bits(3, Dtype::kF32));
  CHECK(error.absolute == 2);
  CHECK(error.relative == 2);
  CHECK(error.ulp == 2 * 0x1p23);
  CHECK_FALSE(error.within_bound);
  CHECK(source.error(4, integer_bits(1, Dtype::kF32)).absolute == 0);
}

TEST_CASE("sums in F16 and BF16 stop growing where the precision ends", "[window]") {
  for (const auto& [dtype, end] : {std::pair(Dtype::kF16, 2048), std::pair(Dtype::kBF16, 256)}) {
    INFO(traits(dtype).name);
    const Operation& operation = testing::operation("conv2d_simple", dtype);
    const Truth late =
        truth_of_sum(operation, {integers({end, 1, 1}, dtype), integers({1, 1, 1}, dtype), {}});
    CHECK(late.exact == integer_bits(end, dtype) + 1);  // steps are of 2 there
    CHECK(late.model == integer_bits(end, dtype));      // each half step is lost
    CHECK(late.absolute == 2);
    CHECK(late.ulp == 1);
    CHECK(near(late.relative, 2.0 / (end + 2)));
    CHECK(late.within_bound);
    const Truth early =
        truth_of_sum(operation, {integers({1, 1, end}, dtype), integers({1, 1, 1}, dtype), {}});
    CHECK(early.model == early.exact);
    CHECK(early.exact == late.exact);
  }
}

TEST_CASE("a product is rounded before it is added", "[window]") {
  // (1 + 2^-10)^2 = 1 + 2^-9 + 2^-20 in F16: the last term is lost, and seen by the exact sum.
  const Operation& operation = testing::operation("conv2d_simple", Dtype::kF16);
  const std::vector<Bits> factors = {0x3c01, 0xbc00};  // 1 + 2^-10, -1
  const std::vector<Bits> weights = {0x3c01, 0x3c02};  // 1 + 2^-10, 1 + 2^-9
  const Truth truth = truth_of_sum(operation, {factors, weights, {}});
  CHECK(truth.model == 0);
  CHECK(truth.exact == 0x0010);  // 2^-20 is 16 of the least subnormals
  CHECK(truth.absolute == 0x1p-20);
  CHECK(truth.relative == 0x1p-6);  // to the least normal number, 2^-14
}

TEST_CASE("a selection is off by what it is off, an infinity by nothing or everything",
          "[window]") {
  const Operation& operation = testing::operation("max_pool2d", Dtype::kF32);
  Geometry geometry;
  geometry.extents.image = geometry.extents.kernel = {1, 1};
  REQUIRE(complete(operation, geometry));
  Tensors tensors{{0x3f800000}, {}, {}};  // 1
  TruthSource one(operation, geometry, tensors);
  CHECK(one.error(0, 0x3f800000).absolute == 0);
  CHECK(one.error(0, 0x3f800001).absolute == 0x1p-23);
  CHECK(one.error(0, 0x3f800001).relative == 0x1p-23);
  CHECK(one.error(0, 0x3f800003).ulp == 3);
  CHECK(std::isinf(one.error(0, 0x7f800000).absolute));
  tensors.x = {0x7f800000};
  CHECK(one.error(0, 0x7f800000).absolute == 0);
  CHECK(std::isinf(one.error(0, 0x3f800000).relative));
}

TEST_CASE("where the bias is added shows", "[window]") {
  const auto with_bias = testing::operation("conv2d", Dtype::kF32);
  // 1 + 2^24 ties to 2^24, and so does the next 1; 1 + 1 + 2^24 does not.
  const std::int64_t end = std::int64_t{1} << 24;
  std::vector<Bits> x = integers({1, 1}, Dtype::kF32);
  x[1] = std::bit_cast<std::uint32_t>(0x1p24f);
  const Truth truth =
      truth_of_sum(with_bias, {x, integers({1, 1}, Dtype::kF32), integers({1}, Dtype::kF32)});
  CHECK(truth.model == std::bit_cast<std::uint32_t>(0x1p24f));
  CHECK(truth.model_bias_first == std::bit_cast<std::uint32_t>(static_cast<float>(end + 2)));
  CHECK(truth.exact == truth.model_bias_first);
  CHECK(truth.products == 2);
}

TEST_CASE("a result has a NaN where one of its own operands is", "[window]") {
  const Operation& operation = testing::operation("conv2d", Dtype::kF32);
  const Bits nan = 0x7fc00001;
  Geometry geometry;
  geometry.extents = {1, 1, 2, 1, {1, 3}, {1, 2}, {1, 1}, {1, 1}, {0, 1}, {1, 1}};
  geometry.bias = true;
  REQUIRE(complete(operation, geometry));  // results of columns -1 … 2
  Tensors tensors{integers({1, 2, 3}, Dtype::kF32), integers({1, 1, 1, 1}, Dtype::kF32),
                  integers({0, 0}, Dtype::kF32)};
  const auto having = [&] {
    std::string text;
    TruthSource source(operation, geometry, tensors);
    for (std::size_t r = 0; r < 8; ++r) {
      const Truth truth = source.truth(r);
      CHECK(truth.finite == !truth.has_nan);
      CHECK(truth.bounded == !truth.has_nan);
      CHECK(traits(Dtype::kF32).is_nan(truth.exact) == truth.has_nan);
      text += truth.has_nan ? 'n' : '-';
    }
    return text;
  };
  CHECK(having() == "--------");
  tensors.x[0] = nan;
  CHECK(having() == "nn--nn--");
  tensors.x[0] = 0;
  tensors.weight[0] = nan;  // of the first channel; its first result meets the padding there
  CHECK(having() == "-nnn----");
  tensors.weight[0] = 0;
  tensors.bias[1] = nan;
  CHECK(having() == "----nnnn");
}

TEST_CASE("a weight that meets only padding decides where it is no number", "[window]") {
  const Operation& operation = testing::operation("conv2d", Dtype::kF32);
  const DtypeTraits& format = traits(Dtype::kF32);
  const Bits one = format.one();
  const Bits infinity = format.infinity();
  const Bits nan = infinity | format.quiet_bit();
  Geometry geometry;  // one pixel under the middle of three weights, for two groups
  geometry.extents.in_channels = geometry.extents.out_channels = geometry.extents.groups = 2;
  geometry.extents.kernel = {1, 3};
  geometry.extents.padding = {0, 1};
  REQUIRE(complete(operation, geometry));
  const auto truth = [&](const std::vector<Bits>& weight, std::size_t result) {
    const Tensors tensors{{one, one}, weight, {}};
    return TruthSource(operation, geometry, tensors).truth(result);
  };
  CHECK_FALSE(truth({one, one, one, one, one, one}, 0).gap_decides);
  CHECK(truth({infinity, one, one, one, one, one}, 0).gap_decides);
  CHECK_FALSE(truth({infinity, one, one, one, one, one}, 0).nan_in_gap);
  CHECK_FALSE(truth({infinity, one, one, one, one, one}, 1).gap_decides);
  CHECK(truth({one, one, one, one, one, nan}, 1).gap_decides);
  CHECK(truth({one, one, one, one, one, nan}, 1).nan_in_gap);
  CHECK_FALSE(truth({one, one, one, one, one, nan}, 0).gap_decides);
  CHECK_FALSE(truth({one, infinity, one, one, one, one}, 0).gap_decides);  // it meets the pixel
  CHECK_FALSE(truth({infinity, nan, one, one, one, one}, 0).gap_decides);  // NaN is due anyhow
  CHECK(truth({infinity, one, one, one, one, one}, 0).finite);
}

TEST_CASE("so does one that falls between the pixels of a transposed convolution", "[window]") {
  const Operation& operation = testing::operation("conv_transpose2d", Dtype::kF32);
  const Bits one = traits(Dtype::kF32).one();
  const Bits infinity = traits(Dtype::kF32).infinity();
  Geometry geometry;  // two groups of one channel in and two out, two pixels each, a stride of 2
  geometry.extents.in_channels = 2;
  geometry.extents.out_channels = 4;
  geometry.extents.groups = 2;
  geometry.extents.image = {1, 2};
  geometry.extents.kernel = {1, 2};
  geometry.extents.stride = {1, 2};
  REQUIRE(complete(operation, geometry));
  const std::size_t columns = static_cast<std::size_t>(geometry.extents.result.columns);
  REQUIRE(columns == 4);
  // weight[ci][co'][0][kw]: the second channel of the second group is channel 3.
  Tensors tensors{std::vector<Bits>(4, one), std::vector<Bits>(8, one), {}};
  tensors.weight[7] = infinity;
  TruthSource source(operation, geometry, tensors);
  for (std::size_t result = 0; result < 4 * columns; ++result) {
    const bool due = result / columns == 3 && result % 2 == 0;
    CHECK(source.truth(result).gap_decides == due);
  }
}

TEST_CASE("infinite operands are not finite, and no NaN is among them", "[window]") {
  const Operation& operation = testing::operation("conv2d_simple", Dtype::kF32);
  const DtypeTraits& format = traits(Dtype::kF32);
  const Truth truth = truth_of_sum(
      operation, {{format.infinity(), format.one()}, integers({0, 1}, Dtype::kF32), {}});
  CHECK_FALSE(truth.finite);
  CHECK_FALSE(truth.bounded);
  CHECK_FALSE(truth.has_nan);
  CHECK(format.is_nan(truth.exact));  // infinity times zero
  CHECK(format.is_nan(truth.model));
}

TEST_CASE("a sum is bounded where no partial sum can overflow", "[window]") {
  const Operation& operation = testing::operation("conv2d_simple", Dtype::kF32);
  const DtypeTraits& format = traits(Dtype::kF32);
  const Bits most = format.max_finite();
  const std::vector<Bits> weights = integers({1, 1, 1}, Dtype::kF32);
  const Truth beyond =
      truth_of_sum(operation, {{most, most, most | format.sign_mask()}, weights, {}});
  CHECK(beyond.finite);
  CHECK_FALSE(beyond.bounded);
  CHECK(beyond.exact == most);
  CHECK(beyond.model == format.infinity());
  CHECK(beyond.absolute == std::numeric_limits<double>::infinity());
  const Truth within = truth_of_sum(operation, {{most, 0, 0}, {0x3f000000, 0, 0}, {}});
  CHECK(within.bounded);
}

TEST_CASE("the empty sum is +0, and a bias alone is the bias", "[window]") {
  Geometry geometry;
  geometry.extents = {1, 0, 1, 1, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {0, 0}, {1, 1}};
  const Operation& simple = testing::operation("conv2d_simple", Dtype::kF32);
  REQUIRE(complete(simple, geometry));
  const Tensors none;
  const Truth empty = TruthSource(simple, geometry, none).truth(0);
  CHECK((empty.exact == 0 && empty.model == 0 && empty.products == 0 && empty.condition == 1));
  const Operation& biased = testing::operation("conv2d", Dtype::kF32);
  geometry.extents.in_channels = 1;
  geometry.extents.padding = {1, 1};
  geometry.bias = true;
  REQUIRE(complete(biased, geometry));
  const Tensors alone{integers({1}, Dtype::kF32), integers({1}, Dtype::kF32),
                      integers({5}, Dtype::kF32)};
  const Truth corner = TruthSource(biased, geometry, alone).truth(0);
  CHECK(corner.products == 0);
  CHECK(corner.exact == integer_bits(5, Dtype::kF32));
  CHECK(corner.model == corner.exact);
}

TEST_CASE("the greatest of a window, in every format", "[window]") {
  for (const Dtype dtype : {Dtype::kF32, Dtype::kF64, Dtype::kBF16, Dtype::kF16}) {
    INFO(traits(dtype).name);
    const DtypeTraits& format = traits(dtype);
    const Bits minus = format.sign_mask();
    const Bits nan = format.infinity() | 1;
    const Bits one = format.one();
    const Truth plain = truth_of_window(dtype, {one | minus, 0, one, 1});
    CHECK(plain.exact == one);
    CHECK(plain.model == one);
    CHECK(plain.products == 4);
    CHECK((plain.finite && plain.bounded && !plain.has_nan && !plain.only_nans));
    CHECK_FALSE(plain.both_zeros);

    const Truth negative = truth_of_window(dtype, {one | minus, minus | 1, one | minus, nan});
    CHECK(negative.exact == (minus | 1));
    CHECK((negative.has_nan && !negative.only_nans && negative.finite));

    const Truth zeros = truth_of_window(dtype, {minus, 0, one | minus, minus});
    CHECK(zeros.both_zeros);
    CHECK(format.is_zero(zeros.exact));
    CHECK_FALSE(truth_of_window(dtype, {minus, minus, one | minus, minus}).both_zeros);
    CHECK_FALSE(truth_of_window(dtype, {minus, 0, one, minus}).both_zeros);

    const Truth nans = truth_of_window(dtype, {nan, nan | minus, nan, format.infinity() | 2});
    CHECK((nans.has_nan && nans.only_nans && !nans.finite && !nans.bounded));
    CHECK(nans.selection().only_nans);
    const Truth infinite = truth_of_window(dtype, {nan, minus | format.infinity(), nan, nan});
    CHECK(infinite.exact == (minus | format.infinity()));
    CHECK((infinite.has_nan && !infinite.only_nans));
  }
}

}  // namespace
}  // namespace assay::window
