// Kernels that touch what they must not: the right tensor and the right deed are named.
#include <cfenv>
#include <csignal>
#include <string>

#include "audit/window/testing/faulty_kernels.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

using namespace testing;  // NOLINT: tests of one namespace's helpers

const Job& conv() {
  return job("conv2d", Dtype::kF32);
}
const Job& pool() {
  return job("max_pool2d", Dtype::kBF16);
}

/// Reads or writes one element behind or before a tensor of the call; 3 is the output.
template <std::size_t kTensor, bool kBehind, bool kWrite>
KernelStatus strays(KernelCall& call) {
  return afterwards(call, [&] {
    if (kTensor < 3 && kTensor >= call.inputs.size()) return;
    const DLTensor& tensor = kTensor == 3 ? call.outputs[0] : call.inputs[kTensor];
    unsigned char* at = kBehind ? bytes_of(tensor) + elements_of(tensor) * element_bytes(tensor)
                                : bytes_of(tensor) - 1;
    if (kWrite) {
      *static_cast<volatile unsigned char*>(at) = 0x11;
    } else {
      look(at);
    }
  });
}

void check_stray(const Job& of, KernelFunction function, const std::string& why) {
  const CallTally tally = judge(judge_in_bounds, of, function);
  INFO(text(tally));
  CHECK(refuted(tally));
  CHECK(tally.example.why == why);
  CHECK(tally.example.has_case);
}

TEST_CASE("a step beside each tensor is seen, and named", "[window]") {
  check_stray(conv(), strays<0, false, false>, "a read outside of `x`");
  check_stray(conv(), strays<0, true, false>, "a read outside of `x`");
  check_stray(conv(), strays<1, false, false>, "a read outside of `weight`");
  check_stray(conv(), strays<1, true, false>, "a read outside of `weight`");
  check_stray(conv(), strays<2, false, false>, "a read outside of `bias`");
  check_stray(conv(), strays<2, true, false>, "a read outside of `bias`");
  check_stray(conv(), strays<3, false, true>, "a write outside of `out`");
  check_stray(conv(), strays<3, true, true>, "bytes beside `out` were overwritten");
  check_stray(pool(), strays<0, true, false>, "a read outside of `x`");
  check_stray(pool(), strays<3, true, true>, "bytes beside `out` were overwritten");
  check_stray(job("conv_transpose2d", Dtype::kF64), strays<1, true, false>,
              "a read outside of `weight`");
}

/// Writes beside the output only where that is still within the alignment.
KernelStatus writes_in_the_gap(KernelCall& call) {
  return afterwards(call, [&] {
    const DLTensor& out = call.outputs[0];
    const std::size_t bytes = elements_of(out) * element_bytes(out);
    if (bytes % 64 != 0) flip(bytes_of(out) + bytes);
  });
}

TEST_CASE("bytes between the output and the forbidden page are watched", "[window]") {
  const CallTally tally = judge(judge_in_bounds, conv(), writes_in_the_gap);
  INFO(text(tally));
  CHECK(refuted(tally));
  CHECK(tally.example.why == std::string("bytes beside `out` were overwritten"));
}

template <std::size_t kInput>
KernelStatus writes_input(KernelCall& call) {
  return afterwards(call, [&] {
    if (kInput < call.inputs.size() && elements_of(call.inputs[kInput]) > 2) {
      touch(bytes_of(call.inputs[kInput]) + 2 * element_bytes(call.inputs[kInput]));
    }
  });
}

KernelStatus changes_description(KernelCall& call) {
  return afterwards(call, [&] { ++call.inputs[0].shape[1]; });
}

KernelStatus changes_input(KernelCall& call) {
  return afterwards(call, [&] {
    if (elements_of(call.inputs[0]) > 0) flip(bytes_of(call.inputs[0]));
  });
}

TEST_CASE("writes to inputs are seen, also of what they held", "[window]") {
  CallTally tally = judge(judge_inputs_unmodified, conv(), writes_input<0>);
  INFO(text(tally));
  CHECK(refuted(tally));
  CHECK(tally.example.why == std::string("the kernel writes to element 2 of its input `x`"));
  tally = judge(judge_inputs_unmodified, conv(), writes_input<2>);
  CHECK(refuted(tally));
  CHECK(tally.example.why == std::string("the kernel writes to element 2 of its input `bias`"));
  tally = judge(judge_inputs_unmodified, conv(), changes_description);
  CHECK(refuted(tally));
  CHECK(tally.input_changes.count == 0);
  CHECK(tally.example.why ==
        std::string("the kernel changes the shape in the description of its input `x`"));
}

TEST_CASE("a changed input is noted whatever the call is made for", "[window]") {
  for (const CallRow& row : call_rows()) {
    if (row.kind == ClaimKind::kInputsUnmodified || row.kind == ClaimKind::kBitStable) continue;
    const CallTally tally = judge(row.judge, conv(), changes_input);
    INFO(assay::row(row.kind).id << "\n" << text(tally));
    // Environments are looked at without a look at inputs.
    CHECK((tally.input_changes.count > 0) == (row.kind != ClaimKind::kFpEnvironmentKept));
    CHECK((tally.violations == 0) == (row.kind != ClaimKind::kAliasing));
    if (tally.input_changes.count == 0) continue;
    CHECK(tally.input_changes.first.has_case);
    CHECK(std::string(tally.input_changes.first.why).find("of its input `x`") != std::string::npos);
  }
  const CallTally tally = judge(judge_in_bounds, conv(), changes_description);
  CHECK(tally.input_changes.count > 0);
  CHECK(tally.violations == 0);
  CHECK(tally.input_changes.first.has_case);
  CHECK(tally.input_changes.first.why ==
        std::string("the kernel changes the shape in the description of its input `x`"));
}

/// Leaves the last result as it was.
KernelStatus forgets_last(KernelCall& call) {
  const DLTensor& out = call.outputs[0];
  const std::size_t count = call.outputs[0].ndim == 4 ? elements_of(out) : 0;
  unsigned char kept[8] = {};
  unsigned char* last = count > 0 ? bytes_of(out) + (count - 1) * element_bytes(out) : nullptr;
  if (count > 0 && count < 800) std::memcpy(kept, last, element_bytes(out));
  return afterwards(call, [&] {
    if (count > 0 && count < 800) std::memcpy(last, kept, element_bytes(out));
  });
}

TEST_CASE("a result that is not written falls under its own claim, and bit_stable", "[window]") {
  for (const CallRow& row : call_rows()) {
    const CallTally tally = judge(row.judge, conv(), forgets_last);
    INFO(assay::row(row.kind).id << "\n" << text(tally));
    // Not judged where results are wrong anyhow; judged by what a bias alone gives, among others.
    if (row.kind == ClaimKind::kPaddingSkipped || row.kind == ClaimKind::kAcceptGeometry) continue;
    const bool concerned =
        row.kind == ClaimKind::kOutputFullyWritten || row.kind == ClaimKind::kBitStable;
    CHECK(refuted(tally) == concerned);
    CHECK(upheld(tally) == !concerned);
  }
}

/// Disturbs the input, or a result, where both lie side by side.
template <bool kInput>
KernelStatus minds_neighbours(KernelCall& call) {
  return afterwards(call, [&] {
    const DLTensor& out = call.outputs[0];
    const DLTensor& x = call.inputs[0];
    const std::ptrdiff_t gap = bytes_of(out) - bytes_of(x) -
                               static_cast<std::ptrdiff_t>(elements_of(x) * element_bytes(x));
    if (gap < 0 || gap >= 64 || elements_of(x) == 0) return;
    if (kInput) {
      flip(bytes_of(x));
    } else {
      flip_result(call);
    }
  });
}

TEST_CASE("what an output beside an input disturbs is seen", "[window]") {
  CallTally tally = judge(judge_aliasing, conv(), minds_neighbours<true>);
  INFO(text(tally));
  CHECK(refuted(tally));
  CHECK(tally.example.why == std::string("`x` changed although nothing is shared"));
  tally = judge(judge_aliasing, conv(), minds_neighbours<false>);
  CHECK(refuted(tally));
  CHECK(tally.example.has_values);
}

KernelStatus rounds_upward(KernelCall& call) {
  return afterwards(call, [] { std::fesetround(FE_UPWARD); });
}

TEST_CASE("a changed rounding mode is seen, and put back", "[window]") {
  const CallTally tally = judge(judge_fp_environment, conv(), rounds_upward);
  INFO(text(tally));
  CHECK(refuted(tally));
  CHECK(std::fegetround() == FE_TONEAREST);
  for (const CallRow& row : call_rows()) {
    if (row.kind == ClaimKind::kFpEnvironmentKept) continue;
    CHECK(upheld(judge(row.judge, conv(), rounds_upward)));
  }
}

TEST_CASE("loading a library refutes, and upholds nothing", "[window]") {
  Kernel kernel = *conv().kernel;
  Job without_calls = conv();
  without_calls.kernel = &kernel;
  without_calls.cases.clear();
  KernelVariant plugin{"scalar", real};
  plugin.library = "somewhere.so";
  CallTally tally = judge(judge_fp_environment, without_calls, plugin);
  INFO(text(tally));
  CHECK(tally.planned == 0);
  CHECK(tally.probes == 0);
  kernel.load_effect = "flush-to-zero on";
  tally = judge(judge_fp_environment, without_calls, plugin);
  CHECK(refuted(tally));
  CHECK(tally.probes == 1);
}

KernelStatus crashes(KernelCall&) {
  std::raise(SIGFPE);
  return KernelStatus::kOk;
}

TEST_CASE("valid calls refused, or that crash, are faults under every claim", "[window]") {
  for (const CallRow& row : call_rows()) {
    for (const KernelFunction function : {&refuse_all, &crashes}) {
      const CallTally tally = judge(row.judge, conv(), function);
      INFO(assay::row(row.kind).id << "\n" << text(tally));
      CHECK(tally.fault == CallFault::kRefused);
      CHECK(tally.violations == 0);
    }
  }
}

KernelStatus other_variant(KernelCall& call) {
  return afterwards(call, [&] { call.ran = "AVX9"; });
}

TEST_CASE("another variant than the one asked for is a fault", "[window]") {
  for (const CallRow& row : call_rows()) {
    const CallTally tally = judge(row.judge, conv(), other_variant);
    INFO(assay::row(row.kind).id << "\n" << text(tally));
    CHECK((tally.fault == CallFault::kWrongVariant || row.kind == ClaimKind::kBitStable));
    CHECK(tally.fault != CallFault::kNone);
  }
}

int calls = 0;

/// Other bits in every third call.
KernelStatus counts(KernelCall& call) {
  return afterwards(call, [&] {
    if (++calls % 3 == 0) flip_result(call);
  });
}

TEST_CASE("an unstable kernel falls under bit_stable alone", "[window]") {
  for (const CallRow& row : call_rows()) {
    const CallTally tally = judge(row.judge, conv(), counts);
    INFO(assay::row(row.kind).id << "\n" << text(tally));
    if (row.kind == ClaimKind::kBitStable) {
      CHECK(tally.violations == 0);
      CHECK(tally.instabilities.count > 0);
    } else if (row.kind != ClaimKind::kAcceptGeometry) {
      CHECK(tally.violations == 0);
      CHECK(tally.fault == CallFault::kNone);
    }
  }
  const CallTally tally = judge(judge_output_fully_written, conv(), counts);
  CHECK(tally.instabilities.count > 0);
  CHECK(tally.probes < tally.planned);
}

}  // namespace
}  // namespace assay::window
