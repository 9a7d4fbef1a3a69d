#include "reports/json.h"

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "contracts/testing/catch.h"
#include "reports/testing/golden.h"
#include "reports/testing/sample_record.h"
#include "reports/testing/schema.h"

namespace assay {
namespace {

using Json = nlohmann::json;
using testing::schema_faults;

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

TEST_CASE("the JSON report of the sample record") {
  const std::string report = json_report(testing::sample_record());
  testing::check_golden("sample.json", report);
  CHECK(schema_faults(report) == std::vector<std::string>{});
}

TEST_CASE("hostile bytes stay valid UTF-8 JSON of the schema") {
  const std::string report = json_report(testing::hostile_record());
  CHECK(schema_faults(report) == std::vector<std::string>{});
  const Json json = Json::parse(report);
  const std::string kernel = json["kernels"][0]["kernel"];
  CHECK(kernel.find("<script>alert(1)</script>\n# heading") != std::string::npos);
  CHECK(kernel.find("\xef\xbf\xbd") != std::string::npos);  // the byte 0xff
}

TEST_CASE("an empty record is a report") {
  RunRecord record;
  record.run.effort = "quick";
  record.run.started = "2024-02-29T12:34:56Z";
  CHECK(schema_faults(json_report(record)) == std::vector<std::string>{});
}

TEST_CASE("the largest counts survive exactly") {
  RunRecord record = testing::sample_record();
  record.run.seed = kLargest;
  ClaimRecord& claim = record.kernels[0].variants[0].claims[0];
  claim.probes = claim.planned = (std::uint64_t{1} << 53) + 1;
  claim.violations = kLargest;
  claim.counterexample->ulp_distance = kLargest - 1;
  claim.measured.max_ulp_distance = kLargest;
  const std::string report = json_report(record);
  CHECK(schema_faults(report) == std::vector<std::string>{});
  const Json json = Json::parse(report);
  CHECK(json["run"]["seed"].get<std::uint64_t>() == kLargest);
  const Json& read = json["kernels"][0]["variants"][0]["claims"][0];
  CHECK(read["probes"].get<std::uint64_t>() == 9007199254740993u);
  CHECK(read["counterexample"]["ulp_distance"].get<std::uint64_t>() == kLargest - 1);
  CHECK(read["measured"]["max_ulp_distance"].get<std::uint64_t>() == kLargest);
}

TEST_CASE("what is not finite is null, what is absent is left out") {
  RunRecord record = testing::sample_record();
  VariantRecord& variant = record.kernels[0].variants[0];
  variant.probes_per_second = std::numeric_limits<double>::quiet_NaN();
  variant.claims[0].measured = Measured{};
  variant.claims[0].measured.max_ulp_error = std::numeric_limits<double>::infinity();
  variant.claims[0].measured.condition = std::numeric_limits<double>::infinity();
  variant.claims[1].measured.condition = 12.5;
  const std::string report = json_report(record);
  CHECK(schema_faults(report) == std::vector<std::string>{});
  const Json read = Json::parse(report)["kernels"][0]["variants"][0];
  CHECK(read["probes_per_second"].is_null());
  CHECK(read["claims"][0]["measured"]["max_ulp_error"].is_null());
  CHECK(read["claims"][0]["measured"]["argmax_condition"].is_null());
  CHECK(read["claims"][1]["measured"]["argmax_condition"] == 12.5);
  CHECK(!read["claims"][2]["measured"].contains("argmax_condition"));
  CHECK(!read["claims"][0]["measured"].contains("max_relative"));
  CHECK(!read["claims"][0]["measured"].contains("argmax"));
  CHECK(!read["claims"][1].contains("counterexample"));
}

/// One way to spoil a valid report.
struct Corruption {
  const char* what;
  std::function<void(Json& report, Json& claim)> spoil;  ///< the claim is refuted
};

TEST_CASE("the schema refuses each corruption of a valid report") {
  const std::vector<Corruption> corruptions = {
      {"another schema", [](Json& report, Json&) { report["schema"] = "assay-report/2"; }},
      {"a field too many", [](Json& report, Json&) { report["extra"] = 1; }},
      {"a field too many, deep", [](Json&, Json& claim) { claim["source"]["path"] = "x"; }},
      {"no seed", [](Json& report, Json&) { report["run"].erase("seed"); }},
      {"a seed as text", [](Json& report, Json&) { report["run"]["seed"] = "42"; }},
      {"a negative seed", [](Json& report, Json&) { report["run"]["seed"] = -1; }},
      {"a fractional count", [](Json&, Json& claim) { claim["probes"] = 1.5; }},
      {"an unknown effort", [](Json& report, Json&) { report["run"]["effort"] = "some"; }},
      {"a local time", [](Json& report, Json&) { report["run"]["started"] = "12:34"; }},
      {"an unknown verdict", [](Json&, Json& claim) { claim["verdict"] = "passed"; }},
      {"an unknown strength", [](Json&, Json& claim) { claim["strength"] = "complete"; }},
      {"an unknown source", [](Json&, Json& claim) { claim["source"]["kind"] = "guess"; }},
      {"upper-case bits",
       [](Json&, Json& claim) { claim["counterexample"]["got"]["bits"][0] = "0x3C01"; }},
      {"bits cut short",
       [](Json&, Json& claim) { claim["counterexample"]["got"]["bits"][0] = "0x3c0"; }},
      {"a parameter that is a number",
       [](Json&, Json& claim) { claim["counterexample"]["params"]["length"] = 9; }},
      {"a claim without verdict", [](Json&, Json& claim) { claim.erase("verdict"); }},
      {"a counterexample without reason",
       [](Json&, Json& claim) { claim["counterexample"]["why"] = ""; }},
      {"refuted without a violation", [](Json&, Json& claim) { claim["violations"] = 0; }},
      {"upheld against a violation", [](Json&, Json& claim) { claim["verdict"] = "upheld"; }},
      {"upheld on no probe",
       [](Json&, Json& claim) {
         claim["verdict"] = "upheld";
         claim["violations"] = claim["probes"] = 0;
       }},
      {"undecided without a reason", [](Json&, Json& claim) { claim["verdict"] = "undecided"; }},
      {"no thread", [](Json& report, Json&) { report["machine"]["threads"] = 0; }},
      {"negative time", [](Json& report, Json&) { report["run"]["seconds"] = -0.5; }},
      {"a kernel without name", [](Json& report, Json&) { report["kernels"][0]["kernel"] = ""; }},
      {"a contract without file",
       [](Json& report, Json&) { report["kernels"][0]["contract"]["file"] = ""; }},
      {"a contract on line 0",
       [](Json& report, Json&) { report["kernels"][0]["contract"]["line"] = 0; }},
      {"a hash with prefix",
       [](Json& report, Json&) { report["kernels"][0]["contract"]["revision_hash"] = "0x1"; }},
      {"a variant without name",
       [](Json& report, Json&) { report["kernels"][0]["variants"][0]["name"] = ""; }},
      {"half a digest",
       [](Json& report, Json&) { report["kernels"][0]["variants"][0]["digest"] = "01234567"; }},
      {"a claim id with a blank", [](Json&, Json& claim) { claim["id"] = "max ulp"; }},
      {"a negative line", [](Json&, Json& claim) { claim["source"]["line"] = -1; }},
      {"a negative column", [](Json&, Json& claim) { claim["source"]["column"] = -1; }},
      {"an exclusion without reason",
       [](Json&, Json& claim) { claim["excluded"][0]["reason"] = ""; }},
      {"upheld with no strength",
       [](Json&, Json& claim) {
         claim["verdict"] = "upheld";
         claim["violations"] = 0;
         claim["strength"] = "none";
       }},
      {"an observation without name",
       [](Json&, Json& claim) {
         claim["measured"]["observations"] = {{{"name", ""}, {"value", "1"}}};
       }},
      {"a negative size",
       [](Json&, Json& claim) { claim["counterexample"]["got"]["shape"] = {-1}; }},
      {"a counterexample without token",
       [](Json&, Json& claim) { claim["counterexample"]["token"] = ""; }},
      {"a claim with an empty token", [](Json&, Json& claim) { claim["token"] = ""; }},
      {"a negative lower end",
       [](Json&, Json& claim) { claim["measured"]["histogram"][0]["lower"] = -1; }},
      {"a negative condition",
       [](Json&, Json& claim) { claim["measured"]["argmax_condition"] = -1; }},
      {"a profile without rows",
       [](Json&, Json& claim) { claim["measured"]["profiles"][0]["rows"] = Json::array(); }},
      {"a profile without series",
       [](Json&, Json& claim) { claim["measured"]["profiles"][0]["series"] = Json::array(); }},
      {"a profile called by a title",
       [](Json&, Json& claim) { claim["measured"]["profiles"][0]["id"] = "Worst error"; }},
      {"a row without a name",
       [](Json&, Json& claim) { claim["measured"]["profiles"][0]["rows"][0]["at"] = ""; }},
      {"a row without values",
       [](Json&, Json& claim) {
         claim["measured"]["profiles"][0]["rows"][0]["values"] = Json::array();
       }},
      {"an infinite lower end",
       [](Json&, Json& claim) { claim["measured"]["histogram"][0]["lower"] = nullptr; }},
  };
  const Json valid = Json::parse(json_report(testing::sample_record()));
  REQUIRE(schema_faults(valid.dump()).empty());
  for (const Corruption& corruption : corruptions) {
    INFO(corruption.what);
    Json report = valid;
    Json& claim = report["kernels"][0]["variants"][0]["claims"][0];
    REQUIRE(claim["verdict"] == "refuted");
    corruption.spoil(report, claim);
    REQUIRE(report != valid);
    CHECK(!schema_faults(report.dump()).empty());
  }
}

/// Calls `visit` with the path of every value below `json`, itself included.
void walk(const Json& json, const Json::json_pointer& path,
          const std::function<void(const Json&, const Json::json_pointer&)>& visit) {
  visit(json, path);
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) walk(value, path / key, visit);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) walk(json[i], path / i, visit);
  }
}

TEST_CASE("the schema knows every field: none may be added, left out or of another type") {
  const std::set<std::string> optional = {"first_violation", "max_ulp_distance", "max_ulp_error",
                                          "argmax",          "argmax_condition", "max_relative",
                                          "max_absolute",    "profiles",         "exact",
                                          "counterexample",  "ulp_distance"};
  RunRecord record = testing::sample_record();
  record.kernels.resize(1);
  record.kernels[0].variants[0].claims[0].measured.condition = 12.5;
  const Json valid = Json::parse(json_report(record));
  REQUIRE(schema_faults(valid.dump()).empty());
  int changes = 0;
  const auto refused = [&](const Json& report) {
    ++changes;
    return !schema_faults(report.dump()).empty();
  };
  walk(valid, Json::json_pointer(), [&](const Json& value, const Json::json_pointer& path) {
    INFO(path.to_string());
    const bool in_params = path.to_string().find("/params") != std::string::npos;
    Json report = valid;
    // Any value of another type.
    report[path] = value.is_boolean() || value.is_array() ? Json("text") : Json(true);
    CHECK(refused(report));
    if (!value.is_object() || in_params) return;
    report = valid;
    report[path]["unknown"] = "text";
    CHECK(refused(report));
    for (const auto& [key, ignored] : value.items()) {
      report = valid;
      report[path].erase(key);
      INFO("without " << key);
      CHECK(refused(report) != optional.contains(key));
    }
  });
  CHECK(changes > 500);  // the walk has been everywhere
}

}  // namespace
}  // namespace assay
