#include "reports/json.h"

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

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
  const std::string report = json_report(record);
  CHECK(schema_faults(report) == std::vector<std::string>{});
  const Json read = Json::parse(report)["kernels"][0]["variants"][0];
  CHECK(read["probes_per_second"].is_null());
  CHECK(read["claims"][0]["measured"]["max_ulp_error"].is_null());
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

}  // namespace
}  // namespace assay
