#include "reports/sarif.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "contracts/claim.h"
#include "contracts/testing/catch.h"
#include "reports/sarif_parts.h"
#include "reports/testing/contains.h"
#include "reports/testing/conv_record.h"
#include "reports/testing/golden.h"
#include "reports/testing/sample_record.h"
#include "reports/testing/schema.h"

namespace assay {
namespace {

using nlohmann::json;
using testing::contains;

std::vector<std::string> faults(const std::string& log) {
  return testing::schema_faults(log, "sarif-2.1.0-subset.schema.json");
}

json run_of(const RunRecord& record) {
  return json::parse(sarif_report(record))["runs"][0];
}

/// True where every brace of a message is doubled.
bool without_placeholders(const json& message) {
  const std::string text = message["text"];
  for (const char* brace : {"{", "}"}) {
    for (std::size_t at = text.find(brace); at != std::string::npos; at = text.find(brace, at)) {
      const std::size_t end = std::min(text.find_first_not_of(brace, at), text.size());
      if ((end - at) % 2 != 0) return false;
      at = end;
    }
  }
  return true;
}

/// A record of one kernel of one variant, whose only claim has this verdict.
RunRecord record_of(Verdict verdict) {
  RunRecord record = testing::sample_record();
  record.kernels.resize(1);
  std::vector<VariantRecord>& variants = record.kernels[0].variants;
  variants.resize(1);
  ClaimRecord claim = variants[0].claims[0];
  claim.verdict = verdict;
  claim.why = "a reason";
  if (verdict != Verdict::kRefuted) claim.counterexample.reset();
  variants[0].claims = {claim};
  return record;
}

TEST_CASE("the SARIF logs of the records fit the schema") {
  const std::string sample = sarif_report(testing::sample_record());
  testing::check_golden("sample.sarif", sample);
  RunRecord record = testing::hostile_record();
  record.tool.version = "0.1.0";  // the one text here that is never a stranger's
  const std::string hostile = sarif_report(record);
  testing::check_golden("hostile.sarif", hostile);
  for (const std::string& log :
       {sample, hostile, sarif_report(testing::conv_record()),
        sarif_report(testing::crowded_record()), sarif_report(RunRecord{})}) {
    CHECK(faults(log) == std::vector<std::string>{});
    for (const json& result : json::parse(log)["runs"][0]["results"]) {
      CHECK(without_placeholders(result["message"]));
    }
  }
}

TEST_CASE("the schema of SARIF refuses what is wrong") {
  const json good = json::parse(sarif_report(testing::hostile_record()));
  const std::vector<std::pair<std::string, std::string>> edits = {
      {"/runs/0/invocations/0/executionSuccessful", "\"no\""},
      {"/runs/0/invocations/0/startTimeUtc", "\"12:34\""},
      {"/runs/0/invocations/0/toolExecutionNotifications/0/associatedRule/index", "-1"},
      {"/runs/0/results/0/partialFingerprints", "{}"},
      {"/runs/0/results/0/properties/more", "1"},
      {"/runs/0/results/0/locations/0/logicalLocations/0/kind", "\"kernel\""},
      {"/runs/0/results/0/message/text", "\"[a](b)\""}};
  REQUIRE(faults(good.dump()).empty());
  for (const auto& [place, value] : edits) {
    INFO(place);
    json broken = good;
    broken[json::json_pointer(place)] = json::parse(value);
    CHECK_FALSE(faults(broken.dump()).empty());
  }
}

TEST_CASE("each promise and verdict is one result under its rule, whatever the variants") {
  const json run = run_of(testing::conv_record());
  const json& rules = run["tool"]["driver"]["rules"];
  CHECK(rules.size() == kClaims.size() + 2);
  // Two refuted claims on two variants each, and a kernel that was not run.
  REQUIRE(run["results"].size() == 3);
  std::set<std::string> fingerprints;
  for (const json& result : run["results"]) {
    CHECK(rules[result["ruleIndex"].get<std::size_t>()]["id"] == result["ruleId"]);
    fingerprints.insert(result["partialFingerprints"]["assayPromise/v1"].get<std::string>());
  }
  CHECK(fingerprints == std::set<std::string>{"conv-pool.fkc.md/conv2d_f32/accumulator/refuted",
                                              "conv-pool.fkc.md/conv2d_f32/padding_skipped/refuted",
                                              "conv-pool.fkc.md/conv2d_bf16/not_run"});
  const json& first = run["results"][0];
  CHECK(first["level"] == "error");
  CHECK(first["properties"]["variants"] == json({"scalar", "AVX2"}));
  CHECK(first["properties"]["repeat"].size() == 1);
  const json& physical = first["locations"][0]["physicalLocation"];
  CHECK(physical["artifactLocation"]["uri"] == "contracts/reference/conv-pool.fkc.md");
  CHECK(physical["region"] == json{{"startLine", 115}});
  const std::string text = first["message"]["text"];
  CHECK_THAT(text,
             contains("conv2d_f32 breaks accumulator = nested_sum, bias last on scalar, AVX2"));
  CHECK_THAT(text, contains("0xbf7fffff") && contains("ULP distance 1"));
  CHECK_THAT(text, contains("\nRepeat it: assay audit contracts/reference/conv-pool.fkc.md --only "
                            "conv2d_f32 --variant scalar --variant AVX2"));
}

TEST_CASE("variants that differ are one result that tells of each") {
  RunRecord record = testing::conv_record();
  record.kernels.resize(1);
  record.kernels[0].variants[1].claims[0].violations = 7;
  const json run = run_of(record);
  REQUIRE(run["results"].size() == 2);
  const json& first = run["results"][0];
  CHECK(first["properties"]["repeat"].size() == 2);
  CHECK_THAT(first["message"]["text"].get<std::string>(),
             contains("\nOn scalar: 512 of") && contains("\nOn AVX2: 7 of"));
}

TEST_CASE("a verdict's level, and what stays out") {
  const std::vector<std::pair<Verdict, std::string>> levels = {
      {Verdict::kRefuted, "error"}, {Verdict::kError, "warning"}, {Verdict::kUndecided, "note"}};
  std::set<std::string> fingerprints;
  for (const auto& [verdict, level] : levels) {
    const json run = run_of(record_of(verdict));
    REQUIRE(run["results"].size() == 1);
    CHECK(run["results"][0]["level"] == level);
    fingerprints.insert(run["results"][0]["partialFingerprints"].dump());
    // A crash is the one of the three that ends something early.
    CHECK(run["invocations"][0]["executionSuccessful"] == (verdict != Verdict::kError));
  }
  CHECK(fingerprints.size() == levels.size());
  for (const Verdict verdict : {Verdict::kUpheld, Verdict::kUnclaimed}) {
    CHECK(run_of(record_of(verdict))["results"].empty());
  }
}

TEST_CASE("an audit that did not come to its end does not read as a pass") {
  RunRecord record = record_of(Verdict::kUpheld);
  CHECK(run_of(record)["invocations"][0]["executionSuccessful"] == true);
  CHECK_FALSE(run_of(record)["invocations"][0].contains("toolExecutionNotifications"));
  record.run.complete = false;
  record.run.incomplete = "the time budget is used up";
  json run = run_of(record);
  CHECK(run["invocations"][0]["executionSuccessful"] == false);
  REQUIRE(run["results"].size() == 1);
  CHECK(run["results"][0]["ruleId"] == "audit.incomplete");
  CHECK_THAT(run["results"][0]["message"]["text"].get<std::string>(), contains("time budget"));

  record = record_of(Verdict::kUpheld);
  record.kernels[0].not_run = "no kernel is registered";
  run = run_of(record);
  CHECK(run["invocations"][0]["executionSuccessful"] == false);
  CHECK(run["results"][0]["ruleId"] == "kernel.not_run");

  CHECK(run_of(RunRecord{})["invocations"][0]["executionSuccessful"] == false);
}

TEST_CASE("two promises of one kind are told apart") {
  RunRecord record = record_of(Verdict::kRefuted);
  std::vector<ClaimRecord>& claims = record.kernels[0].variants[0].claims;
  claims.push_back(claims[0]);
  claims[1].source.line += 1;
  const json run = run_of(record);
  REQUIRE(run["results"].size() == 2);
  CHECK(run["results"][0]["partialFingerprints"]["assayPromise/v1"] ==
        "cast.fkc.md/cast_f32_f16/precision.max_ulp/refuted");
  CHECK(run["results"][1]["partialFingerprints"]["assayPromise/v1"] ==
        "cast.fkc.md/cast_f32_f16/precision.max_ulp/refuted/2");
}

TEST_CASE("plain text of SARIF has no placeholders and no links") {
  CHECK(sarif::message("a {0} [b](c) [d] (e)")["text"] == "a {{0}} [b] (c) [d] (e)");
  CHECK(sarif::message("]")["text"] == "]");
}

}  // namespace
}  // namespace assay
