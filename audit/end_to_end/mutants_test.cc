// The audit must refute every faulty kernel, under the claim that the fault breaks, and must not
// refute a correct one that differs where the contracts are silent.
#include <bit>
#include <set>

#include "audit/end_to_end/testing/quick_audit.h"
#include "contracts/testing/catch.h"
#include "kernels/mutants/mutants.h"

namespace {

using namespace assay;
using namespace assay::testing;

/// Claims whose counterexample is one input value: it must be a single element.
bool is_about_values(const std::string& id) {
  const std::optional<ClaimKind> kind = claim_kind_from_id(id);
  REQUIRE(kind.has_value());
  return *kind <= ClaimKind::kDomainExact;
}

TEST_CASE("every planted fault is refuted under the right claim") {
  for (const Mutant& mutant : cast_mutants()) {
    DYNAMIC_SECTION(mutant.name) {
      const KernelRecord kernel = quick_audit(mutant);
      INFO(mutant.what);
      INFO("fallen: " << fallen_claims(kernel));
      const ClaimRecord* judged = claim(kernel, "mutant", mutant.claim);
      REQUIRE(judged != nullptr);
      REQUIRE(judged->verdict == Verdict::kRefuted);
      REQUIRE(judged->violations > 0);
      REQUIRE(judged->counterexample.has_value());
      const Counterexample& example = *judged->counterexample;
      INFO(example.why);
      REQUIRE_FALSE(example.why.empty());
      REQUIRE_FALSE(example.token.empty());
      if (is_about_values(mutant.claim)) {
        REQUIRE(example.inputs.at(0).bits.size() == 1);
        REQUIRE(example.inputs.at(0).shape == std::vector<std::int64_t>{1});
        REQUIRE(example.got.bits.size() == 1);
        REQUIRE(example.expected.bits.size() == 1);
        REQUIRE(example.got.bits != example.expected.bits);
      }
    }
  }
}

/// Claims of a mutant that may fall besides the one that it is made for: a wrong number is also a
/// wrong rounding, and a faulty call shows wherever calls are made.
bool may_fall_too(const std::string& made_for, const std::string& id) {
  static const std::set<std::pair<std::string, std::string>> pairs = {
      {"overflow", "rounding"},          {"rounding", "overflow"},
      {"subnormals", "rounding"},        {"domain_exact", "rounding"},
      {"rounding", "precision.max_ulp"}, {"rounding", "domain_exact"},
      {"rounding", "subnormals"},        {"subnormals", "precision.max_ulp"},
      {"nan", "precision.max_ulp"},
  };
  return pairs.count({made_for, id}) > 0;
}

TEST_CASE("a fault in single results refutes no claim that it does not break") {
  for (const Mutant& mutant : cast_mutants()) {
    if (!is_about_values(mutant.claim)) continue;
    // A last lane that is wrong is also a result that depends on its place.
    if (mutant.name == "f32_to_f64_wrong_tail") continue;
    DYNAMIC_SECTION(mutant.name) {
      const KernelRecord kernel = quick_audit(mutant);
      for (const ClaimRecord& record : kernel.variants.at(0).claims) {
        INFO(record.id << " " << record.why);
        REQUIRE(record.verdict != Verdict::kError);
        if (record.verdict != Verdict::kRefuted || record.id == mutant.claim) continue;
        INFO(record.counterexample->why);
        REQUIRE(may_fall_too(mutant.claim, record.id));
      }
    }
  }
}

TEST_CASE("a permitted variant keeps every claim") {
  require_kept(permitted_variants());
}

}  // namespace
