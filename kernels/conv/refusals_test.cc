// What the convolutions refuse: each check, its message, and that nothing is written.

#include <memory>

#include "kernels/conv/conv.h"
#include "kernels/conv/testing/geometry.h"
#include "kernels/testing/refusal.h"

namespace assay::testing {
namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 62;

constexpr KernelStatus kArity = KernelStatus::kBadArity;
constexpr KernelStatus kDevice = KernelStatus::kBadDevice;
constexpr KernelStatus kDtype = KernelStatus::kBadDtype;
constexpr KernelStatus kLayout = KernelStatus::kBadLayout;
constexpr KernelStatus kShape = KernelStatus::kBadShape;
constexpr KernelStatus kParameter = KernelStatus::kBadParameter;

/// The geometry that the rows below spoil. x is [2, 4, 5, 6]; the weight is [6, 2, 3, 2] or, of the
/// transposed, [4, 3, 3, 2].
Geometry valid_geometry() {
  return {.batch = 2,
          .in_channels = 2,
          .out_channels = 3,
          .groups = 2,
          .image = {5, 6},
          .kernel = {3, 2},
          .bias = true};
}

Arguments& arguments_of(std::unique_ptr<Arguments>& made, const std::string& operation) {
  Geometry g = fitted(valid_geometry(), operation);
  Convolution valid = make_convolution(operation, Dtype::kF32, g);
  made = std::make_unique<Arguments>(std::move(valid.inputs), std::move(valid.out),
                                     std::move(valid.parameters));
  return *made;
}

void check_refusals(const std::string& operation, const std::vector<Refusal>& refusals) {
  static const Registry registry(conv_kernels());
  const Kernel* kernel = registry.find("fuel_reference_backend::ops::" + operation + "_f32");
  REQUIRE(kernel != nullptr);
  for (const KernelVariant& variant : kernel->variants) {
    std::unique_ptr<Arguments> made;
    KernelCall call;
    REQUIRE(arguments_of(made, operation).run(variant.function, call) == KernelStatus::kOk);
    CHECK(!made->output_untouched());
    for (const Refusal& refusal : refusals) {
      check_refusal(variant, arguments_of(made, operation), refusal);
    }
  }
}

TEST_CASE("conv2d refuses wrong numbers of arguments and wrong parameters") {
  check_refusals(
      "conv2d",
      {{"one input", [](Arguments& a) { a.inputs.resize(1); }, kArity,
        "arguments: expected 2 or 3 inputs and 1 output, found 1 and 1"},
       {"four inputs", [](Arguments& a) { a.inputs.push_back(a.inputs[2]); }, kArity,
        "arguments: expected 2 or 3 inputs and 1 output, found 4 and 1"},
       {"no output", [](Arguments& a) { a.outputs.clear(); }, kArity,
        "arguments: expected 2 or 3 inputs and 1 output, found 3 and 0"},
       {"a parameter missing", [](Arguments& a) { a.parameters.pop_back(); }, kParameter,
        "groups: expected this parameter once, found it 0 times"},
       {"one parameter more",
        [](Arguments& a) {
          a.parameters.push_back({"pads", -7});
        },
        kParameter, "parameters: expected only those of this kernel, found 'pads' with value -7"},
       {"an unknown parameter", [](Arguments& a) { a.parameters[6].name = "group"; }, kParameter,
        "parameters: expected only those of this kernel, found 'group' with value 2"},
       {"a nameless parameter", [](Arguments& a) { a.parameters[6].name = nullptr; }, kParameter,
        "parameters: expected only those of this kernel, found 'a null name' with value 2"},
       {"a parameter twice", [](Arguments& a) { a.parameters[0].name = "stride_w"; }, kParameter,
        "stride_h: expected this parameter once, found it 0 times"},
       {"another one twice", [](Arguments& a) { a.parameters[1].name = "stride_h"; }, kParameter,
        "stride_h: expected this parameter once, found it 2 times"},
       {"stride 0", [](Arguments& a) { a["stride_w"] = 0; }, kParameter,
        "stride_w: expected 1 or more, found 0"},
       {"negative stride", [](Arguments& a) { a["stride_h"] = -3; }, kParameter,
        "stride_h: expected 1 or more, found -3"},
       {"negative padding", [](Arguments& a) { a["padding_w"] = -1; }, kParameter,
        "padding_w: expected 0 or more, found -1"},
       {"dilation 2", [](Arguments& a) { a["dilation_h"] = 2; }, kParameter,
        "dilation_h: expected 1, found 2"},
       {"dilation 0", [](Arguments& a) { a["dilation_w"] = 0; }, kParameter,
        "dilation_w: expected 1 or more, found 0"},
       {"groups 0", [](Arguments& a) { a["groups"] = 0; }, kParameter,
        "groups: expected 1 or more, found 0"},
       {"groups that divide no channels", [](Arguments& a) { a["groups"] = 3; }, kParameter,
        "groups: expected a divisor of x's extent 4 on axis 1, found 3"},
       {"groups that divide no output channels", [](Arguments& a) { a["groups"] = 4; }, kParameter,
        "groups: expected a divisor of weight's extent 6 on axis 0, found 4"},
       {"padding near 2^63", [](Arguments& a) { a["padding_h"] = INT64_MAX; }, kParameter,
        "padding_h: expected extents that 64 bits hold on axis 2, found 9223372036854775807"},
       {"padding of 2^62", [](Arguments& a) { a["padding_w"] = kHuge; }, kParameter,
        "padding_w: expected extents that 64 bits hold on axis 3, found 4611686018427387904"},
       {"padding just below", [](Arguments& a) { a["padding_w"] = kHuge - 1; }, kParameter,
        "padding_w: expected extents that 64 bits hold on axis 3, found 4611686018427387903"}});
}

TEST_CASE("conv2d refuses operands that do not fit") {
  check_refusals(
      "conv2d",
      {{"rank of x", [](Arguments& a) { a.inputs[0].ndim = 3; }, kShape,
        "x: expected rank 4, found rank 3"},
       {"rank of the weight", [](Arguments& a) { a.inputs[1].ndim = 5; }, kShape,
        "weight: expected rank 4, found rank 5"},
       {"rank of the bias", [](Arguments& a) { a.inputs[2].ndim = 0; }, kShape,
        "bias: expected rank 1, found rank 0"},
       {"rank of the output", [](Arguments& a) { a.outputs[0].ndim = -1; }, kShape,
        "out: expected rank 4, found rank -1"},
       {"dtype of x", [](Arguments& a) { a.inputs[0].dtype = to_dlpack(Dtype::kF16); }, kDtype,
        "x: expected dtype f32 (code 2, bits 32, lanes 1), found code 2, bits 16, lanes 1"},
       {"dtype of the weight", [](Arguments& a) { a.inputs[1].dtype = to_dlpack(Dtype::kI32); },
        kDtype,
        "weight: expected dtype f32 (code 2, bits 32, lanes 1), found code 0, bits 32, lanes 1"},
       {"dtype of the bias", [](Arguments& a) { a.inputs[2].dtype = to_dlpack(Dtype::kF64); },
        kDtype,
        "bias: expected dtype f32 (code 2, bits 32, lanes 1), found code 2, bits 64, lanes 1"},
       {"dtype of the output", [](Arguments& a) { a.outputs[0].dtype.lanes = 4; }, kDtype,
        "out: expected dtype f32 (code 2, bits 32, lanes 1), found code 2, bits 32, lanes 4"},
       {"x elsewhere", [](Arguments& a) { a.inputs[0].device.device_type = kDLROCM; }, kDevice,
        "x: expected a tensor in host memory (device type 1), found device type 10"},
       {"bias elsewhere", [](Arguments& a) { a.inputs[2].device.device_type = kDLROCM; }, kDevice,
        "bias: expected a tensor in host memory (device type 1), found device type 10"},
       {"no shape", [](Arguments& a) { a.inputs[1].shape = nullptr; }, kShape,
        "weight: expected a shape of 4 extents, found a null pointer"},
       {"negative extent", [](Arguments& a) { a.shapes[0][2] = -5; }, kShape,
        "x: expected extents of 0 or more, found -5 on axis 2"},
       {"too many elements", [](Arguments& a) { a.shapes[0][0] = a.shapes[0][3] = kHuge; }, kShape,
        "x: expected at most 9223372036854775807 bytes, found a shape whose size overflows that"},
       {"too many bytes", [](Arguments& a) { a.shapes[3][0] = kHuge / 72; }, kShape,
        "out: expected at most 9223372036854775807 bytes, found a shape whose size overflows that"},
       {"kernel of height 0", [](Arguments& a) { a.shapes[1][2] = 0; }, kShape,
        "weight: expected an extent of 1 or more on axis 2, found 0"},
       {"kernel of width 0", [](Arguments& a) { a.shapes[1][3] = 0; }, kShape,
        "weight: expected an extent of 1 or more on axis 3, found 0"},
       {"kernel above the image", [](Arguments& a) { a.shapes[1][2] = 6; }, kShape,
        "weight: expected at most the padded input's extent 5 on axis 2, found 6"},
       {"kernel above the padded image",
        [](Arguments& a) { a.shapes[1][3] = 9, a["padding_w"] = 1; }, kShape,
        "weight: expected at most the padded input's extent 8 on axis 3, found 9"},
       {"an empty image", [](Arguments& a) { a.shapes[0][2] = 0; }, kShape,
        "weight: expected at most the padded input's extent 0 on axis 2, found 3"},
       {"a pitch that divides the channels", [](Arguments& a) { a.shapes[1][1] = 1; }, kShape,
        "weight: expected extent 2 (x's channels / groups) on axis 1, found 1"},
       {"the pitch of no groups", [](Arguments& a) { a.shapes[1][1] = 4; }, kShape,
        "weight: expected extent 2 (x's channels / groups) on axis 1, found 4"},
       {"a short bias", [](Arguments& a) { a.shapes[2][0] = 5; }, kShape,
        "bias: expected weight's extent 6 of axis 0, found 5"},
       {"an empty bias", [](Arguments& a) { a.shapes[2][0] = 0; }, kShape,
        "bias: expected weight's extent 6 of axis 0, found 0"},
       {"output batch", [](Arguments& a) { a.shapes[3][0] = 1; }, kShape,
        "out: expected the shape rule's extent 2 on axis 0, found 1"},
       {"output channels", [](Arguments& a) { a.shapes[3][1] = 3; }, kShape,
        "out: expected the shape rule's extent 6 on axis 1, found 3"},
       {"output height", [](Arguments& a) { a["stride_h"] = 2; }, kShape,
        "out: expected the shape rule's extent 2 on axis 2, found 3"},
       {"output width", [](Arguments& a) { a["padding_w"] = 1; }, kShape,
        "out: expected the shape rule's extent 7 on axis 3, found 5"}});
}

TEST_CASE("conv2d refuses layouts that are not contiguous") {
  check_refusals("conv2d",
                 {{"padded rows of x", [](Arguments& a) { a.strides[0][2] = 7; }, kLayout,
                   "x: expected row-major strides, 6 on axis 2, found 7"},
                  {"channels last",
                   [](Arguments& a) {
                     a.strides[0] = {120, 1, 24, 4};
                   },
                   kLayout, "x: expected row-major strides, 1 on axis 3, found 4"},
                  {"a weight for all channels", [](Arguments& a) { a.strides[1][0] = 0; }, kLayout,
                   "weight: expected row-major strides, 12 on axis 0, found 0"},
                  {"a reversed bias", [](Arguments& a) { a.strides[2][0] = -1; }, kLayout,
                   "bias: expected row-major strides, 1 on axis 0, found -1"},
                  {"a padded output", [](Arguments& a) { a.strides[3][1] = 16; }, kLayout,
                   "out: expected row-major strides, 15 on axis 1, found 16"},
                  {"offset of x", [](Arguments& a) { a.inputs[0].byte_offset = 4; }, kLayout,
                   "x: expected byte_offset 0, found 4"},
                  {"offset of the bias", [](Arguments& a) { a.inputs[2].byte_offset = 8; }, kLayout,
                   "bias: expected byte_offset 0, found 8"},
                  {"offset of the output", [](Arguments& a) { a.outputs[0].byte_offset = 1; },
                   kLayout, "out: expected byte_offset 0, found 1"},
                  {"no x", [](Arguments& a) { a.inputs[0].data = nullptr; }, kDevice,
                   "x: expected data for 240 elements, found a null pointer"},
                  {"no weight", [](Arguments& a) { a.inputs[1].data = nullptr; }, kDevice,
                   "weight: expected data for 72 elements, found a null pointer"},
                  {"no bias", [](Arguments& a) { a.inputs[2].data = nullptr; }, kDevice,
                   "bias: expected data for 6 elements, found a null pointer"},
                  {"no output", [](Arguments& a) { a.outputs[0].data = nullptr; }, kDevice,
                   "out: expected data for 180 elements, found a null pointer"}});
}

TEST_CASE("conv_transpose2d refuses what does not fit") {
  check_refusals(
      "conv_transpose2d",
      {{"a bias", [](Arguments& a) { a.inputs.push_back(a.inputs[1]); }, kArity,
        "arguments: expected 2 inputs and 1 output, found 3 and 1"},
       {"stride 0", [](Arguments& a) { a["stride_h"] = 0; }, kParameter,
        "stride_h: expected 1 or more, found 0"},
       {"dilation 0", [](Arguments& a) { a["dilation_w"] = 0; }, kParameter,
        "dilation_w: expected 1 or more, found 0"},
       {"negative padding", [](Arguments& a) { a["padding_h"] = -2; }, kParameter,
        "padding_h: expected 0 or more, found -2"},
       {"negative output padding", [](Arguments& a) { a["output_padding_w"] = -1; }, kParameter,
        "output_padding_w: expected 0 or more, found -1"},
       {"groups 0", [](Arguments& a) { a["groups"] = 0; }, kParameter,
        "groups: expected 1 or more, found 0"},
       {"groups that divide no channels", [](Arguments& a) { a["groups"] = 3; }, kParameter,
        "groups: expected a divisor of x's extent 4 on axis 1, found 3"},
       {"too many output channels",
        [](Arguments& a) {
          a.shapes[0][0] = a.shapes[0][1] = a.shapes[1][0] = 0;
          a["groups"] = kHuge;
        },
        kParameter,
        "groups: expected output channels that 64 bits hold, found 4611686018427387904 groups of "
        "3"},
       {"rank", [](Arguments& a) { a.inputs[1].ndim = 3; }, kShape,
        "weight: expected rank 4, found rank 3"},
       {"dtype", [](Arguments& a) { a.inputs[1].dtype = to_dlpack(Dtype::kBF16); }, kDtype,
        "weight: expected dtype f32 (code 2, bits 32, lanes 1), found code 4, bits 16, lanes 1"},
       {"channels of the weight", [](Arguments& a) { a.shapes[1][0] = 3; }, kShape,
        "weight: expected extent 4 (x's channels) on axis 0, found 3"},
       {"kernel of height 0", [](Arguments& a) { a.shapes[1][2] = 0; }, kShape,
        "weight: expected an extent of 1 or more on axis 2, found 0"},
       {"an empty image", [](Arguments& a) { a.shapes[0][3] = 0; }, kShape,
        "x: expected an extent of 1 or more on axis 3, found 0"},
       {"padding that leaves nothing", [](Arguments& a) { a["padding_w"] = 4; }, kParameter,
        "padding_w: expected less than half of the unpadded output's extent 7 on axis 3, found 4"},
       {"padding that leaves an extent of 0",
        [](Arguments& a) { a["padding_w"] = 4, a["output_padding_w"] = 1; }, kParameter,
        "padding_w: expected less than half of the unpadded output's extent 8 on axis 3, found 4"},
       {"padding near 2^63", [](Arguments& a) { a["padding_h"] = INT64_MAX; }, kParameter,
        "padding_h: expected extents that 64 bits hold on axis 2, found 9223372036854775807"},
       {"stride near 2^63", [](Arguments& a) { a["stride_w"] = INT64_MAX; }, kParameter,
        "stride_w: expected extents that 64 bits hold on axis 3, found 9223372036854775807"},
       {"dilation near 2^63", [](Arguments& a) { a["dilation_w"] = INT64_MAX; }, kParameter,
        "dilation_w: expected extents that 64 bits hold on axis 3, found 9223372036854775807"},
       {"output padding near 2^63", [](Arguments& a) { a["output_padding_h"] = INT64_MAX; },
        kParameter,
        "output_padding_h: expected extents that 64 bits hold on axis 2, found "
        "9223372036854775807"},
       {"output channels", [](Arguments& a) { a["groups"] = 4; }, kShape,
        "out: expected the shape rule's extent 12 on axis 1, found 6"},
       {"output height", [](Arguments& a) { a["dilation_h"] = 2; }, kShape,
        "out: expected the shape rule's extent 9 on axis 2, found 7"},
       {"output width", [](Arguments& a) { a["output_padding_w"] = 3; }, kShape,
        "out: expected the shape rule's extent 10 on axis 3, found 7"},
       {"strides", [](Arguments& a) { a.strides[0][3] = 2; }, kLayout,
        "x: expected row-major strides, 1 on axis 3, found 2"},
       {"offset", [](Arguments& a) { a.inputs[1].byte_offset = 4; }, kLayout,
        "weight: expected byte_offset 0, found 4"},
       {"no output", [](Arguments& a) { a.outputs[0].data = nullptr; }, kDevice,
        "out: expected data for 588 elements, found a null pointer"}});
}

TEST_CASE("conv2d_simple refuses what does not fit") {
  check_refusals(
      "conv2d_simple",
      {{"a bias", [](Arguments& a) { a.inputs.push_back(a.inputs[1]); }, kArity,
        "arguments: expected 2 inputs and 1 output, found 3 and 1"},
       {"the parameters of conv2d", [](Arguments& a) { a.parameters[0].name = "stride_h"; },
        kParameter,
        "parameters: expected only those of this kernel, found 'stride_h' with value 1"},
       {"stride 0", [](Arguments& a) { a["stride"] = 0; }, kParameter,
        "stride: expected 1 or more, found 0"},
       {"negative padding", [](Arguments& a) { a["padding"] = -1; }, kParameter,
        "padding: expected 0 or more, found -1"},
       {"padding near 2^63", [](Arguments& a) { a["padding"] = INT64_MAX - 1; }, kParameter,
        "padding: expected extents that 64 bits hold on axis 2, found 9223372036854775806"},
       {"channels of the kernel", [](Arguments& a) { a.shapes[1][1] = 1; }, kShape,
        "kernel: expected extent 2 (x's channels) on axis 1, found 1"},
       {"kernel of width 0", [](Arguments& a) { a.shapes[1][3] = 0; }, kShape,
        "kernel: expected an extent of 1 or more on axis 3, found 0"},
       {"kernel above the image", [](Arguments& a) { a.shapes[1][3] = 7; }, kShape,
        "kernel: expected at most the padded input's extent 6 on axis 3, found 7"},
       {"output", [](Arguments& a) { a["padding"] = 2; }, kShape,
        "out: expected the shape rule's extent 7 on axis 2, found 3"},
       {"strides", [](Arguments& a) { a.strides[1][3] = 2; }, kLayout,
        "kernel: expected row-major strides, 1 on axis 3, found 2"},
       {"no kernel", [](Arguments& a) { a.inputs[1].data = nullptr; }, kDevice,
        "kernel: expected data for 36 elements, found a null pointer"}});
}

}  // namespace
}  // namespace assay::testing
