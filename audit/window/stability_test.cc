// Kernels whose bits depend on one thing that they must not depend on.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

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
  static bool when(const KernelCall&) { return ++calls == 1500; }
};
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

void check(const Job& of, KernelFunction function, const char* factor) {
  const CallTally tally = judge_dependence(of, function);
  INFO(factor << "\n" << text(tally));
  CHECK(refuted(tally));
  CHECK(tally.example.has_values);
  CHECK(tally.example.got != tally.example.expected);
  CHECK(std::string(tally.example.circumstances).find(factor) != std::string::npos);
}

TEST_CASE("bits that depend on the call or the process are seen", "[window]") {
  check(conv(), depends<CallCounter>, "what changed: ");
  check(conv(), depends<FirstCall>, "the first call of a process");
  check(conv(), depends<OtherProcess>, "another process");
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

TEST_CASE("bits that depend on what else is computed are seen", "[window]") {
  for (const Job* of :
       {&conv(), &job("max_pool2d", Dtype::kBF16), &job("conv_transpose2d", Dtype::kF64)}) {
    check(*of, depends<Batch>, "in a batch of 3");
    check(*of, one_channel, "one output channel alone");
    check(*of, depends<Column>, "position in the row");
    check(*of, depends<Width>, "position in the row");
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
  const CallTally tally = judge_dependence(conv(), other_nans);
  INFO(text(tally));
  CHECK(refuted(tally));
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

}  // namespace
}  // namespace assay::window
