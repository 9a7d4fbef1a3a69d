// Reports read back: what assay wrote comes back as it was, and everything else is refused with its
// place.
#include "reports/reader.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "contracts/testing/catch.h"
#include "reports/json.h"
#include "reports/testing/contains.h"
#include "reports/testing/conv_record.h"
#include "reports/testing/random_record.h"
#include "reports/testing/sample_record.h"
#include "reports/testing/schema.h"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;
using testing::schema_faults;

/// Why `json` is refused; empty if it is read.
std::string fault_of(const std::string& json) {
  try {
    static_cast<void>(read_report(json, "r.json"));
  } catch (const UnreadableReport& error) {
    return error.what();
  }
  return "";
}

void check_round_trip(const RunRecord& record) {
  const std::string report = json_report(record);
  CHECK(json_report(read_report(report, "r.json")) == report);
}

TEST_CASE("a report that was read is written again byte for byte") {
  check_round_trip(testing::sample_record());
  check_round_trip(testing::hostile_record());
  check_round_trip(testing::conv_record());
  RunRecord empty;
  empty.run.effort = "quick";
  empty.run.started = "2024-02-29T12:34:56Z";
  check_round_trip(empty);
}

TEST_CASE("so is every report of random records, which are reports of the schema") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    const RunRecord record = testing::random_record(seed);
    check_round_trip(record);
    if (seed <= 20) CHECK(schema_faults(json_report(record)) == std::vector<std::string>{});
  }
}

TEST_CASE("rates come back to the last bit, though the report has no operations and bytes") {
  RunRecord record = testing::conv_record();
  VariantRecord& variant = record.kernels[0].variants[0];
  variant.rates.clear();
  // Quotients in all parts of a binade, of whole numbers and of others.
  for (int i = 1; i <= 3000; ++i) {
    const double flops = i % 3 == 0 ? 1e9 / i : 7919.0 * i * i;
    variant.rates.push_back({"a call", 1e-7 * i + 1e-13, flops, 4096.0 * i, 1 + 0.37 * i});
  }
  check_round_trip(record);
}

TEST_CASE("what is not finite comes back as infinity, and the largest counts exactly") {
  RunRecord record = testing::sample_record();
  record.run.seed = std::numeric_limits<std::uint64_t>::max();
  ClaimRecord& claim = record.kernels[0].variants[0].claims[0];
  claim.excluded.clear();
  claim.probes = claim.planned = (std::uint64_t{1} << 53) + 1;
  claim.measured.max_ulp_distance = std::numeric_limits<std::uint64_t>::max();
  const RunRecord read = read_report(json_report(record), "r.json");
  CHECK(read.run.seed == record.run.seed);
  const ClaimRecord& same = read.kernels[0].variants[0].claims[0];
  CHECK(same.probes == claim.probes);
  CHECK(same.measured.max_ulp_distance == claim.measured.max_ulp_distance);
  REQUIRE(same.measured.max_absolute);
  CHECK(*same.measured.max_absolute == std::numeric_limits<double>::infinity());
  CHECK(same.source.kind == claim.source.kind);
  CHECK(same.counterexample->params.size() == claim.counterexample->params.size());
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

TEST_CASE("the reader and the schema agree on every field: type, absence, and none besides") {
  RunRecord record = testing::sample_record();
  record.kernels.resize(1);
  record.kernels[0].variants[0].claims[0].measured.condition = 12.5;
  record.kernels[0].variants[0].claims[0].token = "assay1:sum=01234567";
  record.kernels[0].variants[0].rates = testing::conv_record().kernels[0].variants[0].rates;
  const Json valid = Json::parse(json_report(record));
  REQUIRE(fault_of(valid.dump()).empty());
  int changes = 0;
  const auto check = [&](const Json& report) {
    ++changes;
    const std::string fault = fault_of(report.dump());
    if (fault.find("a rate over no time") != std::string::npos) return;  // does not add up
    CHECK(fault.empty() == schema_faults(report.dump()).empty());
  };
  walk(valid, Json::json_pointer(), [&](const Json& value, const Json::json_pointer& path) {
    INFO(path.to_string());
    Json report = valid;
    report[path] = value.is_boolean() || value.is_array() ? Json("text") : Json(true);
    check(report);
    CHECK(!fault_of(report.dump()).empty());
    report = valid;
    report[path] = nullptr;
    check(report);
    if (!value.is_object()) return;
    if (path.to_string().find("/params") == std::string::npos) {
      report = valid;
      report[path]["unknown"] = "text";
      check(report);
      CHECK_THAT(fault_of(report.dump()), testing::contains("\"unknown\""));
    }
    for (const auto& [key, ignored] : value.items()) {
      report = valid;
      report[path].erase(key);
      INFO("without " << key);
      check(report);
    }
  });
  CHECK(changes > 300);
}

struct Fault {
  const char* what;
  std::function<void(Json& report, Json& claim)> spoil;
  const char* message;  ///< a part of what is said
};

TEST_CASE("what does not add up, or contradicts itself, is refused with its place") {
  const std::vector<Fault> faults = {
      {"a later form", [](Json& report, Json&) { report["schema"] = "assay-report/2"; },
       "schema: the report has the form \"assay-report/2\", and this assay reads "
       "\"assay-report/1\" only"},
      {"another file", [](Json& report, Json&) { report["schema"] = "assay-lint/1"; },
       "\"assay-report/1\" is due, the report.json of an audit; this is \"assay-lint/1\""},
      {"a wrong summary", [](Json& report, Json&) { report["summary"]["claims"]["refuted"] = 0; },
       "summary.claims.refuted: the report does not add up: its kernels have 3"},
      {"a wrong sum of probes", [](Json& report, Json&) { report["summary"]["probes"] = 7; },
       "summary.probes: the report does not add up"},
      {"probes that are neither run nor excluded", [](Json&, Json& claim) { claim["probes"] = 1; },
       "kernels[0].variants[0].claims[0].planned: the report does not add up: 13 probes were run "
       "or excluded, and 191502 planned"},
      {"more exclusions than a count holds",
       [](Json&, Json& claim) {
         claim["excluded"][0]["probes"] = std::numeric_limits<std::uint64_t>::max();
       },
       "planned: the probes are more than a count can hold"},
      {"two verdicts",
       [](Json& report, Json& claim) {
         report["kernels"][0]["variants"][0]["claims"][1]["id"] = claim["id"];
       },
       "kernels[0].variants[0].claims: the claim \"precision.max_ulp\" has two verdicts"},
      {"a variant twice",
       [](Json& report, Json&) { report["kernels"][0]["variants"][1]["name"] = "scalar"; },
       "kernels[0].variants: two variants are named \"scalar\""},
      {"upheld against a violation", [](Json&, Json& claim) { claim["verdict"] = "upheld"; },
       "claims[0]: the claim is upheld, and has violations"},
      {"a first violation that no probe is",
       [](Json&, Json& claim) { claim["first_violation"] = 0; },
       "claims[0].first_violation: probes are counted from 1"},
      {"the first of no violations", [](Json&, Json& claim) { claim["violations"] = 0; },
       "claims[0].first_violation: the claim has no violation, and so no first one"},
      {"refuted by nothing",
       [](Json&, Json& claim) {
         claim["violations"] = 0;
         claim.erase("first_violation");
       },
       "claims[0]: the claim is refuted, and has no violation"},
      {"undecided without a reason", [](Json&, Json& claim) { claim["verdict"] = "undecided"; },
       "claims[0]: the claim's verdict is undecided, and its \"why\" is empty"},
      {"an unknown verdict", [](Json&, Json& claim) { claim["verdict"] = "passed"; },
       "claims[0].verdict: one of \"upheld\", \"refuted\", \"unclaimed\", \"undecided\", "
       "\"error\" is due, not \"passed\""},
      {"a negative count", [](Json&, Json& claim) { claim["probes"] = -1; },
       "probes: a whole number from 0 to 18446744073709551615 is due, not -1"},
      {"a fraction", [](Json&, Json& claim) { claim["probes"] = 1.5; }, "is due, not 1.5"},
      {"a count beyond 64 bits", [](Json&, Json& claim) { claim["probes"] = 1e30; },
       "is due, not 1e+30"},
      {"a line beyond an int", [](Json&, Json& claim) { claim["source"]["line"] = 4294967296; },
       "source.line: a whole number from 0 to 2147483647 is due, not 4294967296"},
      {"upper-case bits",
       [](Json&, Json& claim) { claim["counterexample"]["got"]["bits"][0] = "0x3C01"; },
       "counterexample.got.bits[0]: bits are due"},
      {"a strange claim", [](Json&, Json& claim) { claim["id"] = "max ulp"; },
       "claims[0].id: the id of a claim is due"},
      {"a negative condition",
       [](Json&, Json& claim) { claim["measured"]["argmax_condition"] = -1; },
       "measured.argmax_condition: a number of 0 or more is due, not -1"},
      {"half a digest",
       [](Json& report, Json&) { report["kernels"][0]["variants"][0]["digest"] = "0123"; },
       "variants[0].digest: 16 lower-case hex digits are due"},
      {"a hash with a prefix",
       [](Json& report, Json&) { report["kernels"][0]["contract"]["revision_hash"] = "0x1"; },
       "contract.revision_hash: 1 to 16 lower-case hex digits are due"},
      {"a time without a zone",
       [](Json& report, Json&) { report["run"]["started"] = "2024-02-29T12:34:56"; },
       "run.started: a time like"},
      {"terminal controls in a value",
       [](Json& report, Json&) { report["run"]["effort"] = "\x1b[31mred"; },
       "not \"\\u{1b}[31mred\""},
      {"rates over no time",
       [](Json& report, Json&) {
         report["kernels"][0]["variants"][0]["rates"] = {{{"what", "a call"},
                                                          {"seconds", nullptr},
                                                          {"gflops_per_second", 1},
                                                          {"gbytes_per_second", nullptr},
                                                          {"speedup", 1}}};
       },
       "rates[0].gflops_per_second: a rate over no time"},
  };
  const Json valid = Json::parse(json_report(testing::sample_record()));
  REQUIRE(fault_of(valid.dump()).empty());
  for (const Fault& fault : faults) {
    INFO(fault.what);
    Json report = valid;
    fault.spoil(report, report["kernels"][0]["variants"][0]["claims"][0]);
    const std::string said = fault_of(report.dump());
    CHECK_THAT(said, testing::contains(fault.message));
    CHECK(said.starts_with("r.json:1: "));
    CHECK(said.find_first_of("\n\x1b") == std::string::npos);
  }
}

TEST_CASE("a fault is found on its line") {
  std::string report = json_report(testing::sample_record());
  const auto line_of = [&](std::size_t at) {
    return std::to_string(std::count(report.begin(), report.begin() + static_cast<long>(at), '\n') +
                          1);
  };
  // A number that ends its line, and a text.
  for (const auto& [old, bad] : std::vector<std::pair<std::string, std::string>>{
           {"\"probes\": 12885476375", "\"probes\": 12885476374"},
           {"\"verdict\": \"unclaimed\"", "\"verdict\": \"unclaimed?\""}}) {
    report = json_report(testing::sample_record());
    const std::size_t at = report.find(old);
    REQUIRE(at != std::string::npos);
    report.replace(at, old.size(), bad);
    CHECK(fault_of(report).starts_with("r.json:" + line_of(at) + ": "));
  }
  CHECK(fault_of("{\n \"schema\": \"assay-report/1\",\n \"tool\": 3\n}")
            .starts_with("r.json:3: tool"));
  CHECK(fault_of("{\n\n \"schema\" \"x\"}").starts_with("r.json:3: this is no JSON"));
}

TEST_CASE("what is no JSON, or too much of it, is refused") {
  CHECK_THAT(fault_of(""), testing::contains("r.json:1: this is no JSON"));
  CHECK_THAT(fault_of("{"), testing::contains("this is no JSON"));
  CHECK_THAT(fault_of("[]"), testing::contains("r.json:1: an object is due, not an array"));
  CHECK_THAT(fault_of("{}"), testing::contains("the field \"schema\" is missing"));
  CHECK_THAT(fault_of("{\"schema\": \"assay-report/1\"} x"), testing::contains("no JSON"));
  CHECK_THAT(fault_of("{\"schema\": 1e999}"), testing::contains("no JSON"));
  CHECK_THAT(fault_of("{\"schema\": NaN}"), testing::contains("no JSON"));
  CHECK_THAT(fault_of("{\"schema\": \"\xff\"}"), testing::contains("no JSON"));
  CHECK_THAT(fault_of("{\"schema\": \"\xed\xa0\x80\"}"), testing::contains("no JSON"));
  CHECK_THAT(fault_of("{\"a\": 1,\n\"b\": 2,\n\"a\": 3}"),
             testing::contains("r.json:3: the key \"a\" is given twice, the first time on line 1"));
  CHECK_THAT(fault_of(std::string(100000, '[')), testing::contains("nested deeper than 32 levels"));
  std::string many = "[0";
  for (std::size_t i = 0; i < std::size_t{5} << 20; ++i) many += ",0";
  CHECK_THAT(fault_of(many + "]"), testing::contains("more than 4,194,304 values"));
  const std::string keys = [] {
    std::string text = "{\"k\": 1";
    for (int i = 0; i < 200000; ++i) text += ",\"k" + std::to_string(i) + "\":1";
    return text + "}";
  }();
  CHECK_THAT(fault_of(keys), testing::contains("the field \"schema\" is missing"));
  CHECK_THAT(fault_of(std::string(kMaxReportBytes + 1, ' ')),
             testing::contains("longer than 67,108,864 bytes"));
}

TEST_CASE("any cut of a report and any changed byte is read or refused, and never more") {
  const std::string report = json_report(testing::sample_record());
  for (std::size_t i = 0; i < report.size(); i += 97) {
    CHECK(!fault_of(report.substr(0, i)).empty());
    for (const char byte : {'\0', '"', '}', '9', '\xff'}) {
      std::string changed = report;
      changed[i] = byte;
      static_cast<void>(fault_of(changed));
    }
  }
}

TEST_CASE("a file that is no report is refused with its name") {
  const auto fault = [](const std::filesystem::path& path) -> std::string {
    try {
      static_cast<void>(read_report_file(path));
    } catch (const UnreadableReport& error) {
      return error.what();
    }
    return "";
  };
  CHECK_THAT(fault("/no/such/report.json"),
             testing::contains("/no/such/report.json: cannot be read: No such file"));
  CHECK_THAT(fault("/tmp"), testing::contains("it is a folder; name the report.json in it"));
  CHECK_THAT(fault("/dev/zero"), testing::contains("it is no file"));
  CHECK_THAT(fault("/dev/null"), testing::contains("it is no file"));
}

}  // namespace
}  // namespace assay
