// Kernels of several variants: which of them is told to differ, and how many results do.
#include <algorithm>
#include <vector>

#include "audit/end_to_end/testing/quick_audit.h"
#include "contracts/testing/catch.h"

namespace {

using namespace assay;
using namespace assay::testing;

constexpr const char* kF16ToF32 = "fuel_reference_backend::ops::cast_f16_to_f32";

/// The right results, but for some inputs: one step off.
template <const char* kName, Bits kWrong, Bits kAlsoWrong>
KernelStatus wrong_at(KernelCall& call) {
  const KernelStatus status = healthy_as(call, kF16ToF32, kName);
  if (status != KernelStatus::kOk) return status;
  const auto* in = static_cast<const std::uint16_t*>(call.inputs[0].data);
  auto* out = static_cast<std::uint32_t*>(call.outputs[0].data);
  for (std::int64_t i = 0; i < elements(call); ++i) {
    if (in[i] == kWrong || in[i] == kAlsoWrong) out[i] ^= 1;
  }
  return status;
}

// Each variant has to say that it ran.
constexpr char kFirst[] = "first";
constexpr char kSecond[] = "second";
constexpr char kWrongOne[] = "wrong";

constexpr Bits kNowhere = 0x10000;  // no pattern of the format
constexpr Bits kOne = 0x3c00;
constexpr Bits kTwo = 0x4000;
constexpr Bits kThree = 0x4200;

using Variants = std::vector<std::pair<std::string, KernelFunction>>;

KernelRecord audited(const Variants& variants) {
  std::vector<KernelVariant> all;
  for (const auto& [name, function] : variants) all.push_back({name, function});
  AuditOptions options;
  options.effort = Effort::kQuick;
  options.threads = 2;
  const std::vector<fkc::Document> documents = {
      fkc::parse_document(contract_text("cast_f16_to_f32"), "variants.fkc.md")};
  return audit(documents, registry_of(kF16ToF32, all), options).kernels.at(0);
}

const ClaimRecord& judged(const KernelRecord& kernel, const std::string& variant,
                          const std::string& id) {
  const ClaimRecord* record = claim(kernel, variant, id);
  REQUIRE(record != nullptr);
  return *record;
}

/// How many probes give another result than that of the same input has to be.
std::uint64_t wrong_results(const KernelRecord& kernel, const std::string& variant) {
  return judged(kernel, variant, "rounding").violations;
}

TEST_CASE("of variants that differ the wrong one is told to, also where it comes first") {
  const KernelFunction first = wrong_at<kFirst, kNowhere, kNowhere>;
  const KernelFunction second = wrong_at<kSecond, kNowhere, kNowhere>;
  const KernelFunction wrong = wrong_at<kWrongOne, kOne, kOne>;
  const Variants orders[] = {{{"wrong", wrong}, {"first", first}, {"second", second}},
                             {{"first", first}, {"wrong", wrong}, {"second", second}}};
  for (const Variants& order : orders) {
    const KernelRecord kernel = audited(order);
    const ClaimRecord& differs = judged(kernel, "wrong", "bitwise");
    REQUIRE(differs.verdict == Verdict::kRefuted);
    CHECK(differs.violations == wrong_results(kernel, "wrong"));
    CHECK(differs.violations < 100);
    CHECK(differs.counterexample->got.bits.at(0) == "0x3f800001");
    CHECK(differs.counterexample->expected.bits.at(0) == "0x3f800000");
    CHECK(differs.counterexample->why.find("first gives 0x3f800000") != std::string::npos);
    CHECK(judged(kernel, "first", "bitwise").verdict == Verdict::kUpheld);
    CHECK(judged(kernel, "second", "bitwise").verdict == Verdict::kUpheld);
  }
}

TEST_CASE("where no variant is right, the results at which two differ are counted") {
  const KernelFunction first = wrong_at<kFirst, kOne, kTwo>;
  const KernelFunction second = wrong_at<kSecond, kTwo, kThree>;
  const KernelRecord kernel = audited({{"first", first}, {"second", second}});
  const ClaimRecord* differs = &judged(kernel, "second", "bitwise");
  if (differs->verdict != Verdict::kRefuted) differs = &judged(kernel, "first", "bitwise");
  REQUIRE(differs->verdict == Verdict::kRefuted);
  // Both are wrong at 2, and there they agree.
  const KernelFunction right = wrong_at<kFirst, kNowhere, kNowhere>;
  const KernelFunction at_two = wrong_at<kSecond, kTwo, kTwo>;
  const KernelRecord both = audited({{"first", right}, {"second", at_two}});
  CHECK(differs->violations + 2 * wrong_results(both, "second") ==
        wrong_results(kernel, "first") + wrong_results(kernel, "second"));
}

/// NaN for every input.
KernelStatus all_nan(KernelCall& call) {
  const KernelStatus status = healthy_as(call, kF16ToF32, kFirst);
  if (status != KernelStatus::kOk) return status;
  auto* out = static_cast<std::uint32_t*>(call.outputs[0].data);
  for (std::int64_t i = 0; i < elements(call); ++i) out[i] = 0x7fc00000;
  return status;
}

TEST_CASE("of a kernel that gives no numbers no error and no distance is told") {
  const KernelRecord kernel = audited({{"first", all_nan}});
  const Measured& measured = judged(kernel, "first", "rounding").measured;
  CHECK_FALSE(measured.max_ulp_error.has_value());
  CHECK_FALSE(measured.max_ulp_distance.has_value());
}

/// One step off at 3, but only in long calls after one without a 3.
KernelStatus remembers(KernelCall& call) {
  static bool had_three = true;
  const KernelStatus status = healthy_as(call, kF16ToF32, kFirst);
  if (status != KernelStatus::kOk) return status;
  const auto* in = static_cast<const std::uint16_t*>(call.inputs[0].data);
  const std::int64_t n = elements(call);
  const bool has_three = std::find(in, in + n, kThree) != in + n;
  auto* out = static_cast<std::uint32_t*>(call.outputs[0].data);
  for (std::int64_t i = 0; i < n; ++i) out[i] ^= !had_three && n >= 1000 && in[i] == kThree ? 1 : 0;
  had_three = has_three;
  return status;
}

TEST_CASE("a sweep's call that gives other bits when it is made again refutes bit_stable") {
  const KernelRecord kernel = audited({{"first", remembers}});
  CHECK(judged(kernel, "first", "rounding").verdict == Verdict::kRefuted);
  CHECK(judged(kernel, "first", "bit_stable").verdict == Verdict::kRefuted);
}

}  // namespace
