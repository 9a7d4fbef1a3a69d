// What a cast refuses: each check, its message, and that nothing is written.

#include <functional>
#include <string>

#include "contracts/testing/catch.h"
#include "kernels/testing/cast_call.h"

namespace assay::testing {
namespace {

/// A valid call of f32 to f16 on 2 x 3 elements, for each case to spoil.
struct Arguments {
  std::int64_t in_shape[2] = {2, 3};
  std::int64_t out_shape[2] = {2, 3};
  std::int64_t in_strides[2] = {3, 1};
  std::int64_t out_strides[2] = {3, 1};
  float in_data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  std::uint16_t out_data[8];
  std::vector<DLTensor> inputs;
  std::vector<DLTensor> outputs;
  std::vector<KernelParameter> parameters;

  Arguments() {
    std::memset(out_data, 0x5a, sizeof(out_data));
    inputs.push_back({in_data, {kDLCPU, 0}, 2, to_dlpack(Dtype::kF32), in_shape, in_strides, 0});
    outputs.push_back(
        {out_data, {kDLCPU, 0}, 2, to_dlpack(Dtype::kF16), out_shape, out_strides, 0});
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  bool output_untouched() const {
    for (const std::uint16_t element : out_data) {
      if (element != 0x5a5a) return false;
    }
    return true;
  }
};

struct Refusal {
  const char* what;
  std::function<void(Arguments&)> spoil;
  KernelStatus status;
  std::string message;
};

const std::vector<Refusal>& refusals() {
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  static const std::vector<Refusal> rows = {
      {"no input", [](Arguments& a) { a.inputs.clear(); }, KernelStatus::kBadArity,
       "arguments: expected 1 input, 1 output and 0 parameters, found 0, 1 and 0"},
      {"two inputs", [](Arguments& a) { a.inputs.push_back(a.inputs[0]); }, KernelStatus::kBadArity,
       "arguments: expected 1 input, 1 output and 0 parameters, found 2, 1 and 0"},
      {"no output", [](Arguments& a) { a.outputs.clear(); }, KernelStatus::kBadArity,
       "arguments: expected 1 input, 1 output and 0 parameters, found 1, 0 and 0"},
      {"a parameter",
       [](Arguments& a) {
         a.parameters.push_back({"axis", 0});
       },
       KernelStatus::kBadArity,
       "arguments: expected 1 input, 1 output and 0 parameters, found 1, 1 and 1"},
      {"input elsewhere", [](Arguments& a) { a.inputs[0].device.device_type = kDLROCM; },
       KernelStatus::kBadDevice,
       "input 0: expected a tensor in host memory (device type 1), found device type 10"},
      {"output elsewhere", [](Arguments& a) { a.outputs[0].device.device_type = kDLROCM; },
       KernelStatus::kBadDevice,
       "output 0: expected a tensor in host memory (device type 1), found device type 10"},
      {"input dtype", [](Arguments& a) { a.inputs[0].dtype = to_dlpack(Dtype::kU32); },
       KernelStatus::kBadDtype,
       "input 0: expected dtype f32 (code 2, bits 32, lanes 1), found code 1, bits 32, lanes 1"},
      {"input width", [](Arguments& a) { a.inputs[0].dtype = to_dlpack(Dtype::kF64); },
       KernelStatus::kBadDtype,
       "input 0: expected dtype f32 (code 2, bits 32, lanes 1), found code 2, bits 64, lanes 1"},
      {"input lanes", [](Arguments& a) { a.inputs[0].dtype.lanes = 2; }, KernelStatus::kBadDtype,
       "input 0: expected dtype f32 (code 2, bits 32, lanes 1), found code 2, bits 32, lanes 2"},
      {"output dtype", [](Arguments& a) { a.outputs[0].dtype = to_dlpack(Dtype::kBF16); },
       KernelStatus::kBadDtype,
       "output 0: expected dtype f16 (code 2, bits 16, lanes 1), found code 4, bits 16, lanes 1"},
      {"negative rank", [](Arguments& a) { a.inputs[0].ndim = -1; }, KernelStatus::kBadShape,
       "input 0: expected a rank of 0 or more, found -1"},
      {"no shape", [](Arguments& a) { a.outputs[0].shape = nullptr; }, KernelStatus::kBadShape,
       "output 0: expected a shape of 2 extents, found a null pointer"},
      {"negative extent", [](Arguments& a) { a.in_shape[1] = -3; }, KernelStatus::kBadShape,
       "input 0: expected extents of 0 or more, found -3 on axis 1"},
      {"two negative extents", [](Arguments& a) { a.in_shape[0] = -2, a.in_shape[1] = -3; },
       KernelStatus::kBadShape, "input 0: expected extents of 0 or more, found -2 on axis 0"},
      {"too many elements",
       [](Arguments& a) {
         a.in_shape[0] = a.in_shape[1] = a.out_shape[0] = a.out_shape[1] = kHuge;
       },
       KernelStatus::kBadShape,
       "input 0: expected at most 9223372036854775807 bytes, found a shape whose size overflows "
       "that"},
      {"too many bytes",
       [](Arguments& a) {
         a.in_shape[0] = a.out_shape[0] = kHuge;
         a.in_shape[1] = a.out_shape[1] = std::int64_t{1} << 21;
       },
       KernelStatus::kBadShape,
       "input 0: expected at most 9223372036854775807 bytes, found a shape whose size overflows "
       "that"},
      {"other rank", [](Arguments& a) { a.outputs[0].ndim = 1; }, KernelStatus::kBadShape,
       "output 0: expected the input's rank 2, found rank 1"},
      {"other extent", [](Arguments& a) { a.out_shape[1] = 4; }, KernelStatus::kBadShape,
       "output 0: expected the input's extent 3 on axis 1, found 4"},
      {"transposed input", [](Arguments& a) { a.in_strides[0] = 1, a.in_strides[1] = 2; },
       KernelStatus::kBadLayout, "input 0: expected row-major strides, 1 on axis 1, found 2"},
      {"broadcast input", [](Arguments& a) { a.in_strides[0] = 0; }, KernelStatus::kBadLayout,
       "input 0: expected row-major strides, 3 on axis 0, found 0"},
      {"reversed input", [](Arguments& a) { a.in_strides[1] = -1; }, KernelStatus::kBadLayout,
       "input 0: expected row-major strides, 1 on axis 1, found -1"},
      {"padded output", [](Arguments& a) { a.out_strides[0] = 4; }, KernelStatus::kBadLayout,
       "output 0: expected row-major strides, 3 on axis 0, found 4"},
      {"input offset", [](Arguments& a) { a.inputs[0].byte_offset = 4; }, KernelStatus::kBadLayout,
       "input 0: expected byte_offset 0, found 4"},
      {"output offset", [](Arguments& a) { a.outputs[0].byte_offset = 2; },
       KernelStatus::kBadLayout, "output 0: expected byte_offset 0, found 2"},
      {"no input data", [](Arguments& a) { a.inputs[0].data = nullptr; }, KernelStatus::kBadDevice,
       "input 0: expected data for 6 elements, found a null pointer"},
      {"no output data", [](Arguments& a) { a.outputs[0].data = nullptr; },
       KernelStatus::kBadDevice, "output 0: expected data for 6 elements, found a null pointer"},
  };
  return rows;
}

KernelStatus call_with(KernelFunction function, Arguments& arguments, KernelCall& call) {
  call.inputs = arguments.inputs;
  call.outputs = arguments.outputs;
  call.parameters = arguments.parameters;
  return function(call);
}

TEST_CASE("casts refuse what they do not take, say why, and write nothing") {
  const Registry registry = built_in_registry();
  for (const KernelVariant& variant : kernel_named(registry, "f32_to_f16").variants) {
    for (const Refusal& refusal : refusals()) {
      INFO(variant.name << ": " << refusal.what);
      Arguments arguments;
      refusal.spoil(arguments);
      KernelCall call;
      CHECK(call_with(variant.function, arguments, call) == refusal.status);
      CHECK(std::string(call.message) == refusal.message);
      CHECK(call.ran == nullptr);
      CHECK(arguments.output_untouched());
    }
  }
}

struct Acceptance {
  const char* what;
  std::function<void(Arguments&)> change;
  std::size_t elements;
};

TEST_CASE("casts take every contiguous tensor") {
  const std::vector<Acceptance> rows = {
      {"as it is", [](Arguments&) {}, 6},
      {"no strides", [](Arguments& a) { a.inputs[0].strides = a.outputs[0].strides = nullptr; }, 6},
      {"rank 0",
       [](Arguments& a) {
         a.inputs[0].ndim = a.outputs[0].ndim = 0;
         a.inputs[0].shape = a.outputs[0].shape = nullptr;
       },
       1},
      {"any stride where the extent is 1",
       [](Arguments& a) {
         a.in_shape[0] = a.out_shape[0] = 1;
         a.in_strides[0] = -77;
       },
       3},
      {"any strides without elements",
       [](Arguments& a) {
         a.in_shape[1] = a.out_shape[1] = 0;
         a.in_strides[0] = 5;
         a.in_strides[1] = 0;
       },
       0},
      {"no data without elements",
       [](Arguments& a) {
         a.in_shape[0] = a.out_shape[0] = 0;
         a.inputs[0].data = a.outputs[0].data = nullptr;
       },
       0},
      {"an extent of 0 beside huge ones",
       [](Arguments& a) {
         a.in_shape[0] = a.out_shape[0] = std::int64_t{1} << 62;
         a.in_shape[1] = a.out_shape[1] = 0;
       },
       0},
  };
  constexpr std::uint16_t kExpected[6] = {0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600};
  const Registry registry = built_in_registry();
  for (const KernelVariant& variant : kernel_named(registry, "f32_to_f16").variants) {
    for (const Acceptance& row : rows) {
      INFO(variant.name << ": " << row.what);
      Arguments arguments;
      row.change(arguments);
      KernelCall call;
      std::strcpy(call.message, "left from before");
      CHECK(call_with(variant.function, arguments, call) == KernelStatus::kOk);
      CHECK(std::string(call.message).empty());
      CHECK(call.ran == variant.name);
      for (std::size_t i = 0; i < 8; ++i) {
        CHECK(arguments.out_data[i] == (i < row.elements ? kExpected[i] : 0x5a5a));
      }
    }
  }
}

}  // namespace
}  // namespace assay::testing
