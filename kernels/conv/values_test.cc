// Convolutions worked out by hand, on every variant: what is multiplied with what, the order of the
// sum, its roundings, padding, and the ends of the parameters' ranges.

#include <limits>

#include "contracts/testing/catch.h"
#include "kernels/conv/conv.h"
#include "kernels/conv/testing/geometry.h"

namespace assay::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kTwo24 = 16777216;  // 1 added to it is lost in f32
constexpr std::int64_t kTwo40 = std::int64_t{1} << 40;
constexpr std::int64_t kTwo61 = std::int64_t{1} << 61;

std::vector<Bits> bits_of(const std::vector<float>& values) {
  std::vector<Bits> bits;
  for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

/// Runs every variant of a kernel on the inputs' patterns and checks the output's.
void check_bits(const std::string& operation, Dtype dtype, const Geometry& g,
                const std::vector<std::vector<Bits>>& inputs, const std::vector<Bits>& expected) {
  static const Registry registry(conv_kernels());
  const std::string name = operation + "_" + std::string(traits(dtype).name);
  const Kernel* kernel = registry.find("fuel_reference_backend::ops::" + name);
  REQUIRE(kernel != nullptr);
  Convolution convolution = make_convolution(operation, dtype, g);
  REQUIRE(convolution.inputs.size() == inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) convolution.inputs[i].fill(inputs[i]);
  const Dense due = Dense(convolution.out).fill(expected);
  for (const KernelVariant& variant : kernel->variants) {
    Dense out = convolution.out;
    std::fill(out.bytes().begin(), out.bytes().end(), std::byte{0xa5});
    KernelCall call;
    const KernelStatus status =
        run(variant.function, convolution.inputs, out, convolution.parameters, call);
    INFO(name << " " << variant.name << ": " << call.message);
    CHECK(status == KernelStatus::kOk);
    CHECK(call.ran == variant.name);
    CHECK(first_difference(due, out) == "");
  }
}

void check_f32(const std::string& operation, const Geometry& g,
               const std::vector<std::vector<float>>& inputs, const std::vector<float>& expected) {
  std::vector<std::vector<Bits>> bits;
  for (const std::vector<float>& input : inputs) bits.push_back(bits_of(input));
  check_bits(operation, Dtype::kF32, g, bits, bits_of(expected));
}

TEST_CASE("conv2d multiplies a kernel that is not flipped") {
  const Geometry g = {.image = {3, 3}, .kernel = {2, 2}};
  check_f32("conv2d", g, {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4}}, {37, 47, 67, 77});
  check_f32("conv2d_simple", g, {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4}}, {37, 47, 67, 77});
}

TEST_CASE("conv2d takes stride and padding by axis") {
  // Padded: 0 0 1 2 3 0 0 over one row; every third column, windows of two.
  check_f32("conv2d", {.image = {1, 3}, .kernel = {1, 2}, .stride = {1, 3}, .padding = {0, 2}},
            {{1, 2, 3}, {10, 100}}, {0, 320});
  check_f32("conv2d", {.image = {3, 1}, .kernel = {2, 1}, .stride = {3, 1}, .padding = {2, 0}},
            {{1, 2, 3}, {10, 100}}, {0, 320});
}

TEST_CASE("conv2d keeps groups apart") {
  const Geometry g = {.in_channels = 2, .out_channels = 2, .groups = 2};
  check_f32("conv2d", g, {{1, 2, 3, 4}, {1, 10, 2, 20, 1, 10, 2, 20}}, {21, 42, 43, 86});
}

TEST_CASE("conv2d adds the bias last") {
  const Geometry g = {.in_channels = 2, .out_channels = 2, .bias = true};
  // 1 is lost in 1 + 2^24; with the bias first it would not be.
  check_f32("conv2d", g, {{1, kTwo24}, {1, 1, 1, 0}, {-kTwo24, 0.5f}}, {0, 1.5f});
}

TEST_CASE("conv2d sums by channel, then row, then column") {
  check_f32("conv2d", {.image = {1, 3}, .kernel = {1, 3}}, {{kTwo24, 1, -kTwo24}, {1, 1, 1}}, {0});
  check_f32("conv2d", {.image = {1, 3}, .kernel = {1, 3}}, {{kTwo24, -kTwo24, 1}, {1, 1, 1}}, {1});
  check_f32("conv2d", {.image = {3, 1}, .kernel = {3, 1}}, {{kTwo24, 1, -kTwo24}, {1, 1, 1}}, {0});
  check_f32("conv2d", {.in_channels = 3}, {{kTwo24, 1, -kTwo24}, {1, 1, 1}}, {0});
  // Columns before rows: 2^24 and -2^24 in one row cancel before the other row's 1 comes.
  check_f32("conv2d", {.image = {2, 2}, .kernel = {2, 2}}, {{kTwo24, -kTwo24, 1, 0}, {1, 1, 1, 1}},
            {1});
  check_f32("conv2d", {.image = {2, 2}, .kernel = {2, 2}}, {{kTwo24, 1, -kTwo24, 0}, {1, 1, 1, 1}},
            {0});
  // Rows before channels.
  check_f32("conv2d", {.in_channels = 2, .image = {2, 1}, .kernel = {2, 1}},
            {{kTwo24, -kTwo24, 1, 0}, {1, 1, 1, 1}}, {1});
  check_f32("conv2d", {.in_channels = 2, .image = {2, 1}, .kernel = {2, 1}},
            {{kTwo24, 1, -kTwo24, 0}, {1, 1, 1, 1}}, {0});
}

TEST_CASE("convolutions round each product by itself") {
  const float a = 1 + 0x1p-12f;  // its square is 1 + 2^-11 + 2^-24
  check_f32("conv2d", {.image = {1, 2}, .kernel = {1, 2}}, {{1, a}, {-(1 + 0x1p-11f), a}}, {0});
  check_f32("conv_transpose2d", {.in_channels = 2}, {{1, a}, {-(1 + 0x1p-11f), a}}, {0});
}

TEST_CASE("padding is skipped, not multiplied") {
  const Geometry g = {.kernel = {3, 3}, .padding = {1, 1}, .bias = true};
  check_f32("conv2d", g,
            {{2}, {kNan, kInfinity, kNan, kInfinity, 3, -kInfinity, kNan, kNan, kNan}, {1}}, {7});
  check_f32("conv2d", {.kernel = {1, 1}, .padding = {0, 1}, .bias = true}, {{2}, {kInfinity}, {1}},
            {1, kInfinity, 1});
}

TEST_CASE("conv_transpose2d scatters each pixel through the kernel") {
  const std::vector<std::vector<float>> inputs = {{1, 2, 3, 4}, {1, 10, 100, 1000}};
  check_f32("conv_transpose2d", {.image = {2, 2}, .kernel = {2, 2}}, inputs,
            {1, 12, 20, 103, 1234, 2040, 300, 3400, 4000});
  check_f32("conv_transpose2d", {.image = {2, 2}, .kernel = {2, 2}, .padding = {1, 0}}, inputs,
            {103, 1234, 2040});
  // A stride of the kernel's width leaves the copies apart; output padding of the stride and more
  // adds columns that nothing reaches.
  check_f32("conv_transpose2d",
            {.image = {1, 2}, .kernel = {1, 2}, .stride = {1, 2}, .output_padding = {1, 3}},
            {{1, 2}, {1, 10}}, {1, 10, 2, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check_f32("conv_transpose2d", {.image = {1, 2}, .kernel = {1, 2}, .dilation = {1, 3}},
            {{1, 2}, {1, 10}}, {1, 2, 0, 10, 20});
  check_f32("conv_transpose2d", {.image = {2, 1}, .kernel = {2, 1}, .dilation = {3, 1}},
            {{1, 2}, {1, 10}}, {1, 2, 0, 10, 20});
}

TEST_CASE("conv_transpose2d keeps groups apart, input channels leading") {
  const Geometry g = {.in_channels = 2, .out_channels = 2, .groups = 2};
  check_f32("conv_transpose2d", g, {{1, 2, 3, 4}, {1, 10, 2, 20, 3, 30, 4, 40}}, {5, 50, 25, 250});
}

TEST_CASE("conv_transpose2d sums by channel, then pixel row, then pixel column") {
  const std::vector<float> ones = {1, 1, 1};
  const std::vector<float> lost = {1, kTwo24, -kTwo24};  // 0 forwards, 1 backwards
  const std::vector<float> kept = {kTwo24, -kTwo24, 1};  // 1 forwards, 0 backwards
  const Geometry across = {.image = {1, 3}, .kernel = {1, 3}, .padding = {0, 2}};
  const Geometry down = {.image = {3, 1}, .kernel = {3, 1}, .padding = {2, 0}};
  for (const Geometry& g : {across, down, Geometry{.in_channels = 3}}) {
    check_f32("conv_transpose2d", g, {lost, ones}, {0});
    check_f32("conv_transpose2d", g, {kept, ones}, {1});
  }
}

TEST_CASE("a zero in x is multiplied in conv_transpose2d") {
  check_f32("conv_transpose2d", {}, {{0}, {kInfinity}}, {kNan});
}

TEST_CASE("NaNs come out canonical, and zeros positive") {
  constexpr Bits kCanonical = 0x7fc00000;
  constexpr Bits kOne = 0x3f800000;
  const Geometry biased = {.bias = true};
  for (const Bits nan : {0x7fc00001u, 0xffc00000u, 0x7f800001u, 0xffffffffu}) {
    check_bits("conv2d", Dtype::kF32, {}, {{nan}, {kOne}}, {kCanonical});
    check_bits("conv2d", Dtype::kF32, {}, {{kOne}, {nan}}, {kCanonical});
    check_bits("conv2d", Dtype::kF32, biased, {{kOne}, {kOne}, {nan}}, {kCanonical});
    check_bits("conv_transpose2d", Dtype::kF32, {}, {{nan}, {kOne}}, {kCanonical});
  }
  check_bits("conv2d", Dtype::kF64, {}, {{0xfff0000000000001}, {0}}, {0x7ff8000000000000});
  check_bits("conv2d_simple", Dtype::kF16, {}, {{0xfc01}, {0x3c00}}, {0x7e00});
  check_bits("conv2d_simple", Dtype::kBF16, {}, {{0xffff}, {0x3f80}}, {0x7fc0});
  // Infinity by zero, and infinity less infinity.
  check_bits("conv2d", Dtype::kF32, {}, {{0xff800000}, {0}}, {kCanonical});
  check_f32("conv2d", {.in_channels = 2}, {{kInfinity, kInfinity}, {1, -1}}, {kNan});

  constexpr Bits kMinusZero = 0x80000000;
  check_bits("conv2d", Dtype::kF32, {}, {{kMinusZero}, {kOne}}, {0});
  check_bits("conv2d", Dtype::kF32, biased, {{kMinusZero}, {kOne}, {kMinusZero}}, {0});
  check_bits("conv_transpose2d", Dtype::kF32, {}, {{kMinusZero}, {kOne}}, {0});
  check_bits("conv2d_simple", Dtype::kF16, {}, {{0x8000}, {0x3c00}}, {0});
}

TEST_CASE("without input channels there is the bias alone") {
  check_f32("conv2d", {.in_channels = 0, .out_channels = 2, .image = {1, 2}, .bias = true},
            {{}, {}, {1.5f, -0.0f}}, {1.5f, 1.5f, 0, 0});
  check_f32("conv2d", {.in_channels = 0, .out_channels = 1, .image = {1, 2}}, {{}, {}}, {0, 0});
  check_f32("conv_transpose2d", {.in_channels = 0, .image = {1, 2}}, {{}, {}}, {0, 0});
  check_f32("conv2d", {.batch = 0, .in_channels = 2, .bias = true}, {{}, {1, 1}, {1}}, {});
  check_f32("conv2d", {.in_channels = 1, .out_channels = 0, .bias = true}, {{1}, {}, {}}, {});
  check_f32("conv_transpose2d", {.in_channels = 1, .out_channels = 0}, {{1}, {}}, {});
}

TEST_CASE("an image without pixels is all padding") {
  check_f32("conv2d", {.image = {0, 2}, .kernel = {1, 2}, .padding = {1, 0}, .bias = true},
            {{}, {1, 2}, {3}}, {3, 3});
}

TEST_CASE("strides, paddings and dilations up to 2^61") {
  check_f32("conv2d", {.stride = {kTwo61, kTwo61}, .padding = {kTwo61, kTwo61}, .bias = true},
            {{2}, {3}, {1}}, {1, 1, 1, 1, 7, 1, 1, 1, 1});
  // Outputs in the middle between two copies, and on the middle one of three.
  check_f32("conv_transpose2d",
            {.image = {2, 2}, .stride = {kTwo40, kTwo40}, .padding = {kTwo40 / 2, kTwo40 / 2}},
            {{1, 2, 3, 4}, {1}}, {0});
  check_f32("conv_transpose2d",
            {.kernel = {1, 3}, .padding = {0, kTwo40}, .dilation = {kTwo40, kTwo40}},
            {{2}, {3, 5, 7}}, {10});
}

TEST_CASE("groups without channels do not take time") {
  Geometry g = {.in_channels = 0, .out_channels = 0};
  g.groups = std::int64_t{1} << 50;
  check_f32("conv2d", g, {{}, {}}, {});
  check_f32("conv_transpose2d", g, {{}, {}}, {});
}

TEST_CASE("16-bit sums are kept in the format") {
  const Geometry three = {.in_channels = 3};
  const Geometry two = {.in_channels = 2};
  // f16: 60000 + 60000 overflows though the sum would end finite; 2048 + 1 is a tie.
  check_bits("conv2d_simple", Dtype::kF16, three,
             {{0x7b53, 0x7b53, 0xfb53}, {0x3c00, 0x3c00, 0x3c00}}, {0x7c00});
  check_bits("conv2d_simple", Dtype::kF16, three,
             {{0x6800, 0x3c00, 0xe800}, {0x3c00, 0x3c00, 0x3c00}}, {0});
  // 65504 + 16 is the tie that overflows; 65504 + 15.99 is below it.
  check_bits("conv2d_simple", Dtype::kF16, two, {{0x7bff, 0x4c00}, {0x3c00, 0x3c00}}, {0x7c00});
  check_bits("conv2d_simple", Dtype::kF16, two, {{0x7bff, 0x4bff}, {0x3c00, 0x3c00}}, {0x7bff});
  // Half of the least subnormal is a tie to zero; three halves, to twice it.
  check_bits("conv2d_simple", Dtype::kF16, {}, {{0x0001}, {0x3800}}, {0});
  check_bits("conv2d_simple", Dtype::kF16, {}, {{0x0003}, {0x3800}}, {0x0002});
  // bf16: 256 + 1 is a tie; products below f32's least normal number.
  check_bits("conv2d_simple", Dtype::kBF16, three,
             {{0x4380, 0x3f80, 0xc380}, {0x3f80, 0x3f80, 0x3f80}}, {0});
  check_bits("conv2d_simple", Dtype::kBF16, {}, {{0x0001}, {0x3f00}}, {0});
  check_bits("conv2d_simple", Dtype::kBF16, {}, {{0x0001}, {0x3f01}}, {0x0001});
  check_bits("conv2d_simple", Dtype::kBF16, {}, {{0x0003}, {0x3f00}}, {0x0002});
  check_bits("conv2d_simple", Dtype::kBF16, two, {{0x7f7f, 0x7b00}, {0x3f80, 0x3f80}}, {0x7f80});
}

}  // namespace
}  // namespace assay::testing
