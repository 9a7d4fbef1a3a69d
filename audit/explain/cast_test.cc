// Explanations of inputs whose results were worked out by hand.
#include "audit/explain/cast.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "audit/bind.h"
#include "audit/explain/cast_text.h"
#include "contracts/testing/catch.h"
#include "kernels/registry.h"

namespace assay {
namespace {

const fkc::Document& document() {
  static const fkc::Document read =
      fkc::read_document(ASSAY_SOURCE_DIR "/contracts/reference/cast.fkc.md");
  return read;
}

/// The explanation of an input, by the built-in scalar kernel or by `function` in its place.
CastExplanation explained(const std::string& kernel, Bits input,
                          KernelFunction function = nullptr) {
  const Registry built_in = built_in_registry();
  std::vector<Kernel> kernels;
  for (Kernel each : built_in.kernels()) {
    if (each.entry_point.find(kernel) == std::string::npos) continue;
    each.variants = {*each.variant("scalar")};
    if (function != nullptr) each.variants = {{"faulty", function}};
    kernels.push_back(each);
  }
  REQUIRE(kernels.size() == 1);
  AuditOptions options;
  options.only = {kernel};
  options.hang_after = std::chrono::seconds(3);
  const Registry registry(kernels);
  const std::vector<fkc::Document> documents = {document()};
  const Bound bound = assay::bind(documents, registry, options);
  REQUIRE(bound.casts.size() == 1);
  REQUIRE(bound.casts[0].not_run.empty());
  return explain_cast(bound.casts, input, options);
}

/// A kernel that gives the same bits, of 16, for everything.
template <std::uint16_t kBits>
KernelStatus constant(KernelCall& call) {
  auto* out = static_cast<std::uint16_t*>(call.outputs[0].data);
  for (std::int64_t i = 0; i < call.outputs[0].shape[0]; ++i) out[i] = kBits;
  call.ran = "faulty";
  return KernelStatus::kOk;
}

/// One step more in the last element of tensors of 64 and more.
KernelStatus wrong_at_the_end(KernelCall& call) {
  const KernelStatus status = constant<0x3c00>(call);
  const std::int64_t n = call.outputs[0].shape[0];
  if (n >= 64) ++static_cast<std::uint16_t*>(call.outputs[0].data)[n - 1];
  return status;
}

KernelStatus crashing(KernelCall&) {
  std::abort();
}

using Names = std::vector<std::string_view>;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a tie is explained: 1 + 2^-11 lies halfway between two binary16 numbers") {
  const CastExplanation tie = explained("cast_f32_to_f16", 0x3f801000);
  CHECK(tie.due == 0x3c00);
  CHECK(tie.given.at(0).alone == 0x3c00);
  CHECK(tie.given[0].fits == Names{"to nearest, ties to even", "toward zero", "down"});
  CHECK(tie.given[0].ulp_distance == 0u);
  CHECK(tie.given[0].ulp_error == 0.5);
  CHECK(tie.given[0].broken.empty());
  const std::string text = to_text(tie);
  CHECK(has(text, "input      0x3f801000 = 1.0004883"));
  CHECK(has(text, "below      0x3c00 = 1 "));
  CHECK(has(text, "above      0x3c01 = 1.001 "));
  CHECK(has(text, "midpoint   1.00048828125 (0x1.002p+0); the exact value is there: a tie"));
  CHECK(has(text, "due        0x3c00"));
  CHECK(has(text, "as is due; ULP distance 0; ULP error 0.5"));
  CHECK(has(text, "looks like to nearest, ties to even; toward zero; down\n"));
  CHECK(has(text, "the same in each of 131 equal elements"));
}

TEST_CASE("an error just under half a unit is not told as half of one") {
  // The double below 1 + 2^-24: 2^-52 under the tie, which is 2^-29 units of binary32.
  const CastExplanation near = explained("cast_f64_to_f32", 0x3ff000000fffffff);
  CHECK(near.given.at(0).ulp_error < 0.5);
  CHECK(has(to_text(near), "; ULP error 0.49999999813735"));
}

TEST_CASE("a tie that goes away from zero breaks the rounding, and is named") {
  const CastExplanation away = explained("cast_f32_to_f16", 0x3f801000, constant<0x3c01>);
  CHECK(away.given.at(0).fits == Names{"to nearest, ties away from zero", "away from zero", "up"});
  CHECK(away.given[0].ulp_distance == 1u);
  CHECK(away.given[0].ulp_error == 0.5);
  CHECK(std::ranges::count(away.given[0].broken, ClaimKind::kRounding) == 1);
  CHECK(has(to_text(away), "which is not due; ULP distance 1; ULP error 0.5"));
}

TEST_CASE("an overflow is explained: 65520 is where binary16 goes to infinity") {
  const CastExplanation overflow = explained("cast_f32_to_f16", 0x477ff000);
  CHECK(overflow.due == 0x7c00);
  CHECK(overflow.given.at(0).fits == Names{"to nearest, ties to even",
                                           "to nearest, ties away from zero", "away from zero",
                                           "up"});
  CHECK_FALSE(overflow.given[0].ulp_error);
  const std::string text = to_text(overflow);
  CHECK(has(text, "below      0x7bff = 6.55e+04 (0x1.ffcp+15)"));
  CHECK(has(text, "above      0x7c00 = inf"));
  CHECK(has(text, "midpoint   6.552e+04 (0x1.ffep+15); the exact value is there: a tie"));
  const CastExplanation saturated = explained("cast_f32_to_f16", 0x477ff000, constant<0x7bff>);
  CHECK(saturated.given.at(0).fits ==
        Names{"toward zero", "down", "saturated to the largest finite number"});
  CHECK(std::ranges::count(saturated.given[0].broken, ClaimKind::kOverflow) == 1);
}

TEST_CASE("a subnormal is explained: 1.5 * 2^-24 lies between the first two of binary16") {
  const CastExplanation subnormal = explained("cast_f32_to_f16", 0x33c00000);
  CHECK(subnormal.due == 0x0002);
  CHECK(subnormal.given.at(0).fits == Names{"to nearest, ties to even",
                                            "to nearest, ties away from zero", "away from zero",
                                            "up"});
  CHECK(subnormal.given[0].ulp_error == 0.5);
  CHECK(has(to_text(subnormal), "below      0x0001"));
  const CastExplanation flushed = explained("cast_f32_to_f16", 0x33c00000, constant<0>);
  CHECK(flushed.given.at(0).fits == Names{"subnormals flushed to zero"});
  CHECK(flushed.given[0].ulp_distance == 2u);
  CHECK(flushed.given[0].ulp_error == 1.5);
  CHECK(std::ranges::count(flushed.given[0].broken, ClaimKind::kSubnormals) == 1);
}

TEST_CASE("rounding twice, over binary32, is told from rounding once") {
  // 1 + 2^-11 + 2^-30: above the tie in binary64, on it in binary32.
  const CastExplanation twice = explained("cast_f64_to_f16", 0x3ff0020000400000, constant<0x3c00>);
  CHECK(twice.due == 0x3c01);
  CHECK(std::ranges::count(twice.given.at(0).fits, "to nearest even over f32, rounded twice") == 1);
  CHECK(std::ranges::count(twice.given[0].fits, "to nearest, ties to even") == 0);
}

TEST_CASE("of a NaN any NaN is due, and there are no neighbours") {
  const CastExplanation nan = explained("cast_f32_to_f16", 0x7fc00001);
  CHECK(nan.any_nan);
  CHECK(nan.given.at(0).fits.empty());
  CHECK(nan.given[0].ulp_distance == 0u);
  const std::string text = to_text(nan);
  CHECK(has(text, "due        a NaN, any"));
  CHECK(has(text, "as is due"));
  CHECK_FALSE(has(text, "below"));
  CHECK_FALSE(has(text, "looks like"));
  const CastExplanation lost = explained("cast_f32_to_f16", 0x7fc00001, constant<0x7c00>);
  CHECK_FALSE(lost.given.at(0).ulp_distance);
  CHECK(std::ranges::count(lost.given[0].broken, ClaimKind::kNan) == 1);
}

TEST_CASE("an integer out of range: 2^32 is beyond what u32 holds") {
  const CastExplanation beyond = explained("cast_f32_to_u32", 0x4f800000);
  CHECK(beyond.nothing_due);
  const std::string text = to_text(beyond);
  CHECK(has(text, "below      0xffffffff = 4294967295"));
  CHECK(has(text, "above      nothing: u32 ends here"));
  CHECK(has(text, "due        nothing"));
  CHECK_FALSE(has(text, "as is due"));
  const CastExplanation half = explained("cast_f32_to_u32", 0x40200000);  // 2.5
  CHECK(half.due == 2);
  CHECK(half.given.at(0).ulp_error == 0.5);
}

TEST_CASE("a lane that differs is told with its place; a crash costs its variant only") {
  const CastExplanation lanes = explained("cast_f32_to_f16", 0x3f800000, wrong_at_the_end);
  REQUIRE(lanes.given.at(0).lanes.size() == 2);
  CHECK(lanes.given[0].lanes[1].first == 130);
  CHECK(has(to_text(lanes), "0x3c01 = 1.001 (0x1.004p+0) in 1 of them, first in element 130"));
  CHECK(std::ranges::count(lanes.given[0].broken, ClaimKind::kRounding) == 1);
  const CastExplanation crashed = explained("cast_f32_to_f16", 0x3f800000, crashing);
  CHECK(has(crashed.given.at(0).failure, "SIGABRT"));
  CHECK(has(to_text(crashed), "failed: killed by SIGABRT"));
}

TEST_CASE("programs read the same of the JSON document") {
  const nlohmann::json json =
      nlohmann::json::parse(to_json(explained("cast_f32_to_f16", 0x3f801000)));
  CHECK(json["schema"] == "assay-explain/1");
  CHECK(json["exact"]["below"]["bits"] == "0x3c00");
  CHECK(json["exact"]["above"]["bits"] == "0x3c01");
  CHECK(json["exact"]["side"] == "tie");
  CHECK(json["due"]["bits"] == "0x3c00");
  const nlohmann::json& variant = json["variants"][0];
  CHECK(variant["variant"] == "scalar");
  CHECK(variant["result"]["bits"] == "0x3c00");
  CHECK(variant["looks_like"].size() == 3);
  CHECK(variant["ulp_error"] == 0.5);
  CHECK(variant["lanes"][0]["elements"] == 131);
}

}  // namespace
}  // namespace assay
