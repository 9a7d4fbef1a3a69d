// Kernels that take extents and parameters that cannot be, or refuse empty tensors.
#include <string>

#include "audit/window/testing/faulty_kernels.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

using namespace testing;  // NOLINT: tests of one namespace's helpers

TEST_CASE("each check that is left out is seen", "[window]") {
  struct Row {
    const char* kernel;
    Dtype dtype;
    const char* message;  ///< of the refusal that becomes an ok
    const char* why;
  };
  const Row rows[] = {
      {"conv2d", Dtype::kF32, "stride_h: expected 1 or more, found 0", "stride_h = 0 is accepted"},
      {"conv2d", Dtype::kF32, "stride_w: expected 1 or more, found -1", "stride_w = -1"},
      {"conv2d", Dtype::kF32, "dilation_h: expected 1 or more, found 0", "dilation_h = 0"},
      {"conv2d", Dtype::kF32, "padding_w: expected 0 or more, found -", "padding_w = -1"},
      {"conv2d", Dtype::kF32, "padding_h: expected extents that 64 bits", "padding_h = 46116"},
      {"conv2d", Dtype::kF32, "groups: expected 1 or more, found 0", "groups = 0"},
      {"conv2d", Dtype::kF32, "groups: expected 1 or more, found -", "groups = -1"},
      {"conv2d", Dtype::kF32, "groups: expected a divisor of x", "% groups == 0"},
      {"conv2d", Dtype::kF32, "groups: expected a divisor of weight", "do not divide its output"},
      {"conv2d", Dtype::kF32, "groups: expected this parameter once, found it 0", "no groups"},
      {"conv2d", Dtype::kF32, "stride_h: expected this parameter once, found it 2", "given twice"},
      {"conv2d", Dtype::kF32, "parameters: expected only", "'unheard_of' is accepted"},
      {"conv2d", Dtype::kF32, "arguments: expected 2 or 3 inputs and 1 output, found 4",
       "too many"},
      {"conv2d", Dtype::kF32, "arguments: expected 2 or 3 inputs and 1 output, found 1",
       "no `weight`"},
      {"conv2d", Dtype::kF32, "bias: expected weight's extent 4 of axis 0, found 5", "(5)"},
      {"conv2d", Dtype::kF32, "bias: expected weight's extent 4 of axis 0, found 3", "(3)"},
      {"conv2d", Dtype::kF32, "bias: expected weight's extent 4 of axis 0, found 1", "(1)"},
      {"conv2d", Dtype::kF32, "bias: expected weight's extent 4 of axis 0, found 0", "(0)"},
      {"conv2d", Dtype::kF32, "weight: expected extent", "channels where"},
      {"conv2d", Dtype::kF32, "weight: expected at most the padded", "beyond the padded image"},
      {"conv2d", Dtype::kF32, "weight: expected an extent of 1 or more on axis 2", "no taps"},
      {"conv2d", Dtype::kF32, "weight: expected an extent of 1 or more on axis 3", "no taps"},
      {"conv2d", Dtype::kF32, "x: expected at most", "more elements than 64 bits"},
      {"conv2d", Dtype::kF32, "x: expected extents of 0 or more", "a negative extent"},
      {"conv2d", Dtype::kF32, "weight: expected at most 9223372036854775807 bytes",
       "more elements than 64 bits"},
      {"conv2d_simple", Dtype::kF16, "kernel: expected extent", "channels where"},
      {"conv2d_simple", Dtype::kF16, "stride: expected 1 or more, found 0", "stride > 0"},
      {"conv2d_simple", Dtype::kF16, "kernel: expected at most the padded", "beyond the padded"},
      {"conv_transpose2d", Dtype::kF64, "dilation_w: expected 1 or more, found 0",
       "dilation_w = 0"},
      {"conv_transpose2d", Dtype::kF64, "dilation_h: expected extents that 64", "dilation_h = 92"},
      {"conv_transpose2d", Dtype::kF64, "output_padding_h: expected 0 or more, found -",
       "output_padding_h = -1"},
      {"conv_transpose2d", Dtype::kF64, "output_padding_w: expected extents that 64 bits",
       "output_padding_w = 92"},
      {"conv_transpose2d", Dtype::kF64, "padding_h: expected less than half", "padding_h = "},
      {"conv_transpose2d", Dtype::kF64, "weight: expected extent", "channels where"},
      {"conv_transpose2d", Dtype::kF64, "groups: expected a divisor", "% groups == 0"},
      {"max_pool2d", Dtype::kBF16, "kernel_size: expected 1 or more, found 0", "kernel_size = 0"},
      {"max_pool2d", Dtype::kBF16, "kernel_size: expected at most x's extent 5 on axis 2, found 6",
       "kernel_size = 6"},
      {"max_pool2d", Dtype::kBF16, "stride: expected 1 or more, found -", "stride = -1"},
      {"max_pool2d", Dtype::kBF16, "x: expected at most", "more elements than 64 bits"},
      {"max_pool2d", Dtype::kBF16, "x: expected at most", "(no memory holds it)"},
      {"conv2d", Dtype::kF32, "x: expected at most", "(no memory holds it)"},
      {"conv2d", Dtype::kF32, "parameters: expected only",
       "'unheard_of' is accepted (the operation does not define it)"},
  };
  for (const Row& row : rows) {
    const CallTally tally =
        judge_forgiving(judge_accept_geometry, job(row.kernel, row.dtype), row.message);
    INFO(row.kernel << ": " << row.message << "\n" << text(tally));
    CHECK(refuted(tally));
    CHECK(std::string(tally.example.why).find(row.why) != std::string::npos);
  }
}

/// Replaces a parameter's value by what a careless kernel makes of it.
template <class Change>
KernelStatus with_changed(KernelCall& call, const Change& change) {
  std::vector<KernelParameter> mine(call.parameters.begin(), call.parameters.end());
  for (KernelParameter& each : mine) each.value = change(std::string(each.name), each.value);
  KernelCall careless = call;
  careless.parameters = mine;
  const KernelStatus status = real(careless);
  call.ran = careless.ran;
  std::memcpy(call.message, careless.message, sizeof(call.message));
  return status;
}

KernelStatus zero_stride_is_one(KernelCall& call) {
  return with_changed(call, [](const std::string& name, std::int64_t value) {
    return name.find("stride") == 0 && value == 0 ? 1 : value;
  });
}
KernelStatus narrow_parameters(KernelCall& call) {
  return with_changed(call, [](const std::string&, std::int64_t value) {
    return static_cast<std::int64_t>(static_cast<std::int32_t>(value));
  });
}
KernelStatus negative_padding_is_none(KernelCall& call) {
  return with_changed(call, [](const std::string& name, std::int64_t value) {
    return name.find("padding") != std::string::npos && value < 0 ? 0 : value;
  });
}

/// Crops where the padding is negative, and then wants the output that follows.
KernelStatus negative_padding_crops(KernelCall& call) {
  const std::int64_t padding = parameter(call, "padding_h", 0);
  const KernelStatus status = real(call);
  // What is twice too much for 64 bits is left to the real kernel.
  if (padding >= 0 || padding < -1000000 || call.inputs.size() < 2 || status == KernelStatus::kOk)
    return status;
  const std::int64_t rows = (call.inputs[0].shape[2] + 2 * padding - call.inputs[1].shape[2]) /
                                parameter(call, "stride_h", 1) +
                            1;
  if (rows != call.outputs[0].shape[2]) return status;
  call.ran = "scalar";
  return KernelStatus::kOk;
}

TEST_CASE("careless arithmetic is met with the output that it gives", "[window]") {
  const CallTally tally =
      judge(judge_accept_geometry, job("conv2d", Dtype::kF32), negative_padding_crops);
  INFO(text(tally));
  CHECK(refuted(tally));
  CHECK(std::string(tally.example.why).find("padding_h = -1 is accepted") == 0);
}

TEST_CASE("parameters that are made into others are seen", "[window]") {
  for (const KernelFunction function :
       {zero_stride_is_one, narrow_parameters, negative_padding_is_none}) {
    for (const Job* of : {&job("conv2d", Dtype::kF32), &job("conv_transpose2d", Dtype::kF64)}) {
      const CallTally tally = judge(judge_accept_geometry, *of, function);
      INFO(text(tally));
      CHECK(refuted(tally));
    }
  }
  const CallTally tally =
      judge(judge_accept_geometry, job("max_pool2d", Dtype::kBF16), narrow_parameters);
  INFO(text(tally));
  CHECK(refuted(tally));
}

KernelStatus no_empty_batch(KernelCall& call) {
  if (call.inputs[0].ndim != 4 || call.inputs[0].shape[0] != 0) return real(call);
  std::strcpy(call.message, "x: no images");
  return KernelStatus::kBadShape;
}
KernelStatus no_null_data(KernelCall& call) {
  if (call.inputs[0].data != nullptr) return real(call);
  std::strcpy(call.message, "x: no data");
  return KernelStatus::kBadDevice;
}
/// Without input channels the bias is forgotten.
KernelStatus sum_without_bias(KernelCall& call) {
  return afterwards(call, [&] {
    if (call.inputs[0].shape[1] != 0 || elements_of(call.outputs[0]) == 0) return;
    const DLTensor& out = call.outputs[0];
    std::memset(out.data, 0x3c, elements_of(out) * element_bytes(out));
  });
}
KernelStatus writes_empty_output(KernelCall& call) {
  return afterwards(call, [&] {
    if (call.outputs[0].data != nullptr && elements_of(call.outputs[0]) == 0) {
      flip(bytes_of(call.outputs[0]));
    }
  });
}

TEST_CASE("tensors without elements have to work", "[window]") {
  struct Row {
    KernelFunction function;
    const char* why;
  };
  for (const Row& row :
       {Row{no_empty_batch, "refused: "}, Row{no_null_data, "refused with null data"},
        Row{sum_without_bias, "a sum of nothing is not zero"},
        Row{writes_empty_output, "bytes were written although"}}) {
    const CallTally tally =
        judge(judge_accept_geometry, job("conv2d_simple", Dtype::kF16), row.function);
    INFO(text(tally));
    CHECK(refuted(tally));
    CHECK(std::string(tally.example.why).find(row.why) != std::string::npos);
  }
}

int calls = 0;

/// From a call on, or in every other call without input channels, results are others.
template <bool kForGood>
KernelStatus unstable(KernelCall& call) {
  const bool nothing = call.inputs[0].ndim == 4 && call.inputs[0].shape[1] == 0;
  const bool now = kForGood ? ++calls > 40 : nothing && ++calls % 2 == 0;
  return afterwards(call, [&] {
    for (std::size_t i = 0; now && i < elements_of(call.outputs[0]); ++i) flip_result(call, i);
  });
}

/// The lowest bit of every result of a sum of something, and of a sum of nothing.
KernelStatus wrong_everywhere(KernelCall& call) {
  return afterwards(call, [&] {
    const DLTensor& out = call.outputs[0];
    for (std::size_t i = 0; i < elements_of(out); ++i) {
      flip(bytes_of(out) + i * element_bytes(out) + element_bytes(out) - 1);
    }
  });
}

TEST_CASE("a kernel that is unstable, or wrong anyhow, does not fail for empty tensors",
          "[window]") {
  const Job& of = job("conv2d_simple", Dtype::kF16);
  // Where the kernel has changed for good before, it is wrong in the same way each time.
  for (const int before : {0, 10000}) {
    for (const KernelFunction function : {unstable<true>, unstable<false>, wrong_everywhere}) {
      calls = before;
      const CallTally tally = judge(judge_accept_geometry, of, function);
      INFO(text(tally));
      CHECK(tally.fault == CallFault::kNone);
      CHECK(tally.violations == 0);
      CHECK((tally.instabilities.count > 0) == (function == &unstable<false>));
    }
  }
}

TEST_CASE("what contract and operation disagree about is told, not judged", "[window]") {
  const char* const observed[] = {
      "weight: expected extent 4 (x's channels / groups) on axis 1, "
      "found 2",
      "dilation_h: expected 1, found 2"};
  for (const char* message : observed) {
    const CallTally tally =
        judge_forgiving(judge_accept_geometry, job("conv2d", Dtype::kF32), message);
    INFO(text(tally));
    CHECK(upheld(tally));
    CHECK(std::string(tally.observation).find(": accepted") != std::string::npos);
  }
  const CallTally plain = judge(judge_accept_geometry, job("conv2d", Dtype::kF32), real);
  INFO(text(plain));
  CHECK(std::string(plain.observation).find("dilation 2: refused") != std::string::npos);
  CHECK(std::string(plain.observation).find("admits: refused") != std::string::npos);
}

/// Refuses without a word.
KernelStatus silent(KernelCall& call) {
  const KernelStatus status = real(call);
  call.message[0] = '\0';
  return status;
}

TEST_CASE("messages are counted, not judged", "[window]") {
  const CallTally tally = judge(judge_accept_geometry, job("max_pool2d", Dtype::kBF16), silent);
  INFO(text(tally));
  CHECK(upheld(tally));
  CHECK(std::string(tally.observation).find("0 of ") == 0);
}

}  // namespace
}  // namespace assay::window
