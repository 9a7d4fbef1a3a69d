// What the record of a faulty kernel's audit says: pictures, and tokens that repeat it. That every
// fault is refuted under its claim is the score's to show (audit/score).
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

TEST_CASE("the token of every claim that a fault brings down repeats it") {
  // Of each judge one, and those that bring several claims down.
  static const std::set<std::string> chosen = {
      "f32_to_f64_wrong_tail",         "f64_to_f16_over_f32",
      "f16_to_f64_no_infinity",        "bf16_to_f32_leaves_last",
      "f32_to_f16_sees_neighbour",     "f32_to_bf16_writes_past_end",
      "f16_to_f32_leaves_thread",      "f32_to_f16_ignores_strides",
      "f32_to_f16_takes_u32",          "u32_to_f64_refuses_scalars",
      "conv2d_f32_strides_swapped",    "conv2d_f64_in_f32",
      "max_pool2d_f32_nan_wins",       "max_pool2d_f16_through_bf16",
      "conv2d_f32_padding_multiplied", "conv2d_f64_first_image_only",
      "conv2d_f32_reads_past_weight",  "conv2d_f32_column_of_8_bits",
      "conv2d_f32_takes_rank_3",       "conv2d_f64_flips_over_ones",
      "conv2d_f32_takes_any_groups",   "conv2d_f64_takes_any_bias",
      "conv2d_f32_leaves_descriptor",  "conv2d_f64_takes_larger_output"};
  std::size_t checked = 0;
  for (const auto& family : {cast_mutants(), window_mutants()}) {
    for (const Mutant& mutant : family) {
      if (chosen.count(mutant.name) == 0) continue;
      ++checked;
      DYNAMIC_SECTION(mutant.name) {
        const KernelRecord kernel = quick_audit(mutant);
        INFO("fallen: " << fallen_claims(kernel));
        REQUIRE(claim(kernel, "mutant", mutant.claim)->verdict == Verdict::kRefuted);
        check_tokens(mutant, kernel);
      }
    }
  }
  REQUIRE(checked == chosen.size());
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
      if (mutant.name.ends_with("_one_pattern") || mutant.name.ends_with("_one_tie")) {
        if (judged->verdict != Verdict::kRefuted) continue;  // found by the larger efforts
      }
      REQUIRE(judged->counterexample.has_value());
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

}  // namespace
