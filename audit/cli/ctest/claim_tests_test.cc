// Which tests a contract stands for, and their declarations.
#include "audit/cli/ctest/claim_tests.h"

#include <algorithm>

#include "contracts/testing/catch.h"

namespace assay::cli {
namespace {

std::vector<fkc::Document> references() {
  std::vector<fkc::Document> documents;
  for (const char* name : {"cast.fkc.md", "conv-pool.fkc.md"}) {
    documents.push_back(
        fkc::read_document(std::string(ASSAY_SOURCE_DIR "/contracts/reference/") + name));
  }
  return documents;
}

std::vector<ClaimTest> tests_of(const std::vector<fkc::Document>& documents,
                                const std::string& only) {
  AuditOptions options;
  options.only = {only};
  options.variants = {"scalar"};
  return claim_tests(documents, built_in_registry(), options);
}

bool has(const std::vector<ClaimTest>& tests, const ClaimTest& test) {
  return std::find(tests.begin(), tests.end(), test) != tests.end();
}

TEST_CASE("each claim of each variant has a test, and each dtype is a kernel") {
  const std::vector<ClaimTest> tests = tests_of(references(), "max_pool2d");
  CHECK(has(tests, {"max_pool2d_f32", "selection_exact", "scalar"}));
  CHECK(has(tests, {"max_pool2d_bf16", "in_bounds", "scalar"}));
  AuditOptions options;
  options.only = {"cast_f32_to_f16"};
  const Registry registry = built_in_registry();
  const std::vector<ClaimTest> all = claim_tests(references(), registry, options);
  REQUIRE(registry.kernels().front().variants.size() > 1);
  for (const KernelVariant& variant : registry.kernels().front().variants) {
    CHECK(has(all, {"cast_f32_to_f16", "rounding", variant.name}));
  }
}

TEST_CASE("what a contract leaves to the caller has no test") {
  const std::vector<ClaimTest> tests = tests_of(references(), "cast_f32_to_u32");
  CHECK(has(tests, {"cast_f32_to_u32", "rounding", "scalar"}));
  CHECK_FALSE(has(tests, {"cast_f32_to_u32", "overflow", "scalar"}));
}

TEST_CASE("a claim on which the contract contradicts itself has a test") {
  std::vector<fkc::Document> documents = references();
  fkc::KernelContract& contract = documents[0].kernels.at(0);
  REQUIRE(contract.kernel == "cast_f32_to_f64");
  const auto rounding =
      std::find_if(contract.claims.begin(), contract.claims.end(),
                   [](const Claim& claim) { return claim.kind == ClaimKind::kSubnormals; });
  REQUIRE(rounding != contract.claims.end());
  contract.disputed.push_back(*rounding);
  contract.claims.erase(rounding);
  CHECK(has(tests_of(documents, "cast_f32_to_f64"), {"cast_f32_to_f64", "subnormals", "scalar"}));
}

TEST_CASE("a kernel that cannot be audited has one test") {
  std::vector<fkc::Document> documents = references();
  documents[0].kernels.at(0).entry_point.value = "nobody::nothing";
  const std::vector<ClaimTest> tests = tests_of(documents, "cast_f32_to_f64");
  CHECK(tests == std::vector<ClaimTest>{{"cast_f32_to_f64", "", ""}});
}

TEST_CASE("two contracts of one kernel's name are refused: verdicts could be mixed up") {
  std::vector<fkc::Document> documents = references();
  documents.push_back(documents[0]);
  CHECK_THROWS_AS(tests_of(documents, "cast_f32_to_f64"), UsageError);
}

TEST_CASE("the script declares the test, its fixture, its labels and what skips it") {
  const std::vector<ClaimTest> tests = {{"k", "rounding", "AVX2"}, {"absent", "", ""}};
  CHECK(
      ctest_script(tests, {"/bin/assay", "/r/report.json", "audit_of_k", "casts: ", {"a", "b"}}) ==
      "add_test([=[casts: k / rounding / AVX2]=] [=[/bin/assay]=] ctest check "
      "[=[/r/report.json]=] -- [=[k]=] [=[rounding]=] [=[AVX2]=])\n"
      "set_tests_properties([=[casts: k / rounding / AVX2]=] PROPERTIES LABELS [=[a;b]=] "
      "FIXTURES_REQUIRED [=[audit_of_k]=] SKIP_RETURN_CODE 77)\n"
      "add_test([=[casts: absent / is audited]=] [=[/bin/assay]=] ctest check "
      "[=[/r/report.json]=] -- [=[absent]=])\n"
      "set_tests_properties([=[casts: absent / is audited]=] PROPERTIES LABELS [=[a;b]=] "
      "FIXTURES_REQUIRED [=[audit_of_k]=] SKIP_RETURN_CODE 77)\n");
}

TEST_CASE("no name ends its quotes or its line") {
  const std::vector<ClaimTest> tests = {{"k]=] evil()\n[=[", "rounding", "]==]"}};
  const std::string script = ctest_script(tests, {"p", "r", "f", "", {}});
  CHECK(script.find("[==[k]=] evil() [=[ / rounding / ]==]") == std::string::npos);
  CHECK(script.find("[===[k]=] evil() [=[ / rounding / ]==]]===]") != std::string::npos);
  CHECK(script.find(" -- [==[k]=] evil()\n[=[]==] [=[rounding]=] [===[]==]]===])") !=
        std::string::npos);
}

}  // namespace
}  // namespace assay::cli
