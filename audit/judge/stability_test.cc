// Casts whose bits depend on what other threads do at the same time.
#include <csignal>
#include <cstring>
#include <optional>
#include <string>

#include "audit/judge/structure.h"
#include "contracts/testing/catch.h"

namespace assay {
namespace {

KernelStatus copy(KernelCall& call) {
  const auto bytes = static_cast<std::size_t>(call.inputs[0].shape[0]) * 4;
  std::memcpy(call.outputs[0].data, call.inputs[0].data, bytes);
  call.ran = "scalar";
  return KernelStatus::kOk;
}

unsigned char scratch[1 << 19];

/// Works on a copy of its input that all callers share.
KernelStatus with_shared_scratch(KernelCall& call) {
  const auto bytes = static_cast<std::size_t>(call.inputs[0].shape[0]) * 4;
  std::memcpy(scratch, call.inputs[0].data, bytes);
  // What a conversion does with it takes its time.
  volatile unsigned char* in = scratch;
  auto* out = static_cast<unsigned char*>(call.outputs[0].data);
  for (std::size_t i = 0; i < bytes; ++i) out[i] = in[i];
  call.ran = "scalar";
  return KernelStatus::kOk;
}

/// Fails at places that are no multiple of `kStep`: by other bits, or by an access to nowhere.
template <std::uintptr_t kStep, bool kCrash>
KernelStatus at_multiples(KernelCall& call) {
  const KernelStatus status = copy(call);
  const auto start = reinterpret_cast<std::uintptr_t>(call.inputs[0].data);
  if (start % kStep == 0) return status;
  if (kCrash) std::raise(SIGSEGV);
  static_cast<unsigned char*>(call.outputs[0].data)[0] ^= 1;
  return status;
}

StructureTally judge(KernelFunction function, std::uint64_t seed,
                     std::optional<std::uint64_t> alignment = {}) {
  fkc::KernelContract contract;
  contract.caps.alignment_bytes = alignment;
  contract.alignment_bytes = alignment.value_or(1);
  contract.inputs.resize(1);
  contract.outputs.resize(1);
  const Kernel kernel{"test::copy", {Dtype::kF32}, {Dtype::kF32}, {{"scalar", function}}};
  std::atomic<std::uint64_t> ticks{0};
  std::atomic<std::uint64_t> place{0};
  std::atomic<std::uint64_t> work{0};
  Heartbeat heartbeat(ticks, place, work);
  EnvironmentLog log;
  const oracle::CastOracle oracle({Dtype::kF32, Dtype::kF64, Rounding::kExact});
  const CellMap cells(oracle, contract);
  Subject subject{contract, kernel, kernel.variants.front(), seed, heartbeat, log, cells};
  StructureTally tally;
  judge_bit_stable(subject, tally);
  CHECK(tally.fault == CallFault::kNone);
  return tally;
}

TEST_CASE("scratch memory that callers share is seen under any seed") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const StructureTally tally = judge(with_shared_scratch, seed);
    INFO("seed " << seed);
    REQUIRE(tally.violations > 0);
    CHECK(std::string(tally.example.circumstances).find("several calling threads") !=
          std::string::npos);
    CHECK(tally.instabilities.count == 0);
  }
}

TEST_CASE("a cast without memory of its own is stable, with the same number of probes each time") {
  const StructureTally once = judge(copy, 1);
  const StructureTally again = judge(copy, 1);
  CHECK(once.violations == 0);
  CHECK(once.instabilities.count == 0);
  CHECK(once.probes == once.planned);
  CHECK(once.probes == again.probes);
}

TEST_CASE("starts within an element are judged where the contract allows them, and there only") {
  for (const KernelFunction function : {at_multiples<4, false>, at_multiples<4, true>}) {
    CHECK(judge(function, 1).violations == 0);
    CHECK(judge(function, 1, 4).violations == 0);
    for (const std::uint64_t alignment : {1u, 2u}) {
      const StructureTally tally = judge(function, 1, alignment);
      CHECK(tally.violations == 2 * (4 / alignment - 1));
      CHECK(tally.probes == tally.planned);
    }
    CHECK(judge(at_multiples<2, false>, 1, 2).violations == 0);
  }
  const std::string crash = judge(at_multiples<4, true>, 1, 1).example.why;
  CHECK(crash.find("alignment of 1 bytes allows") != std::string::npos);
}

}  // namespace
}  // namespace assay
