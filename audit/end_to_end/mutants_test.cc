// The audit must refute every faulty kernel, under the claim that the fault breaks, and must not
// refute a correct one that differs where the contracts are silent.
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "audit/end_to_end/testing/quick_audit.h"
#include "audit/end_to_end/testing/tokens.h"
#include "audit/judge/input_axis.h"
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
      check_tokens(mutant, kernel);
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

const Profile* profile_of(const KernelRecord& kernel, const std::string& id) {
  for (const ClaimRecord& record : kernel.variants.at(0).claims) {
    for (const Profile& profile : record.measured.profiles) {
      if (profile.id == id) return &profile;
    }
  }
  return nullptr;
}

/// The first row that holds an input of this exponent, zero, infinity or NaN.
const ProfileRow* row_of(const Profile& profile, const InputAxis& axis, Bits input) {
  const std::size_t place = axis.place_of(input);
  for (const ProfileRow& row : profile.rows) {
    const bool covers = row.first
                            ? *row.first <= axis.first_exponent(place) &&
                                  *row.last >= axis.last_exponent(place) &&
                                  place >= axis.first_numbered() && place <= axis.last_numbered()
                            : row.at == axis.words(place, place);
    if (covers) return &row;
  }
  return nullptr;
}

TEST_CASE("pictures of a faulty kernel show where it is wrong, and how far") {
  for (const Mutant& mutant : cast_mutants()) {
    if (!is_about_values(mutant.claim)) continue;
    DYNAMIC_SECTION(mutant.name) {
      const KernelRecord kernel = quick_audit(mutant);
      const ClaimRecord* judged = claim(kernel, "mutant", mutant.claim);
      REQUIRE(judged != nullptr);
      const TensorRecord& input = judged->counterexample->inputs.at(0);
      const auto dtype_named = [](const std::string& name) {
        return std::ranges::find(kDtypes, name, &DtypeTraits::name)->dtype;
      };
      const InputAxis axis({dtype_named(input.dtype),
                            dtype_named(judged->counterexample->got.dtype),
                            Rounding::kNearestEven});
      const Profile* violations = profile_of(kernel, "violations");
      REQUIRE(violations != nullptr);
      const ProfileRow* row = row_of(*violations, axis, std::stoull(input.bits.at(0), nullptr, 16));
      REQUIRE(row != nullptr);
      double shown = 0;
      for (const std::optional<double>& value : row->values) shown += value.value();
      CHECK(shown > 0);

      const ClaimRecord* rounding = claim(kernel, "mutant", "rounding");
      const Profile* errors = profile_of(kernel, "worst_error");
      REQUIRE((rounding != nullptr && errors != nullptr));
      double worst = 0;
      for (const ProfileRow& error : errors->rows) {
        worst = std::max(worst, error.values.at(0).value_or(0));
      }
      // Not known where the input of the worst correct result is among those that are wrong.
      if (!rounding->measured.max_ulp_error) continue;
      const double largest = *rounding->measured.max_ulp_error;
      CHECK((worst == largest || std::abs(worst - largest) <= 1e-12 * largest));
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
