// What the pictures of a faulty kernel are drawn from.
#include "audit/judge/deviations.h"

#include "audit/judge/census.h"
#include "audit/testing/contract_with.h"
#include "contracts/testing/catch.h"

namespace assay {
namespace {

using testing::cast;
using Value = std::optional<double>;

constexpr Bits kOne = 0x3f800000;
constexpr Bits kTwo = 0x40000000;
constexpr Bits kNan = 0x7fc00000;

const InputAxis& axis() {
  static const InputAxis f32_to_f16(cast(Dtype::kF32, Dtype::kF16));
  return f32_to_f16;
}

const ProfileRow* row_at(const Profile& profile, const std::string& at) {
  for (const ProfileRow& row : profile.rows) {
    if (row.at == at) return &row;
  }
  return nullptr;
}

/// Errors of correct results at three exponents, and nothing elsewhere.
PlaceErrors correct_errors() {
  PlaceErrors errors = no_errors();
  for (const Bits input : {kOne, kTwo, kTwo + 0x00800000}) errors[axis().place_of(input)] = 0.5;
  return errors;
}

TEST_CASE("without deviations the picture is that of correct results, equal neighbours as one") {
  const Profile profile = DeviationTotals().worst_errors(axis(), correct_errors());
  REQUIRE(profile.rows.size() == 1);
  CHECK(profile.rows[0].at == "2^0 to 2^2");
  CHECK(profile.rows[0].first == 0.0);
  CHECK(profile.rows[0].last == 2.0);
  CHECK(profile.rows[0].values == std::vector<Value>{0.5});
  CHECK(DeviationTotals().violations(axis()).rows.empty());
}

TEST_CASE("a worse result takes the place of correct ones, a better one leaves it open") {
  Deviations chunk;
  const std::size_t one = axis().place_of(kOne);
  const std::size_t two = axis().place_of(kTwo);
  chunk.deviating[one] = chunk.deviating[two] = 1;
  chunk.add_error(one, 0.75);
  chunk.add_error(one, 0.625);
  chunk.add_error(two, 0.25);
  DeviationTotals totals;
  totals.add(chunk);
  totals.add(Deviations{});
  const Profile profile = totals.worst_errors(axis(), correct_errors());
  REQUIRE(profile.rows.size() == 3);
  CHECK(row_at(profile, "2^0")->values == std::vector<Value>{0.75});
  CHECK(row_at(profile, "2^1")->values == std::vector<Value>{std::nullopt});
  CHECK(row_at(profile, "2^2")->values == std::vector<Value>{0.5});
}

TEST_CASE("where all that deviates is NaN there is no worst error, not an error of 0") {
  PlaceErrors errors = no_errors();
  errors[axis().place_of(kOne)] = errors[axis().place_of(kTwo)] = 0;
  Deviations chunk;
  chunk.deviating[axis().place_of(kOne)] = 1;
  chunk.deviating[axis().place_of(kTwo)] = 2;
  chunk.add_error(axis().place_of(kTwo), 0);  // a zero of the wrong sign, and a NaN
  DeviationTotals totals;
  totals.add(chunk);
  const Profile profile = totals.worst_errors(axis(), errors);
  REQUIRE(row_at(profile, "2^0") != nullptr);
  CHECK(row_at(profile, "2^0")->values == std::vector<Value>{std::nullopt});
  REQUIRE(row_at(profile, "2^1") != nullptr);
  CHECK(row_at(profile, "2^1")->values == std::vector<Value>{0.0});
}

TEST_CASE("an axis with a gap in what was measured does not bridge it") {
  PlaceErrors errors = correct_errors();
  errors[axis().place_of(kTwo)] = -1;
  const Profile profile = DeviationTotals().worst_errors(axis(), errors);
  REQUIRE(profile.rows.size() == 2);
  CHECK(profile.rows[0].at == "2^0");
  CHECK(profile.rows[1].at == "2^2");
}

TEST_CASE("broken claims are counted by place and sign over all chunks") {
  Deviations chunk;
  chunk.add_violation(axis().place_of(kOne), false);
  chunk.add_violation(axis().place_of(kOne), true);
  chunk.add_violation(axis().place_of(kTwo), false);
  chunk.add_violation(axis().place_of(kTwo), true);
  chunk.add_violation(axis().place_of(kNan), true);
  DeviationTotals totals;
  totals.add(chunk);
  totals.add(chunk);
  const Profile profile = totals.violations(axis());
  CHECK(profile.series == std::vector<std::string>{"positive inputs", "negative inputs"});
  REQUIRE(row_at(profile, "2^0") != nullptr);
  CHECK(row_at(profile, "2^0")->values == std::vector<Value>{2.0, 2.0});
  // The same counts again, but of another exponent: no row stands for both.
  REQUIRE(row_at(profile, "2^1") != nullptr);
  CHECK(row_at(profile, "2^1")->values == std::vector<Value>{2.0, 2.0});
  REQUIRE(row_at(profile, "2^2 to 2^127") != nullptr);
  REQUIRE(row_at(profile, "NaN") != nullptr);
  CHECK(row_at(profile, "NaN")->values == std::vector<Value>{0.0, 2.0});
  CHECK_FALSE(row_at(profile, "NaN")->first);
  REQUIRE(row_at(profile, "zero") != nullptr);
  CHECK(row_at(profile, "zero")->values == std::vector<Value>{0.0, 0.0});
  CHECK(profile.rows.front().at == "zero");
  CHECK(profile.rows.back().at == "NaN");
}

}  // namespace
}  // namespace assay
