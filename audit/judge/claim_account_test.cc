#include "audit/judge/claim_account.h"

#include "audit/testing/contract_with.h"
#include "contracts/testing/catch.h"

namespace assay {
namespace {

TEST_CASE("what sentences dispute is measured at most, and left open") {
  fkc::KernelContract contract = testing::contract_with({});
  Claim disputed = testing::claim(ClaimKind::kRounding);
  disputed.declared = "toward_zero or nearest_even";
  disputed.source.line = 7;
  disputed.source.text = "Rounds toward zero.";
  contract.disputed.push_back(disputed);
  REQUIRE(contract.disputed_claim(ClaimKind::kRounding) != nullptr);
  const std::string unfinished;
  const ClaimAccount account(contract, unfinished);

  ClaimRecord measured = account.blank(ClaimKind::kRounding);
  measured.probes = 100;
  measured.violations = 1;
  account.decide(measured, false, {});
  REQUIRE(measured.verdict == Verdict::kUnclaimed);
  for (const std::optional<ClaimRecord>& judged :
       {std::optional(measured), std::optional<ClaimRecord>()}) {
    const ClaimRecord record = account.left_open(disputed, judged);
    CHECK(record.id == "rounding");
    CHECK(record.verdict == Verdict::kUndecided);
    CHECK(record.declared == "toward_zero or nearest_even");
    CHECK(record.source.line == 7);
    CHECK(record.source.text == "Rounds toward zero.");
    CHECK(record.why.find("contradict") != std::string::npos);
    CHECK(record.probes == (judged ? 100U : 0U));
  }
}

}  // namespace
}  // namespace assay
