// What max_pool2d refuses: each check, its message, and that nothing is written.

#include "kernels/pool/pool.h"
#include "kernels/testing/refusal.h"

namespace assay::testing {
namespace {

constexpr KernelStatus kArity = KernelStatus::kBadArity;
constexpr KernelStatus kDevice = KernelStatus::kBadDevice;
constexpr KernelStatus kDtype = KernelStatus::kBadDtype;
constexpr KernelStatus kLayout = KernelStatus::kBadLayout;
constexpr KernelStatus kShape = KernelStatus::kBadShape;
constexpr KernelStatus kParameter = KernelStatus::kBadParameter;

const std::vector<Refusal>& refusals() {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  static const std::vector<Refusal> rows = {
      {"no input", [](Arguments& a) { a.inputs.clear(); }, kArity,
       "arguments: expected 1 input and 1 output, found 0 and 1"},
      {"two outputs", [](Arguments& a) { a.outputs.push_back(a.outputs[0]); }, kArity,
       "arguments: expected 1 input and 1 output, found 1 and 2"},
      {"a parameter missing", [](Arguments& a) { a.parameters.pop_back(); }, kParameter,
       "stride: expected this parameter once, found it 0 times"},
      {"a parameter twice", [](Arguments& a) { a.parameters.push_back(a.parameters[0]); },
       kParameter, "kernel_size: expected this parameter once, found it 2 times"},
      {"an unknown parameter", [](Arguments& a) { a.parameters[1].name = "padding"; }, kParameter,
       "parameters: expected only those of this kernel, found 'padding' with value 1"},
      {"kernel of 0", [](Arguments& a) { a["kernel_size"] = 0; }, kParameter,
       "kernel_size: expected 1 or more, found 0"},
      {"negative kernel", [](Arguments& a) { a["kernel_size"] = INT64_MIN; }, kParameter,
       "kernel_size: expected 1 or more, found -9223372036854775808"},
      {"stride 0", [](Arguments& a) { a["stride"] = 0; }, kParameter,
       "stride: expected 1 or more, found 0"},
      {"kernel above the height", [](Arguments& a) { a["kernel_size"] = 5; }, kParameter,
       "kernel_size: expected at most x's extent 4 on axis 2, found 5"},
      {"kernel above the width", [](Arguments& a) { a["kernel_size"] = 4, a.shapes[0][3] = 3; },
       kParameter, "kernel_size: expected at most x's extent 3 on axis 3, found 4"},
      {"an empty image", [](Arguments& a) { a.shapes[0][2] = 0; }, kParameter,
       "kernel_size: expected at most x's extent 0 on axis 2, found 2"},
      {"rank", [](Arguments& a) { a.inputs[0].ndim = 3; }, kShape,
       "x: expected rank 4, found rank 3"},
      {"rank of the output", [](Arguments& a) { a.outputs[0].ndim = 5; }, kShape,
       "out: expected rank 4, found rank 5"},
      {"dtype", [](Arguments& a) { a.inputs[0].dtype = to_dlpack(Dtype::kF64); }, kDtype,
       "x: expected dtype f32 (code 2, bits 32, lanes 1), found code 2, bits 64, lanes 1"},
      {"dtype of the output", [](Arguments& a) { a.outputs[0].dtype = to_dlpack(Dtype::kU32); },
       kDtype,
       "out: expected dtype f32 (code 2, bits 32, lanes 1), found code 1, bits 32, lanes 1"},
      {"elsewhere", [](Arguments& a) { a.outputs[0].device.device_type = kDLROCM; }, kDevice,
       "out: expected a tensor in host memory (device type 1), found device type 10"},
      {"negative extent", [](Arguments& a) { a.shapes[0][0] = -2; }, kShape,
       "x: expected extents of 0 or more, found -2 on axis 0"},
      {"too many elements", [](Arguments& a) { a.shapes[0][0] = a.shapes[1][0] = kHuge; }, kShape,
       "x: expected at most 9223372036854775807 bytes, found a shape whose size overflows that"},
      {"output batch", [](Arguments& a) { a.shapes[1][0] = 1; }, kShape,
       "out: expected the shape rule's extent 2 on axis 0, found 1"},
      {"output channels", [](Arguments& a) { a.shapes[1][1] = 4; }, kShape,
       "out: expected the shape rule's extent 3 on axis 1, found 4"},
      {"output height", [](Arguments& a) { a["kernel_size"] = 3; }, kShape,
       "out: expected the shape rule's extent 2 on axis 2, found 3"},
      {"output width", [](Arguments& a) { a.shapes[1][3] = 5; }, kShape,
       "out: expected the shape rule's extent 4 on axis 3, found 5"},
      {"strides", [](Arguments& a) { a.strides[0][2] = 8; }, kLayout,
       "x: expected row-major strides, 5 on axis 2, found 8"},
      {"strides of the output", [](Arguments& a) { a.strides[1][3] = -1; }, kLayout,
       "out: expected row-major strides, 1 on axis 3, found -1"},
      {"offset", [](Arguments& a) { a.inputs[0].byte_offset = 4; }, kLayout,
       "x: expected byte_offset 0, found 4"},
      {"no input data", [](Arguments& a) { a.inputs[0].data = nullptr; }, kDevice,
       "x: expected data for 120 elements, found a null pointer"},
      {"no output data", [](Arguments& a) { a.outputs[0].data = nullptr; }, kDevice,
       "out: expected data for 72 elements, found a null pointer"},
  };
  return rows;
}

TEST_CASE("max_pool2d refuses what does not fit, says why, and writes nothing") {
  const Registry registry(pool_kernels());
  const Kernel* kernel = registry.find("fuel_reference_backend::ops::max_pool2d_f32");
  REQUIRE(kernel != nullptr);
  const auto with_valid_arguments = [](auto use) {
    Arguments arguments({Dense(Dtype::kF32, {2, 3, 4, 5})}, Dense(Dtype::kF32, {2, 3, 3, 4}),
                        {{"kernel_size", 2}, {"stride", 1}});
    use(arguments);
  };
  for (const KernelVariant& variant : kernel->variants) {
    with_valid_arguments([&](Arguments& arguments) {
      KernelCall call;
      CHECK(arguments.run(variant.function, call) == KernelStatus::kOk);
      CHECK(!arguments.output_untouched());
    });
    for (const Refusal& refusal : refusals()) {
      with_valid_arguments(
          [&](Arguments& arguments) { check_refusal(variant, arguments, refusal); });
    }
  }
}

}  // namespace
}  // namespace assay::testing
