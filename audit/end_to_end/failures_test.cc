// Kernels that do not answer: each is a verdict, and the audit goes on.
#include <unistd.h>

#include <cstdlib>

#include "audit/end_to_end/testing/quick_audit.h"
#include "contracts/testing/catch.h"

namespace {

using namespace assay;
using namespace assay::testing;

constexpr const char* kEntryPoint = "fuel_reference_backend::ops::cast_f32_to_f16";

/// The built-in scalar kernel, called from the faulty ones for all inputs but the trigger.
KernelStatus scalar(KernelCall& call) {
  static const Registry registry = built_in_registry();
  return registry.find(kEntryPoint)->variant("scalar")->function(call);
}

/// True when the call's input holds the trigger value 0x3f800001, as some probe does.
bool triggered(const KernelCall& call) {
  const auto* in = static_cast<const std::uint32_t*>(call.inputs[0].data);
  std::int64_t n = 1;
  for (int axis = 0; axis < call.inputs[0].ndim; ++axis) n *= call.inputs[0].shape[axis];
  for (std::int64_t i = 0; in != nullptr && i < n; ++i) {
    if (in[i] == 0x3f800001u) return true;
  }
  return false;
}

/// The same under the name of the faulty variant.
KernelStatus healthy(KernelCall& call) {
  const KernelStatus status = scalar(call);
  call.ran = "faulty";
  return status;
}

KernelStatus crashes(KernelCall& call) {
  if (triggered(call)) std::abort();
  return healthy(call);
}

KernelStatus exits(KernelCall& call) {
  if (triggered(call)) _exit(0);
  return healthy(call);
}

KernelStatus hangs(KernelCall& call) {
  volatile bool forever = triggered(call);
  while (forever) {
  }
  return healthy(call);
}

KernelStatus refuses(KernelCall& call) {
  return triggered(call) ? KernelStatus::kBadShape : healthy(call);
}

KernelStatus misnames(KernelCall& call) {
  const KernelStatus status = scalar(call);
  call.ran = "SSE4";
  return status;
}

void require_error(const KernelRecord& kernel, const std::string& variant,
                   const std::string& words) {
  const ClaimRecord* rounding = claim(kernel, variant, "rounding");
  REQUIRE(rounding != nullptr);
  INFO(rounding->why);
  REQUIRE(rounding->verdict == Verdict::kError);
  REQUIRE(rounding->why.find(words) != std::string::npos);
  std::uint64_t excluded = 0;
  for (const Exclusion& exclusion : rounding->excluded) excluded += exclusion.probes;
  REQUIRE(rounding->planned == rounding->probes + excluded);
}

TEST_CASE("a kernel that does not answer is an error, and the other variants are judged") {
  struct Row {
    KernelFunction function;
    const char* words;
  };
  const Row row = GENERATE(Row{crashes, "SIGABRT"}, Row{exits, "exited with status 0"},
                           Row{hangs, "no answer for 3 s"}, Row{refuses, "shape"},
                           Row{misnames, "asked for variant faulty, SSE4 ran"});
  const KernelRecord kernel =
      quick_audit(registry_of(kEntryPoint, {{"scalar", scalar}, {"faulty", row.function}}));
  INFO(row.words);
  const ClaimRecord* healthy = claim(kernel, "scalar", "rounding");
  REQUIRE(healthy != nullptr);
  REQUIRE(healthy->verdict == Verdict::kUpheld);
  REQUIRE(healthy->strength == Strength::kBoundaryComplete);
  const std::string words = row.words;
  require_error(kernel, "faulty", words);
}

TEST_CASE("variants that differ are told apart by bitwise, down to one input") {
  const KernelFunction nan_differs = [](KernelCall& call) {
    const KernelStatus status = scalar(call);
    call.ran = "other";
    auto* out = static_cast<std::uint16_t*>(call.outputs[0].data);
    for (std::int64_t i = 0;
         status == KernelStatus::kOk && call.outputs[0].ndim == 1 && i < call.outputs[0].shape[0];
         ++i) {
      if (out[i] == 0xfe01) out[i] = 0x7e01;
    }
    return status;
  };
  const KernelRecord kernel =
      quick_audit(registry_of(kEntryPoint, {{"scalar", scalar}, {"other", nan_differs}}));
  const ClaimRecord* bitwise = claim(kernel, "other", "bitwise");
  REQUIRE(bitwise != nullptr);
  // The contract promises equal bits on one machine's variant only: measured, not judged.
  REQUIRE(bitwise->verdict == Verdict::kUnclaimed);
  REQUIRE(bitwise->violations > 0);
  REQUIRE(bitwise->counterexample.has_value());
  REQUIRE(bitwise->counterexample->inputs.at(0).bits == std::vector<std::string>{"0xff802000"});
  REQUIRE(bitwise->counterexample->got.bits.at(0) == "0x7e01");
  REQUIRE(bitwise->counterexample->expected.bits.at(0) == "0xfe01");
  REQUIRE(kernel.variants[0].digest != kernel.variants[1].digest);
}

}  // namespace
