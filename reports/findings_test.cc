#include "reports/findings.h"

#include <functional>

#include "contracts/testing/catch.h"
#include "reports/rollup.h"
#include "reports/testing/sample_record.h"

namespace assay {
namespace {

/// A refuted claim in which every field has content.
ClaimRecord full_claim() {
  ClaimRecord claim = testing::sample_record().kernels[0].variants[0].claims[0];
  claim.measured.argmax = ArgMax{"0x3f801000", "1", "0x3c01", "1", "1"};
  claim.measured.observations = {{"payload kept", "no"}};
  return claim;
}

TEST_CASE("results differ as soon as one field does") {
  using Change = std::function<void(ClaimRecord&)>;
  const std::vector<Change> changes = {
      [](ClaimRecord& c) { c.id += "x"; },
      [](ClaimRecord& c) { c.statement += "x"; },
      [](ClaimRecord& c) { c.declared += "x"; },
      [](ClaimRecord& c) { c.source.file += "x"; },
      [](ClaimRecord& c) { c.source.line += 1; },
      [](ClaimRecord& c) { c.source.column += 1; },
      [](ClaimRecord& c) { c.source.kind = SourceKind::kProse; },
      [](ClaimRecord& c) { c.source.text += "x"; },
      [](ClaimRecord& c) { c.verdict = Verdict::kError; },
      [](ClaimRecord& c) { c.strength = Strength::kSampled; },
      [](ClaimRecord& c) { c.probes += 1; },
      [](ClaimRecord& c) { c.planned += 1; },
      [](ClaimRecord& c) { c.excluded[0].probes += 1; },
      [](ClaimRecord& c) { c.excluded[0].reason += "x"; },
      [](ClaimRecord& c) { c.excluded.clear(); },
      [](ClaimRecord& c) { c.violations += 1; },
      [](ClaimRecord& c) { c.space += "x"; },
      [](ClaimRecord& c) { c.why += "x"; },
      [](ClaimRecord& c) { c.measured.max_ulp_distance = 2; },
      [](ClaimRecord& c) { c.measured.max_ulp_error = 2; },
      [](ClaimRecord& c) { c.measured.max_relative.reset(); },
      [](ClaimRecord& c) { c.measured.max_absolute = 1; },
      [](ClaimRecord& c) { c.measured.argmax.reset(); },
      [](ClaimRecord& c) { c.measured.condition = 1; },
      [](ClaimRecord& c) { c.measured.argmax->input += "0"; },
      [](ClaimRecord& c) { c.measured.argmax->exact_value += "0"; },
      [](ClaimRecord& c) { c.measured.histogram[0].count += 1; },
      [](ClaimRecord& c) { c.measured.histogram.pop_back(); },
      [](ClaimRecord& c) { c.measured.profiles[0].title += "x"; },
      [](ClaimRecord& c) { c.measured.profiles[0].logarithmic_axis = true; },
      [](ClaimRecord& c) { c.measured.profiles[0].rows[0].values[0] = 1; },
      [](ClaimRecord& c) { c.measured.profiles[0].rows[0].last = 1; },
      [](ClaimRecord& c) { c.measured.profiles.clear(); },
      [](ClaimRecord& c) { c.measured.observations[0].value += "x"; },
      [](ClaimRecord& c) { c.counterexample.reset(); },
      [](ClaimRecord& c) { c.counterexample->inputs[0].bits[0] = "0x00000000"; },
      [](ClaimRecord& c) { c.counterexample->params[0].value += "1"; },
      [](ClaimRecord& c) { c.counterexample->got.bits[0] = "0x0000"; },
      [](ClaimRecord& c) { c.counterexample->expected.bits.clear(); },
      [](ClaimRecord& c) { c.counterexample->exact.reset(); },
      [](ClaimRecord& c) { c.counterexample->exact->value += "x"; },
      [](ClaimRecord& c) { c.counterexample->exact->midpoint += "x"; },
      [](ClaimRecord& c) { c.counterexample->exact->below.reset(); },
      [](ClaimRecord& c) { c.counterexample->exact->above->bits += "0"; },
      [](ClaimRecord& c) { c.counterexample->ulp_distance.reset(); },
      [](ClaimRecord& c) { c.counterexample->why += "x"; },
  };
  const ClaimRecord claim = full_claim();
  CHECK(same_result(claim, claim));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    INFO("change " << i);
    ClaimRecord changed = claim;
    changes[i](changed);
    CHECK(!same_result(claim, changed));
    CHECK(!same_result(changed, claim));
  }
  ClaimRecord other_token = claim;
  other_token.counterexample->token += "x";
  CHECK(same_result(claim, other_token));
}

TEST_CASE("findings hold every claim exactly once") {
  const RunRecord record = testing::sample_record();
  const std::vector<Verdict> every = {Verdict::kUpheld, Verdict::kRefuted, Verdict::kUnclaimed,
                                      Verdict::kUndecided, Verdict::kError};
  const auto claims_in = [&](const std::vector<Verdict>& verdicts) {
    std::size_t count = 0;
    for (const Finding& finding : findings_of(record, verdicts)) count += finding.variants.size();
    return count;
  };
  const Summary sum = record.summary();
  CHECK(claims_in(every) == sum.upheld + sum.refuted + sum.unclaimed + sum.undecided + sum.error);
  CHECK(claims_in({Verdict::kRefuted}) == sum.refuted);
  CHECK(claims_in({Verdict::kUndecided, Verdict::kError}) == sum.undecided + sum.error);

  const std::vector<Finding> refuted = findings_of(record.kernels[0], {Verdict::kRefuted});
  REQUIRE(refuted.size() == 2);
  CHECK(refuted[0].variants == std::vector<std::string>{"scalar", "SSE4"});
  CHECK(refuted[1].variants == std::vector<std::string>{"SSE4"});
}

TEST_CASE("a kernel's evidence is as weak as its weakest upheld numeric claim") {
  const auto weakest = [](const std::vector<ClaimRecord>& claims) {
    VariantRecord variant;
    variant.claims = claims;
    return weakest_numeric_strength({&variant, 1});
  };
  const auto claim = [](std::string id, Verdict verdict, Strength strength) {
    ClaimRecord record;
    record.id = std::move(id);
    record.verdict = verdict;
    record.strength = strength;
    return record;
  };
  const ClaimRecord exhaustive = claim("rounding", Verdict::kUpheld, Strength::kExhaustive);
  CHECK(weakest({}) == std::nullopt);
  CHECK(weakest({exhaustive}) == Strength::kExhaustive);
  CHECK(weakest({exhaustive, claim("precision.max_ulp", Verdict::kUpheld,
                                   Strength::kBoundaryComplete)}) == Strength::kBoundaryComplete);
  CHECK(weakest({claim("domain_exact", Verdict::kUpheld, Strength::kSampled), exhaustive}) ==
        Strength::kSampled);
  for (const char* id : {"accumulator", "error_bound", "padding_skipped", "selection_exact"}) {
    CHECK(weakest({claim(id, Verdict::kUpheld, Strength::kSampled)}) == Strength::kSampled);
  }
  // Neither what is not upheld nor what is not about numbers weakens it, nor stands in for it.
  CHECK(weakest({exhaustive, claim("rounding", Verdict::kRefuted, Strength::kSampled)}) ==
        Strength::kExhaustive);
  CHECK(weakest({exhaustive, claim("in_bounds", Verdict::kUpheld, Strength::kSampled)}) ==
        Strength::kExhaustive);
  CHECK(weakest({claim("in_bounds", Verdict::kUpheld, Strength::kSampled)}) == std::nullopt);
}

}  // namespace
}  // namespace assay
