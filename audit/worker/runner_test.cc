// What a runner sees of a call, and the floating-point environment around it.
#include "audit/worker/runner.h"

#include <cfenv>
#include <cstdio>
#include <set>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "contracts/testing/catch.h"

namespace assay {
namespace {

/// A kernel of one variant, "scalar".
Kernel kernel_of(KernelFunction function) {
  return {"test::cast_f32_to_f16", {Dtype::kF32}, {Dtype::kF16}, {{"scalar", function}}};
}

struct Called {
  CallFault fault;
  std::uint64_t changes;
  std::string change;
  std::string text;
  FpEnvironment after;
};

Called call(KernelFunction function) {
  const Kernel kernel = kernel_of(function);
  EnvironmentLog log;
  CastRunner runner(kernel, kernel.variants.front(), log);
  std::uint32_t in[4] = {};
  std::uint16_t out[4] = {};
  Called result;
  result.fault = runner.call(in, out, 4);
  result.after = FpEnvironment::current();
  result.changes = log.changes();
  result.change = log.first_change();
  result.text = runner.fault();
  return result;
}

TEST_CASE("a call hands dense one-dimensional tensors over") {
  const Called called = call([](KernelCall& call) {
    const DLTensor& in = call.inputs[0];
    const DLTensor& out = call.outputs[0];
    const bool as_due = call.inputs.size() == 1 && call.outputs.size() == 1 && in.ndim == 1 &&
                        in.shape[0] == 4 && out.shape[0] == 4 && in.dtype.bits == 32 &&
                        out.dtype.bits == 16 && in.strides == nullptr && in.byte_offset == 0 &&
                        call.parameters.empty();
    call.ran = "scalar";
    return as_due ? KernelStatus::kOk : KernelStatus::kBadShape;
  });
  CHECK(called.fault == CallFault::kNone);
  CHECK(called.changes == 0);
  CHECK(called.text.empty());
}

TEST_CASE("a refusal of valid arguments is a fault, with the kernel's words") {
  const Called called = call([](KernelCall& call) {
    call.ran = "scalar";
    std::snprintf(call.message, sizeof(call.message), "no such layout");
    return KernelStatus::kBadLayout;
  });
  CHECK(called.fault == CallFault::kRefused);
  CHECK(called.text == "valid arguments were refused: " +
                           std::string(to_string(KernelStatus::kBadLayout)) + ": no such layout");
}

TEST_CASE("another variant than the one asked for is a fault, and so is silence about it") {
  const Called other = call([](KernelCall& call) {
    call.ran = "AVX2";
    return KernelStatus::kOk;
  });
  CHECK(other.fault == CallFault::kWrongVariant);
  CHECK(other.text.find("AVX2 ran") != std::string::npos);
  const Called silent = call([](KernelCall&) { return KernelStatus::kOk; });
  CHECK(silent.fault == CallFault::kWrongVariant);
}

TEST_CASE("a kernel that leaves another rounding mode is seen, and the mode is put back") {
  const FpEnvironment before = FpEnvironment::current();
  const Called called = call([](KernelCall& call) {
    std::fesetround(FE_TOWARDZERO);
    call.ran = "scalar";
    return KernelStatus::kOk;
  });
  CHECK(called.fault == CallFault::kNone);
  CHECK(called.changes == 1);
  CHECK(called.change.find("round") != std::string::npos);
  CHECK(called.after == before);
  CHECK(std::fegetround() == FE_TONEAREST);
}

TEST_CASE("sticky exception flags are no change of the environment") {
  const Called called = call([](KernelCall& call) {
    std::feraiseexcept(FE_ALL_EXCEPT);
    call.ran = "scalar";
    return KernelStatus::kOk;
  });
  std::feclearexcept(FE_ALL_EXCEPT);
  CHECK(called.changes == 0);
}

#if defined(__x86_64__)

TEST_CASE("a kernel that leaves flush-to-zero, denormals-are-zero or masks is seen") {
  struct Row {
    KernelFunction function;
    const char* words;
  };
  const Row rows[] = {
      {[](KernelCall& call) {
         _mm_setcsr(_mm_getcsr() | 0x8000);
         call.ran = "scalar";
         return KernelStatus::kOk;
       },
       "MXCSR flush-to-zero or denormals-are-zero changed"},
      {[](KernelCall& call) {
         _mm_setcsr(_mm_getcsr() | 0x0040);
         call.ran = "scalar";
         return KernelStatus::kOk;
       },
       "MXCSR flush-to-zero or denormals-are-zero changed"},
      {[](KernelCall& call) {
         _mm_setcsr(_mm_getcsr() & ~0x0800u);  // underflow
         call.ran = "scalar";
         return KernelStatus::kOk;
       },
       "MXCSR exception masks changed"},
      {[](KernelCall& call) {
         std::uint16_t control = 0;
         asm volatile("fnstcw %0" : "=m"(control));
         control = static_cast<std::uint16_t>(control & ~0x0300);  // single precision
         asm volatile("fldcw %0" : : "m"(control));
         call.ran = "scalar";
         return KernelStatus::kOk;
       },
       "the x87 control word changed"},
  };
  const FpEnvironment before = FpEnvironment::current();
  for (const Row& row : rows) {
    const Called called = call(row.function);
    CHECK(called.changes == 1);
    CHECK(called.change == row.words);
    CHECK(called.after == before);
    CHECK(FpEnvironment::current() == before);
  }
}

TEST_CASE("the environments that kernels are called under are eight, and hold") {
  const FpEnvironment base = FpEnvironment::current();
  std::set<std::uint32_t> seen;
  for (int i = 0; i < kFpSettings; ++i) {
    const FpEnvironment setting = fp_setting(i, base);
    setting.restore();
    const FpEnvironment now = FpEnvironment::current();
    const int rounding = std::fegetround();
    base.restore();
    CAPTURE(i);
    CHECK(now == setting);
    constexpr int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    CHECK(rounding == modes[i % 4]);
    CHECK(((now.sse_control & 0x8040) == 0x8040) == (i >= 4));
    seen.insert(now.sse_control);
  }
  CHECK(seen.size() == kFpSettings);
  CHECK(describe_change(base, fp_setting(7, base)) ==
        "MXCSR rounding to nearest became toward zero; "
        "MXCSR flush-to-zero or denormals-are-zero changed; the x87 control word changed");
  CHECK(describe_change(base, base).empty());
}

#endif

}  // namespace
}  // namespace assay
