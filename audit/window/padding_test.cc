// Kernels that multiply padding by zero, but only here and there.
#include <cmath>
#include <limits>

#include "audit/window/testing/faulty_kernels.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

using namespace testing;  // NOLINT: tests of one namespace's helpers

const Job& conv() {
  return job("conv2d", Dtype::kF32);
}

/// A tap of a filter: the input channel within the group, and the extents it is part of.
struct Tap {
  std::int64_t channel, channels;
  std::int64_t rows, columns;
};

/// Where What::multiplies(tap) says so, padding is multiplied by zero and added: NaN, where the
/// weight is NaN or infinite.
template <class What>
KernelStatus multiplies(KernelCall& call) {
  return afterwards(call, [&] {
    const std::int64_t* x = call.inputs[0].shape;
    const std::int64_t* w = call.inputs[1].shape;
    const std::int64_t* out = call.outputs[0].shape;
    const auto* weight = static_cast<const float*>(call.inputs[1].data);
    auto* results = static_cast<float*>(call.outputs[0].data);
    for (std::int64_t r = 0; r < out[0] * out[1] * out[2] * out[3]; ++r) {
      const std::int64_t column =
          r % out[3] * parameter(call, "stride_w", 1) - parameter(call, "padding_w", 0);
      const std::int64_t row =
          r / out[3] % out[2] * parameter(call, "stride_h", 1) - parameter(call, "padding_h", 0);
      const std::int64_t filter = r / (out[3] * out[2]) % out[1] * w[1] * w[2] * w[3];
      for (std::int64_t i = 0; i < w[1] * w[2] * w[3]; ++i) {
        const std::int64_t at_row = row + i / w[3] % w[2];
        const std::int64_t at_column = column + i % w[3];
        const bool inside = at_row >= 0 && at_row < x[2] && at_column >= 0 && at_column < x[3];
        if (inside || !What::multiplies({i / (w[2] * w[3]), w[1], w[2], w[3]})) continue;
        if (!std::isfinite(weight[filter + i]))
          results[r] = std::numeric_limits<float>::quiet_NaN();
      }
    }
  });
}

struct Everywhere {
  static bool multiplies(const Tap&) { return true; }
};
struct MiddleChannels {
  static bool multiplies(const Tap& tap) {
    return tap.channel > 0 && tap.channel < tap.channels - 1;
  }
};
struct SixteenChannels {
  static bool multiplies(const Tap& tap) { return tap.channels >= 16; }
};
struct WideWindows {
  static bool multiplies(const Tap& tap) { return tap.columns >= 8; }
};
struct HighWindows {
  static bool multiplies(const Tap& tap) { return tap.rows >= 8; }
};
struct LargeWindows {
  static bool multiplies(const Tap& tap) { return tap.rows >= 9 && tap.columns >= 9; }
};
struct VeryWideWindows {
  static bool multiplies(const Tap& tap) { return tap.columns > 32; }
};

TEST_CASE("padding that is multiplied is seen, in whatever windows and channels", "[window]") {
  for (const KernelFunction function :
       {multiplies<Everywhere>, multiplies<MiddleChannels>, multiplies<SixteenChannels>,
        multiplies<WideWindows>, multiplies<HighWindows>, multiplies<LargeWindows>,
        multiplies<VeryWideWindows>}) {
    const CallTally tally = judge(judge_padding_skipped, conv(), function);
    INFO(text(tally));
    CHECK(refuted(tally));
    CHECK(tally.example.has_values);
    CHECK(tally.example.patch.used);
  }
}

TEST_CASE("the first example of multiplied padding is a small one", "[window]") {
  const CallTally tally = judge(judge_padding_skipped, conv(), multiplies<Everywhere>);
  CHECK(input_elements(conv().operation, tally.example.the_case.geometry) <= 9);
}

}  // namespace
}  // namespace assay::window
