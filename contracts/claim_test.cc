#include "contracts/claim.h"

#include <set>
#include <string>

#include "contracts/testing/catch.h"

namespace assay {
namespace {

TEST_CASE("claim ids are unique and lead back to their kind") {
  std::set<std::string_view> ids;
  for (const ClaimRow& claim : kClaims) {
    INFO(claim.id);
    CHECK(ids.insert(claim.id).second);
    CHECK_FALSE(claim.statement.empty());
    CHECK(claim_kind_from_id(claim.id) == claim.kind);
    CHECK(row(claim.kind).id == claim.id);
  }
  CHECK_FALSE(claim_kind_from_id("max_ulp").has_value());
  CHECK_FALSE(claim_kind_from_id("").has_value());
}

TEST_CASE("a few ids are what reports call them") {
  CHECK(row(ClaimKind::kMaxUlp).id == "precision.max_ulp");
  CHECK(row(ClaimKind::kBitwise).id == "bitwise");
  CHECK(row(ClaimKind::kAcceptRank).id == "accept.rank");
}

TEST_CASE("rules are written as contracts write them") {
  CHECK(to_string(Rounding::kExact) == "exact");
  CHECK(to_string(Rounding::kNearestEven) == "nearest_even");
  CHECK(to_string(Rounding::kTowardZero) == "toward_zero");
  CHECK(to_string(OverflowRule::kInfinity) == "infinity");
  CHECK(to_string(OverflowRule::kCallerError) == "caller_error");
  CHECK(to_string(NanRule::kPreserved) == "preserved");
  CHECK(to_string(NanRule::kZero) == "zero");
  CHECK(to_string(NanRule::kIgnored) == "ignored");
  CHECK(to_string(Accumulator::kNestedSum) == "nested_sum");
  CHECK(to_string(Accumulator::kScatteredSum) == "scattered_sum");
  CHECK(to_string(BiasOrder::kFirst) == "first");
  CHECK(to_string(BiasOrder::kLast) == "last");
  CHECK(to_string(SourceKind::kAuditEntry) == "audit");
  CHECK(to_string(SourceKind::kImplied) == "implied");
}

}  // namespace
}  // namespace assay
