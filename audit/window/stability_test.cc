// Kernels whose bits depend on one thing that they must not depend on.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "audit/window/testing/faulty_kernels.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

using namespace testing;  // NOLINT: tests of one namespace's helpers

const Job& conv() {
  return job("conv2d", Dtype::kF32);
}

std::atomic<int> calls{0};
pid_t first_process = 0;
std::atomic<int> in_flight{0};

/// Where `What::when` says so, one bit of result `What::which` is another.
template <class What>
KernelStatus depends(KernelCall& call) {
  const bool now = What::when(call);
  return afterwards(call, [&] {
    if (now) flip_result(call, What::which(call));
  });
}

struct First {
  static std::size_t which(const KernelCall&) { return 0; }
};
struct CallCounter : First {
  static bool when(const KernelCall&) { return ++calls % 997 == 0; }
};
/// From a call on all results are others, and by and by the first ones again: how many calls
/// threads make depends on the machine, and a single change may fall where no two calls are
/// compared.
template <int kFrom>
KernelStatus late(KernelCall& call) {
  const int after = ++calls - kFrom;
  const bool now = after > 0 && after / 250 % 2 == 0;
  return afterwards(call, [&] {
    for (std::size_t i = 0; now && i < elements_of(call.outputs[0]); ++i) flip_result(call, i);
  });
}
struct FirstCall : First {
  static bool when(const KernelCall&) { return getpid() != first_process && ++calls == 1; }
};
struct OtherProcess : First {
  static bool when(const KernelCall&) { return getpid() != first_process && ++calls > 3; }
};
template <std::size_t kTensor>
struct Start : First {
  static bool when(const KernelCall& call) {
    const DLTensor& tensor = kTensor == 3                   ? call.outputs[0]
                             : kTensor < call.inputs.size() ? call.inputs[kTensor]
                                                            : call.inputs[0];
    return reinterpret_cast<std::uintptr_t>(tensor.data) % 128 == 64;
  }
};
/// The output half a pair of lines away from all the rest.
struct LoneStart : First {
  static bool when(const KernelCall& call) {
    for (const DLTensor& input : call.inputs) {
      if (reinterpret_cast<std::uintptr_t>(input.data) % 128 != 0) return false;
    }
    return reinterpret_cast<std::uintptr_t>(call.outputs[0].data) % 128 == 64;
  }
};
template <unsigned char kOld>
struct OldOutput : First {
  static bool when(const KernelCall& call) {
    return elements_of(call.outputs[0]) > 0 && *bytes_of(call.outputs[0]) == kOld;
  }
};
#if defined(__x86_64__)
struct Register : First {
  static bool when(const KernelCall&) {
    std::uint64_t low = 0;
    asm volatile("movq %%xmm14, %0" : "=r"(low));
    return low == ~std::uint64_t{0};
  }
};
#endif
struct Batch {
  static bool when(const KernelCall& call) { return call.inputs[0].shape[0] == 3; }
  static std::size_t which(const KernelCall& call) { return elements_of(call.outputs[0]) - 1; }
};
/// All results of a call for one channel are others.
KernelStatus one_channel(KernelCall& call) {
  return afterwards(call, [&] {
    if (call.outputs[0].shape[1] != 1) return;
    for (std::size_t i = 0; i < elements_of(call.outputs[0]); ++i) flip_result(call, i);
  });
}
struct Column : First {
  static bool when(const KernelCall& call) { return call.outputs[0].shape[3] > 40; }
  static std::size_t which(const KernelCall&) { return 40; }
};
struct Width : First {
  static bool when(const KernelCall& call) { return call.outputs[0].shape[3] == 29; }
  static std::size_t which(const KernelCall&) { return 28; }
};
struct ChannelCount : First {
  static bool when(const KernelCall& call) { return call.outputs[0].shape[1] == 31; }
};
template <class Element, Element kMagnitude>
struct Neighbour {
  static bool when(const KernelCall& call) {
    const auto* x = static_cast<const Element*>(call.inputs[0].data);
    std::size_t found = 0;
    for (std::size_t i = 0; i < elements_of(call.inputs[0]); ++i) found += x[i] == kMagnitude;
    return found > 1;
  }
  static std::size_t which(const KernelCall&) { return 0; }
};
struct Threads : First {
  static bool when(const KernelCall&) {
    ++in_flight;
    const bool others = in_flight > 1;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    --in_flight;
    return others;
  }
};

CallTally judge_dependence(const Job& of, KernelFunction function) {
  calls = 0;
  first_process = getpid();
  return judge(judge_bit_stable, of, function);
}

CallTally check(const Job& of, KernelFunction function, const char* factor) {
  const CallTally tally = judge_dependence(of, function);
  INFO(factor << "\n" << text(tally));
  CHECK(refuted(tally));
  CHECK(tally.example.has_values);
  CHECK(tally.example.got != tally.example.expected);
  CHECK(std::string(tally.example.circumstances).find(factor) != std::string::npos);
  return tally;
}

/// Not stable in the very same call: nothing else is blamed.
void check_unstable(const Job& of, KernelFunction function) {
  const CallTally tally = judge_dependence(of, function);
  INFO(text(tally));
  CHECK(tally.fault == CallFault::kNone);
  if (tally.violations > 0) {
    // How many calls threads make depends on the machine: a change in time may fall among them.
    CHECK(std::string(tally.example.circumstances).find("thread") != std::string::npos);
    return;
  }
  CHECK(tally.instabilities.count > 0);
  CHECK(tally.probes + tally.instabilities.count == tally.planned);
  CHECK(std::string(tally.instabilities.first.circumstances).find("the same call again") == 0);
}

TEST_CASE("bits that depend on the call or the process are seen", "[window]") {
  check(conv(), depends<FirstCall>, "the first call of a process");
  check(conv(), depends<OtherProcess>, "another process");
}

TEST_CASE("a kernel that changes with time is unstable, whatever the call was made for",
          "[window]") {
  check_unstable(conv(), depends<CallCounter>);
  check_unstable(conv(), late<60>);
  check_unstable(conv(), late<1500>);
  check_unstable(conv(), late<3000>);
}

TEST_CASE("bits that depend on where a tensor starts are seen", "[window]") {
  check(conv(), depends<Start<0>>, "starts of the buffers");
  check(conv(), depends<Start<1>>, "starts of the buffers");
  check(conv(), depends<Start<2>>, "starts of the buffers");
  check(conv(), depends<Start<3>>, "starts of the buffers");
  check(conv(), depends<LoneStart>, "starts of the buffers");
  check(job("max_pool2d", Dtype::kBF16), depends<Start<0>>, "starts of the buffers");
}

TEST_CASE("bits that depend on old contents are seen", "[window]") {
  check(conv(), depends<OldOutput<0x00>>, "old contents of the output");
  check(conv(), depends<OldOutput<0xff>>, "old contents of the output");
  check(conv(), depends<OldOutput<0x7f>>, "old contents of the output");
  check(conv(), depends<OldOutput<0xa5>>, "old contents of the output");
#if defined(__x86_64__)
  check(conv(), depends<Register>, "contents of the vector registers");
#endif
}

std::size_t size_of(const CallTally& tally) {
  return input_elements(conv().operation, tally.example.the_case.geometry);
}

TEST_CASE("examples are small", "[window]") {
  // The smallest case there is has two results.
  CHECK(size_of(check(conv(), depends<Start<0>>, "starts of the buffers")) <= 8);
  CHECK(size_of(check(conv(), depends<OldOutput<0xa5>>, "old contents of the output")) <= 8);
  // 41 results, of two channels and windows of two, and a bias.
  CallTally tally = check(conv(), depends<Column>, "position in the row");
  CHECK(tally.example.the_case.geometry.extents.result.columns == 41);
  CHECK(tally.example.result == 40);
  // Where 29 differ, the other call has 30.
  tally = check(conv(), depends<Width>, "position in the row");
  CHECK(tally.example.the_case.geometry.extents.result.columns == 30);
  tally = check(conv(), depends<ChannelCount>, "number of channels");
  CHECK(tally.example.the_case.geometry.extents.out_channels == 32);
}

TEST_CASE("bits that depend on what else is computed are seen", "[window]") {
  for (const Job* of :
       {&conv(), &job("max_pool2d", Dtype::kBF16), &job("conv_transpose2d", Dtype::kF64)}) {
    check(*of, depends<Batch>, "in a batch of 3");
    check(*of, one_channel, "one output channel alone");
    // Small cases may show these already where something else is varied.
    check(*of, depends<Column>, "");
    check(*of, depends<Width>, "");
    check(*of, depends<ChannelCount>, "number of channels");
  }
}

TEST_CASE("bits that depend on other elements of the image are seen", "[window]") {
  const char* factor = "elements of the image that the result does not depend on";
  check(conv(), depends<Neighbour<std::uint32_t, 0x7fc00000>>, factor);
  check(conv(), depends<Neighbour<std::uint32_t, 0x7f800001>>, factor);
  check(conv(), depends<Neighbour<std::uint32_t, 0x00000001>>, factor);
  check(job("max_pool2d", Dtype::kBF16), depends<Neighbour<std::uint16_t, 0xff80>>, factor);
}

TEST_CASE("bits that depend on other calling threads are seen", "[window]") {
  check(conv(), depends<Threads>, "several calling threads");
}

/// Works on a copy of the image that all callers share.
float scratch[1 << 17];
KernelFunction shared_by = nullptr;
KernelStatus with_shared_scratch(KernelCall& call) {
  const DLTensor& x = call.inputs[0];
  if (x.data == nullptr || elements_of(x) > std::size(scratch)) return shared_by(call);
  std::memcpy(scratch, x.data, elements_of(x) * element_bytes(x));
  std::vector<DLTensor> inputs(call.inputs.begin(), call.inputs.end());
  inputs[0].data = scratch;
  KernelCall mine = call;
  mine.inputs = inputs;
  const KernelStatus status = shared_by(mine);
  call.ran = mine.ran;
  std::memcpy(call.message, mine.message, sizeof(call.message));
  return status;
}

TEST_CASE("memory that all callers share is seen under any seed", "[window]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const KernelVariant* variant : {conv().variants.front(), conv().variants.back()}) {
      shared_by = variant->function;
      const CallTally tally =
          judge(judge_bit_stable, conv(), KernelVariant{variant->name, with_shared_scratch}, seed);
      INFO("seed " << seed << ", " << variant->name << "\n" << text(tally));
      REQUIRE(refuted(tally));
      CHECK(std::string(tally.example.circumstances).find("several calling threads") !=
            std::string::npos);
      CHECK(tally.instabilities.count == 0);
    }
  }
}

TEST_CASE("how many calls threads make is not told", "[window]") {
  const CallTally once = judge(judge_bit_stable, conv(), real);
  const CallTally again = judge(judge_bit_stable, conv(), real);
  CHECK(upheld(once));
  CHECK(text(once) == text(again));
}

/// NaNs of another sign wherever there is one, in every other call.
KernelStatus other_nans(KernelCall& call) {
  return afterwards(call, [&] {
    if (++calls % 2 == 0) return;
    auto* results = static_cast<std::uint32_t*>(call.outputs[0].data);
    for (std::size_t i = 0; i < elements_of(call.outputs[0]); ++i) {
      if ((results[i] & 0x7fffffff) > 0x7f800000) results[i] ^= 0x80000000;
    }
  });
}

TEST_CASE("the bits of NaNs count", "[window]") {
  check_unstable(conv(), other_nans);
}

/// Below the contract's alignment other bits.
struct Unaligned : First {
  static bool when(const KernelCall& call) {
    return reinterpret_cast<std::uintptr_t>(call.inputs[0].data) % 64 != 0;
  }
};

TEST_CASE("starts that the contract does not allow are told, not judged", "[window]") {
  const CallTally tally = judge_dependence(conv(), depends<Unaligned>);
  INFO(text(tally));
  CHECK(upheld(tally));
  CHECK(std::string(tally.observation).find(" 15 with other bits") != std::string::npos);
}

struct WithinElement : First {
  static bool when(const KernelCall& call) {
    return reinterpret_cast<std::uintptr_t>(call.outputs[0].data) % 4 != 0;
  }
};

TEST_CASE("starts within an element are judged where the contract allows them", "[window]") {
  fkc::KernelContract contract = *conv().contract;
  Job conv_anywhere = conv();
  conv_anywhere.contract = &contract;
  contract.caps.alignment_bytes = contract.alignment_bytes = 4;
  CHECK(upheld(judge_dependence(conv_anywhere, depends<WithinElement>)));
  contract.caps.alignment_bytes = contract.alignment_bytes = 2;
  const CallTally tally =
      check(conv_anywhere, depends<WithinElement>, "2 bytes past the start of an element");
  CHECK(tally.violations == 10);
}

}  // namespace
}  // namespace assay::window
