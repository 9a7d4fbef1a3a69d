// Kernels that reach one byte beside their tensors: the right tensor and the right deed are named.
#include <algorithm>
#include <cfenv>
#include <cstring>
#include <string>

#include "audit/judge/structure.h"
#include "contracts/testing/catch.h"

namespace assay {
namespace {

constexpr std::size_t kIn = 4;  // bytes of an element of the test kernels, f32 to f32
constexpr std::size_t kOut = 4;

unsigned char* in_of(KernelCall& call) {
  return static_cast<unsigned char*>(call.inputs[0].data);
}
unsigned char* out_of(KernelCall& call) {
  return static_cast<unsigned char*>(call.outputs[0].data);
}
std::size_t elements(KernelCall& call) {
  return static_cast<std::size_t>(call.inputs[0].shape[0]);
}

KernelStatus copy(KernelCall& call) {
  std::memcpy(out_of(call), in_of(call), elements(call) * kIn);
  call.ran = "scalar";
  return KernelStatus::kOk;
}

void touch(unsigned char* at) {
  *static_cast<volatile unsigned char*>(at) =
      static_cast<unsigned char>(*static_cast<volatile unsigned char*>(at) ^ 0xff);
}
void look(const unsigned char* at) {
  [[maybe_unused]] const unsigned char byte = *static_cast<const volatile unsigned char*>(at);
}

StructureTally judge(StructureJudge judge, KernelFunction function,
                     const std::string& aliasing = "none") {
  fkc::KernelContract contract;
  contract.inputs.resize(1);
  contract.inputs[0].name.value = "src";
  contract.outputs.resize(1);
  contract.outputs[0].aliasing.value = aliasing;
  const Kernel kernel{"test::copy", {Dtype::kF32}, {Dtype::kF32}, {{"scalar", function}}};
  std::atomic<std::uint64_t> ticks{0};
  std::atomic<std::uint64_t> place{0};
  std::atomic<std::uint64_t> work{0};
  Heartbeat heartbeat(ticks, place, work);
  EnvironmentLog log;
  const oracle::CastOracle oracle({Dtype::kF32, Dtype::kF64, Rounding::kExact});
  const CellMap cells(oracle, contract);
  Subject subject{contract, kernel, kernel.variants.front(), 1, heartbeat, log, cells};
  StructureTally tally;
  judge(subject, tally);
  CHECK(tally.probes == tally.planned);
  CHECK(tally.probes >= 48);
  CHECK(ticks.load() == tally.probes);
  return tally;
}

TEST_CASE("a kernel that stays within its tensors violates nothing") {
  for (const StructureJudge each :
       {judge_in_bounds, judge_inputs_unmodified, judge_output_fully_written, judge_aliasing}) {
    const StructureTally tally = judge(each, copy);
    CHECK(tally.violations == 0);
    CHECK(tally.fault == CallFault::kNone);
  }
}

/// Clears its output before it copies.
KernelStatus clear_and_copy(KernelCall& call) {
  std::memset(out_of(call), 0, elements(call) * kOut);
  return copy(call);
}

TEST_CASE("a kernel that says it works in place has to give the same results there") {
  CHECK(judge(judge_aliasing, copy, "in_place(src)").violations == 0);
  CHECK(judge(judge_aliasing, clear_and_copy).violations == 0);
  const StructureTally tally = judge(judge_aliasing, clear_and_copy, "in_place(src)");
  CHECK(tally.violations > 100);
  CHECK(tally.has_example);
  CHECK(std::string(tally.example.circumstances).find("in the memory of the input") !=
        std::string::npos);
}

// Other CPUs do not tell writes from reads.
#if defined(__x86_64__)
constexpr const char* kWriteToOutput = "a write outside of the output tensor";
#else
constexpr const char* kWriteToOutput = "outside of the output tensor";
#endif

struct Row {
  const char* what;
  KernelFunction function;
  const char* words;   ///< of the reason
  const char* corner;  ///< of the circumstances in which it shows
};

TEST_CASE("one byte beside a tensor is seen, and its tensor and side are named") {
  const Row rows[] = {
      {"reads past the input",
       [](KernelCall& call) {
         look(in_of(call) + elements(call) * kIn);
         return copy(call);
       },
       "a read outside of the input tensor", "input flush against the end"},
      {"reads before the input",
       [](KernelCall& call) {
         look(in_of(call) - 1);
         return copy(call);
       },
       "a read outside of the input tensor", "input flush against the start"},
      {"reads past the output",
       [](KernelCall& call) {
         look(out_of(call) + elements(call) * kOut);
         return copy(call);
       },
       "a read outside of the output tensor", "output against the end"},
      {"writes before the output",
       [](KernelCall& call) {
         // A plain store: a read first would be caught as a read.
         *static_cast<volatile unsigned char*>(out_of(call) - 1) = 0;
         return copy(call);
       },
       kWriteToOutput, "output against the start"},
      {"writes past the output",
       [](KernelCall& call) {
         *static_cast<volatile unsigned char*>(out_of(call) + elements(call) * kOut) = 0;
         return copy(call);
       },
       // Seen first where the byte is a watched one.
       "bytes beside the 0 elements of a tensor were overwritten", "output against the start"},
      {"writes past an output that ends at a page",
       [](KernelCall& call) {
         unsigned char* end = out_of(call) + elements(call) * kOut;
         if (elements(call) == 1 && reinterpret_cast<std::uintptr_t>(end) % 4096 == 0) {
           *static_cast<volatile unsigned char*>(end) = 0;
         }
         return copy(call);
       },
       kWriteToOutput, "output against the end"},
  };
  for (const Row& row : rows) {
    const StructureTally tally = judge(judge_in_bounds, row.function);
    CAPTURE(row.what, tally.example.why, tally.example.circumstances);
    CHECK(tally.violations > 0);
    CHECK(tally.has_example);
    CHECK(std::string(tally.example.why).find(row.words) != std::string::npos);
    CHECK(std::string(tally.example.circumstances).find(row.corner) != std::string::npos);
  }
}

TEST_CASE("bytes changed beside a tensor, away from forbidden pages, are seen") {
  const StructureTally tally = judge(judge_in_bounds, [](KernelCall& call) {
    const KernelStatus status = copy(call);
    if (elements(call) == 65) touch(out_of(call) + elements(call) * kOut);
    return status;
  });
  // In both places of the input: with the output at the start of its pages only the watched bytes
  // show it, at their end the forbidden page does.
  CHECK(tally.violations == 4);
  CHECK(tally.example.elements == 65);
}

TEST_CASE("a kernel that puts the rounding mode back keeps the environment, others do not") {
  const StructureTally kept = judge(judge_fp_environment, [](KernelCall& call) {
    const int mode = std::fegetround();
    std::fesetround(FE_UPWARD);
    const KernelStatus status = copy(call);
    std::fesetround(mode);
    return status;
  });
  CHECK(kept.violations == 0);
  // Wrong only where another mode than the default was set before.
  const StructureTally reset = judge(judge_fp_environment, [](KernelCall& call) {
    std::fesetround(FE_TONEAREST);
    return copy(call);
  });
  CHECK(reset.violations == reset.probes * 3 / 4);
}

TEST_CASE("a changed input, an unwritten and a read output are seen") {
  const StructureTally modified = judge(judge_inputs_unmodified, [](KernelCall& call) {
    const KernelStatus status = copy(call);
    if (elements(call) >= 3) touch(in_of(call) + 2 * kIn);
    return status;
  });
  CHECK(modified.violations > 0);
  CHECK(modified.example.elements == 3);
  CHECK(modified.example.position == 2);

  const StructureTally unwritten = judge(judge_output_fully_written, [](KernelCall& call) {
    const std::size_t n = elements(call);
    std::memcpy(out_of(call), in_of(call), (n > 0 ? n - 1 : 0) * kIn);
    call.ran = "scalar";
    return KernelStatus::kOk;
  });
  CHECK(unwritten.violations > 0);
  CHECK(unwritten.example.elements == 1);

  const StructureTally accumulated = judge(judge_output_fully_written, [](KernelCall& call) {
    const std::size_t n = elements(call) * kOut;
    for (std::size_t i = 0; i < n; ++i) {
      out_of(call)[i] = static_cast<unsigned char>(out_of(call)[i] ^ in_of(call)[i]);
    }
    call.ran = "scalar";
    return KernelStatus::kOk;
  });
  CHECK(accumulated.violations > 0);
}

}  // namespace
}  // namespace assay
