// Conditions on parameters: which texts are recognised, and what they say.
#include "contracts/fkc/condition.h"

#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

Scope sample_scope() {
  Scope scope;
  scope.names = {{"stride", std::int64_t{2}},
                 {"groups", std::int64_t{3}},
                 {"axis", std::int64_t{-1}},
                 {"p", 0.25},
                 {"causal", false},
                 {"window", std::monostate()},
                 {"x.dim", Extents{1, 6, 8, 8}},
                 {"w.dim", Extents{4, 2, 3, 3}},
                 {"pair", Extents{1, 1}}};
  return scope;
}

std::string said(std::string_view text, std::string_view subject = "stride") {
  const auto condition = parse_condition(text, subject);
  if (!condition) return "free text";
  const Finding finding = check(*condition, sample_scope());
  return std::string(to_string(finding.standing)) + (finding.why.empty() ? "" : ": " + finding.why);
}

TEST_CASE("recognised conditions hold or name the value that breaks them") {
  CHECK(said("stride > 0") == "holds");
  CHECK(said("> 2") == "violated: `stride` (which is 2) is not above 2");
  CHECK(said("== x.dim[1] / groups") == "holds");
  CHECK(said("== x.dim[1] == 6") ==
        "violated: `stride` (which is 2) is not `x.dim[1]` (which is 6)");
  CHECK(said("0 <= axis <= 3") == "violated: 0 is above `axis` (which is -1)");
  CHECK(said("-4 <= axis <= 3") == "holds");
  CHECK(said("x.dim[1] % groups == 0 && w.dim[0] % groups == 0", "groups") ==
        "violated: `w.dim[0] % groups` (which is 1) is not 0");
  CHECK(said("stride > 0 and stride < 2") == "violated: `stride` (which is 2) is not below 2");
  CHECK(said("stride != 2") == "violated: `stride` (which is 2) is 2");
  CHECK(said("stride >= 3") == "violated: `stride` (which is 2) is below 3");
  CHECK(said("0 <= p <= 1", "p") == "holds");
  CHECK(said("p > 0.25", "p") == "violated: `p` (which is 1/4) is not above `0.25` (which is 1/4)");
  CHECK(said("== false", "causal") == "holds");
  CHECK(said("in {1, 2, 4}") == "holds");
  CHECK(said("groups in {1, 2, x.dim[0]}") ==
        "violated: `groups` (which is 3) is not in {1, 2, 1}");
  CHECK(said("must be None", "window") == "holds");
  CHECK(said("must be None") == "violated: `stride` is 2 and must be none");
}

TEST_CASE("what cannot be evaluated is not checked, and a violation beside it is still named") {
  CHECK(said("> unknown") == "not checked: `unknown` is not known");
  CHECK(said("unknown > 0 && stride > 2") == "violated: `stride` (which is 2) is not above 2");
  CHECK(said("stride > 0 && unknown > 2") == "not checked: `unknown` is not known");
  CHECK(said("pair == 1") == "not checked: `pair` is a list, and a number is due");
  CHECK(said("window > 0") == "not checked: `window` is none, and a number is due");
  CHECK(said("1 / (stride - 2) > 0") == "not checked: division by zero");
  CHECK(said("must be None", "nobody") == "not checked: `nobody` is not known");
  CHECK(said("in {1, unknown}", "groups") == "not checked: `unknown` is not known");
}

TEST_CASE("free text stays free text") {
  for (const char* text :
       {"", "positive", "stride = 2", "must be positive", "stride > 0 || groups > 0", "== (1, 1)",
        "one of 1, 2", "in 1, 2", "in {a b}", "within {1}", "> 0 (strictly)", "stride >", "<",
        "stride >> 1", "must be None or 1", "0 <= axis <= 3 roughly", "&& stride > 0"}) {
    INFO(text);
    CHECK(said(text) == "free text");
  }
}

}  // namespace
}  // namespace assay::fkc
