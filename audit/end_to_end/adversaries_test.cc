// Kernels that leave something behind for the auditor, for later calls or for other kernels.
#include <algorithm>
#include <cfenv>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "audit/end_to_end/testing/quick_audit.h"
#include "audit/worker/pool.h"
#include "contracts/testing/catch.h"

namespace {

using namespace assay;
using namespace assay::testing;

constexpr const char* kF32ToF16 = "fuel_reference_backend::ops::cast_f32_to_f16";
constexpr const char* kF32ToU32 = "fuel_reference_backend::ops::cast_f32_to_u32";
constexpr const char* kF64ToF32 = "fuel_reference_backend::ops::cast_f64_to_f32";

/// The built-in scalar kernel under the name of the faulty variant.
KernelStatus healthy(KernelCall& call, const char* entry_point = kF32ToF16) {
  return healthy_as(call, entry_point, "faulty");
}

const ClaimRecord& judged(const KernelRecord& kernel, const std::string& id) {
  const ClaimRecord* record = claim(kernel, "faulty", id);
  REQUIRE(record != nullptr);
  INFO(record->why);
  return *record;
}

/// Leaves the rounding direction upward after calls of 33 elements, which are made to judge other
/// claims than that about the environment.
KernelStatus rounds_upward_afterwards(KernelCall& call) {
  const KernelStatus status = healthy(call);
  if (status == KernelStatus::kOk && elements(call) == 33) std::fesetround(FE_UPWARD);
  return status;
}

TEST_CASE("every call of the audit counts for the floating-point environment") {
  const KernelRecord kernel =
      quick_audit(registry_of(kF32ToF16, {{"faulty", rounds_upward_afterwards}}));
  const ClaimRecord& environment = judged(kernel, "fp_environment_kept");
  REQUIRE(environment.verdict == Verdict::kRefuted);
  REQUIRE(environment.violations <= environment.probes);
  REQUIRE(environment.counterexample->why.find("upward") != std::string::npos);
  REQUIRE(judged(kernel, "rounding").verdict == Verdict::kUpheld);
}

TEST_CASE("an environment that one kernel leaves behind is not another kernel's") {
  // Correct in the default environment, which it relies on.
  const KernelFunction by_the_compiler = [](KernelCall& call) {
    const KernelStatus status = healthy(call, kF64ToF32);
    if (status != KernelStatus::kOk) return status;
    const auto* in = static_cast<const double*>(call.inputs[0].data);
    auto* out = static_cast<float*>(call.outputs[0].data);
    for (std::int64_t i = 0; i < elements(call); ++i) out[i] = static_cast<float>(in[i]);
    return status;
  };
  std::vector<Kernel> kernels;
  for (const auto& [entry_point, function] :
       {std::pair<const char*, KernelFunction>{kF32ToF16, rounds_upward_afterwards},
        {kF64ToF32, by_the_compiler}}) {
    kernels.push_back(registry_of(entry_point, {{"faulty", function}}).kernels().front());
  }
  AuditOptions options;
  options.effort = Effort::kQuick;
  options.threads = 1;  // one worker makes the calls of both
  options.only = {"cast_f32_to_f16", "cast_f64_to_f32"};
  const RunRecord record = audit(shipped_contracts(), Registry(kernels), options);
  REQUIRE(record.kernels.size() == 2);
  for (const KernelRecord& kernel : record.kernels) {
    if (kernel.entry_point != kF64ToF32) continue;
    for (const ClaimRecord& claim : kernel.variants.at(0).claims) {
      INFO(claim.id << " " << claim.why);
      if (claim.verdict != Verdict::kUnclaimed) REQUIRE(claim.verdict == Verdict::kUpheld);
    }
  }
}

/// Saturates instead of overflowing.
KernelStatus saturates(KernelCall& call) {
  const KernelStatus status = healthy(call);
  const auto* in = static_cast<const std::uint32_t*>(call.inputs[0].data);
  auto* out = static_cast<std::uint16_t*>(call.outputs[0].data);
  for (std::int64_t i = 0; status == KernelStatus::kOk && i < elements(call); ++i) {
    const bool finite = (in[i] & 0x7fffffffu) < 0x7f800000u;
    if (finite && (out[i] & 0x7fffu) == 0x7c00u) --out[i];
  }
  return status;
}

TEST_CASE("a contract that promises saturation is kept by saturation only") {
  std::string text = contract_text("cast_f32_to_f16");
  const std::string infinity = "overflow: infinity";
  REQUIRE(text.find(infinity) != std::string::npos);
  text.replace(text.find(infinity), infinity.size(), "overflow: saturate");
  std::vector<fkc::Document> documents;
  documents.push_back(fkc::parse_document(text, "saturate.fkc.md"));
  // The notes go on to speak of infinity, which is a warning: the entry counts.
  REQUIRE_FALSE(fkc::has_errors(documents[0].diagnostics));
  struct Row {
    KernelFunction function;
    Verdict verdict;
  };
  const Row row = GENERATE(Row{saturates, Verdict::kUpheld},
                           Row{[](KernelCall& call) { return healthy(call); }, Verdict::kRefuted});
  AuditOptions options;
  options.effort = Effort::kQuick;
  const RunRecord record =
      audit(documents, registry_of(kF32ToF16, {{"faulty", row.function}}), options);
  const ClaimRecord& overflow = judged(record.kernels.at(0), "overflow");
  REQUIRE(overflow.verdict == row.verdict);
  REQUIRE(judged(record.kernels.at(0), "rounding").verdict == Verdict::kUpheld);
  if (row.verdict != Verdict::kRefuted) return;
  REQUIRE(overflow.violations == overflow.probes);
  REQUIRE(overflow.counterexample->expected.bits.at(0) == "0x7bff");
  REQUIRE(overflow.counterexample->got.bits.at(0) == "0x7c00");
}

TEST_CASE("where a unit was lost is not told by an earlier unit's place") {
  PoolOptions options;
  const PoolResult result =
      run_in_workers({{0, 0}, {1, 0}}, options, [](std::size_t unit, Heartbeat& heartbeat) {
        if (unit == 1) std::abort();  // before its first sign of life
        heartbeat.at(12000);
      });
  REQUIRE(result.units[0].state == UnitState::kDone);
  REQUIRE(result.units[1].state == UnitState::kCrashed);
  REQUIRE(result.units[1].place == 0);
}

TEST_CASE("a request to stop that reaches the workers too is not a crash of the kernel") {
  const PoolResult result =
      run_in_workers({{0, 0}}, {}, [](std::size_t, Heartbeat&) { std::raise(SIGTERM); });
  REQUIRE(result.units[0].state == UnitState::kDone);
}

/// A copy of the input in memory that all threads share.
KernelStatus shares_scratch_memory(KernelCall& call) {
  static std::uint32_t scratch[1 << 17];
  const std::int64_t n = elements(call);
  if (n > (1 << 17)) return healthy(call);
  const auto* in = static_cast<const std::uint32_t*>(call.inputs[0].data);
  if (n > 0) std::copy_n(in, n, scratch);
  std::this_thread::yield();
  DLTensor input = call.inputs[0];
  input.data = scratch;
  KernelCall inner = call;
  inner.inputs = {&input, 1};
  const KernelStatus status = healthy(inner);
  call.ran = inner.ran;
  std::copy_n(inner.message, sizeof(inner.message), call.message);
  return status;
}

void flip_first(KernelCall& call) {
  if (elements(call) > 0) *static_cast<std::uint16_t*>(call.outputs[0].data) ^= 1;
}

KernelStatus wrong_in_a_threads_first_call(KernelCall& call) {
  static const std::thread::id main = std::this_thread::get_id();
  thread_local int calls = 0;
  const KernelStatus status = healthy(call);
  const bool first = calls++ == 0 && std::this_thread::get_id() != main;
  if (first && status == KernelStatus::kOk) flip_first(call);
  return status;
}

/// Drops the payload of NaNs in all calls of a process but the first.
KernelStatus drops_payloads_later(KernelCall& call) {
  static int calls = 0;
  const KernelStatus status = healthy(call);
  const bool later = calls++ > 0;
  auto* out = static_cast<std::uint16_t*>(call.outputs[0].data);
  for (std::int64_t i = 0; later && status == KernelStatus::kOk && i < elements(call); ++i) {
    if ((out[i] & 0x7fffu) > 0x7c00u) out[i] = 0x7e00;
  }
  return status;
}

TEST_CASE("results that depend on threads and earlier calls are not stable") {
  struct Row {
    const char* name;
    KernelFunction function;
  };
  const Row row = GENERATE(Row{"shares scratch memory", shares_scratch_memory},
                           Row{"wrong in a thread's first call", wrong_in_a_threads_first_call},
                           Row{"drops payloads later", drops_payloads_later});
  INFO(row.name);
  const KernelRecord kernel = quick_audit(registry_of(kF32ToF16, {{"faulty", row.function}}));
  REQUIRE(judged(kernel, "bit_stable").verdict == Verdict::kRefuted);
  REQUIRE(judged(kernel, "rounding").verdict == Verdict::kUpheld);
}

TEST_CASE("elements past a 16-bit index are looked at") {
  const KernelFunction narrow_index = [](KernelCall& call) {
    if (call.inputs[0].ndim != 1 || elements(call) < 65536) return healthy(call);
    std::int64_t n = elements(call) % 65536;
    DLTensor input = call.inputs[0];
    DLTensor output = call.outputs[0];
    input.shape = output.shape = &n;
    KernelCall inner = call;
    inner.inputs = {&input, 1};
    inner.outputs = {&output, 1};
    const KernelStatus status = healthy(inner);
    call.ran = inner.ran;
    return status;
  };
  const KernelRecord kernel = quick_audit(registry_of(kF32ToF16, {{"faulty", narrow_index}}));
  REQUIRE(judged(kernel, "output_fully_written").verdict == Verdict::kRefuted);
}

TEST_CASE("a crash refutes no claim that it does not bear on") {
  const KernelFunction illegal = [](KernelCall& call) {
    if (elements(call) == 5) std::raise(SIGILL);
    return healthy(call);
  };
  const KernelFunction writes_before = [](KernelCall& call) {
    const KernelStatus status = healthy(call);
    volatile auto* out = static_cast<std::uint8_t*>(call.outputs[0].data);
    if (status == KernelStatus::kOk && elements(call) > 0) out[-1] = 1;
    return status;
  };
  const bool out_of_bounds = GENERATE(false, true);
  const KernelRecord kernel =
      quick_audit(registry_of(kF32ToF16, {{"faulty", out_of_bounds ? writes_before : illegal}}));
  for (const ClaimRecord& record : kernel.variants.at(0).claims) {
    INFO(record.id << " " << record.why);
    const bool refuted = out_of_bounds && record.id == "in_bounds";
    REQUIRE((record.verdict == Verdict::kRefuted) == refuted);
  }
  REQUIRE(judged(kernel, "inputs_unmodified").verdict == Verdict::kError);
}

TEST_CASE("a status that does not exist is named as such") {
  const KernelFunction strange = [](KernelCall& call) {
    healthy(call);
    return static_cast<KernelStatus>(12345);
  };
  const KernelRecord kernel = quick_audit(registry_of(kF32ToF16, {{"faulty", strange}}));
  REQUIRE(judged(kernel, "rounding").verdict == Verdict::kError);
  REQUIRE(judged(kernel, "rounding").why.find("unknown status") != std::string::npos);
}

TEST_CASE("results outside the contract may depend on anything") {
  // As a vector loop with a scalar tail does that saturate differently.
  const KernelFunction by_lane = [](KernelCall& call) {
    const KernelStatus status = healthy(call, kF32ToU32);
    const auto* in = static_cast<const float*>(call.inputs[0].data);
    auto* out = static_cast<std::uint32_t*>(call.outputs[0].data);
    const std::int64_t n = status == KernelStatus::kOk ? elements(call) : 0;
    for (std::int64_t i = 0; i < n / 8 * 8; ++i) {
      if (!(in[i] >= 0 && in[i] < 4294967296.0f)) out[i] = 0x80000000u;
    }
    return status;
  };
  const KernelRecord kernel = quick_audit(registry_of(kF32ToU32, {{"faulty", by_lane}}));
  for (const ClaimRecord& record : kernel.variants.at(0).claims) {
    INFO(record.id << " " << record.why);
    REQUIRE(record.verdict != Verdict::kRefuted);
    REQUIRE(record.verdict != Verdict::kError);
  }
}

/// Wrong in the last bit of a tensor's first result, in every 97th call.
KernelStatus wrong_every_97th_call(KernelCall& call) {
  static std::uint64_t calls = 0;
  const KernelStatus status = healthy(call);
  if (status == KernelStatus::kOk && elements(call) > 0 && ++calls % 97 == 0) {
    *static_cast<std::uint16_t*>(call.outputs[0].data) ^= 1;
  }
  return status;
}

TEST_CASE("a kernel that is wrong now and then is unstable, and keeps its other promises") {
  const KernelRecord kernel =
      quick_audit(registry_of(kF32ToF16, {{"faulty", wrong_every_97th_call}}));
  const ClaimRecord& stable = judged(kernel, "bit_stable");
  REQUIRE(stable.verdict == Verdict::kRefuted);
  REQUIRE(stable.violations <= stable.probes);
  for (const char* id : {"dtype_rule", "shape_rule", "layout_guarantee", "aliasing",
                         "output_fully_written", "accept.rank"}) {
    INFO(id);
    REQUIRE(judged(kernel, id).verdict == Verdict::kUpheld);
  }
}

TEST_CASE("what one judgement sees of instability counts, though bit_stable's own calls do not") {
  // Only in tensors of rank 4, which other claims are judged with.
  const KernelFunction faulty = [](KernelCall& call) {
    static int calls = 0;
    const KernelStatus status = healthy(call);
    if (status == KernelStatus::kOk && call.inputs[0].ndim == 4 && elements(call) == 16 &&
        ++calls % 2 == 1) {
      *static_cast<std::uint16_t*>(call.outputs[0].data) ^= 1;
    }
    return status;
  };
  const KernelRecord kernel = quick_audit(registry_of(kF32ToF16, {{"faulty", faulty}}));
  const ClaimRecord& stable = judged(kernel, "bit_stable");
  REQUIRE(stable.verdict == Verdict::kRefuted);
  REQUIRE(stable.counterexample->why.find("made again") != std::string::npos);
  REQUIRE(stable.counterexample->got.bits != stable.counterexample->expected.bits);
  const ClaimRecord& shape = judged(kernel, "shape_rule");
  REQUIRE(shape.verdict == Verdict::kUpheld);
  REQUIRE(shape.planned == shape.probes + 1);
  REQUIRE(shape.excluded.at(0).reason.find("made again") != std::string::npos);
}

TEST_CASE("a changed description refutes the claim about what was changed") {
  struct Row {
    const char* id;
    void (*change)(KernelCall&);
  };
  static std::int64_t elsewhere[1] = {1};
  static Row row;
  row = GENERATE(
      Row{"dtype_rule", [](KernelCall& call) { call.outputs[0].dtype.bits = 32; }},
      Row{"shape_rule", [](KernelCall& call) { call.outputs[0].shape[0] += 1; }},
      Row{"layout_guarantee", [](KernelCall& call) { call.outputs[0].strides = elsewhere; }},
      Row{"layout_guarantee", [](KernelCall& call) { call.outputs[0].byte_offset = 2; }},
      Row{"inputs_unmodified",
          [](KernelCall& call) { const_cast<DLTensor&>(call.inputs[0]).byte_offset = 4; }},
      Row{"inputs_unmodified", [](KernelCall& call) { call.inputs[0].shape[0] += 1; }});
  const KernelFunction faulty = [](KernelCall& call) {
    const KernelStatus status = healthy(call);
    if (status == KernelStatus::kOk && call.inputs[0].ndim == 1) row.change(call);
    return status;
  };
  const KernelRecord kernel = quick_audit(registry_of(kF32ToF16, {{"faulty", faulty}}));
  INFO(row.id);
  for (const ClaimRecord& record : kernel.variants.at(0).claims) {
    INFO(record.id << ": " << record.why);
    REQUIRE((record.verdict == Verdict::kRefuted) == (record.id == row.id));
  }
}

TEST_CASE("an integer has no value for NaN: without a rule, no bound speaks about it") {
  std::string text = contract_text("cast_f32_to_u32");
  replace_line(text, "  max_ulp:", "  max_ulp: 0\n");
  replace_line(text, "  overflow: caller_error", "");
  replace_line(text, "  nan: caller_error", "");
  replace_line(text, "  caller_error: ", "");
  std::vector<fkc::Document> documents;
  documents.push_back(fkc::parse_document(text, "silent.fkc.md"));
  REQUIRE_FALSE(fkc::has_errors(documents[0].diagnostics));
  const KernelFunction indefinite = [](KernelCall& call) {
    const KernelStatus status = healthy(call, kF32ToU32);
    const auto* in = static_cast<const float*>(call.inputs[0].data);
    auto* out = static_cast<std::uint32_t*>(call.outputs[0].data);
    const std::int64_t n = status == KernelStatus::kOk ? elements(call) : 0;
    for (std::int64_t i = 0; i < n; ++i) {
      if (!(in[i] > -1 && in[i] < 4294967296.0f)) out[i] = 0x80000000u;
    }
    return status;
  };
  AuditOptions options;
  options.effort = Effort::kQuick;
  const KernelRecord kernel =
      audit(documents, registry_of(kF32ToU32, {{"faulty", indefinite}}), options).kernels.at(0);
  REQUIRE(judged(kernel, "precision.max_ulp").verdict == Verdict::kUpheld);
  for (const ClaimRecord& record : kernel.variants.at(0).claims) {
    INFO(record.id << " " << record.why);
    REQUIRE(record.verdict != Verdict::kRefuted);
  }
}

}  // namespace
