// The written forms of what is wrong with documents.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "contracts/fkc/kind.h"
#include "contracts/testing/catch.h"
#include "reports/lint_json.h"
#include "reports/lint_sarif.h"
#include "reports/testing/schema.h"

namespace assay {
namespace {

using nlohmann::json;
using testing::schema_faults;

const std::string kContracts = ASSAY_SOURCE_DIR "/contracts/";
constexpr const char* kLintSchema = "assay-lint-1.schema.json";
constexpr const char* kSarifSchema = "sarif-2.1.0-subset.schema.json";

/// Every document that is there to be broken, good ones, and one that does not exist.
const std::vector<fkc::Document>& documents() {
  static const std::vector<fkc::Document> all = [] {
    std::set<std::string> paths = {"/no/such file.fkc.md"};
    for (const char* folder : {"broken", "reference"}) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(kContracts + folder)) {
        if (entry.is_regular_file()) paths.insert(entry.path());
      }
    }
    std::vector<fkc::Document> result;
    for (const std::string& path : paths) result.push_back(fkc::read_document(path));
    return result;
  }();
  return all;
}

/// A document with one fault behind a letter of two bytes, under a name that needs quoting.
std::vector<fkc::Document> accented() {
  return {fkc::parse_document(
      "---\nfkc_version: 1\nprovider: { name: \"\xc3\xa9t\xc3\xa9\", backend: Gpu, "
      "kernel_source: s }\n---\n## k\n",
      "a b/50%:\xc3\xa9.fkc.md")};
}

TEST_CASE("lint output fits its schemas for every document there is") {
  REQUIRE(documents().size() > 70);
  for (const std::string& fault : schema_faults(lint_json(documents(), true), kLintSchema)) {
    FAIL_CHECK(fault);
  }
  for (const std::string& fault : schema_faults(lint_sarif(documents(), "1.0"), kSarifSchema)) {
    FAIL_CHECK(fault);
  }
  for (const std::string& fault : schema_faults(lint_sarif({}, "1.0"), kSarifSchema)) {
    FAIL_CHECK(fault);
  }
}

TEST_CASE("the schemas refuse what is wrong") {
  const std::vector<std::pair<std::string, std::string>> edits = {
      {"/version", "\"2.0.0\""},
      {"/runs/0/results/0/level", "\"fatal\""},
      {"/runs/0/results/0/message", "\"text\""},
      {"/runs/0/results/0/locations/0/physicalLocation/region/startLine", "0"},
      {"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", "\"a b\""},
      {"/runs/0/tool/driver/rules/0/name2", "1"}};
  const json sarif = json::parse(lint_sarif(accented(), "1.0"));
  for (const auto& [place, value] : edits) {
    INFO(place);
    json broken = sarif;
    broken[json::json_pointer(place)] = json::parse(value);
    CHECK_FALSE(schema_faults(broken.dump(), kSarifSchema).empty());
  }
  json lint = json::parse(lint_json(accented(), false));
  lint["documents"][0]["diagnostics"][0]["kind"] = "";
  CHECK_FALSE(schema_faults(lint.dump(), kLintSchema).empty());
}

TEST_CASE("JSON has every diagnostic, and kernels with both hashes") {
  const json lint = json::parse(lint_json(documents(), false));
  CHECK(lint["strict"] == false);
  std::size_t errors = 0;
  for (std::size_t i = 0; i < documents().size(); ++i) {
    const json& entry = lint["documents"][i];
    const fkc::Document& document = documents()[i];
    CHECK(entry["file"] == document.file);
    REQUIRE(entry["diagnostics"].size() == document.diagnostics.size());
    for (std::size_t k = 0; k < document.diagnostics.size(); ++k) {
      const fkc::Diagnostic& diagnostic = document.diagnostics[k];
      CHECK(entry["diagnostics"][k]["kind"] == diagnostic.kind);
      CHECK(entry["diagnostics"][k].value("line", 0) == diagnostic.line);
      CHECK(entry["diagnostics"][k].value("hint", "") == diagnostic.hint);
      if (diagnostic.severity == fkc::Severity::kError) ++errors;
    }
    REQUIRE(entry["kernels"].size() == document.kernels.size());
    for (std::size_t k = 0; k < document.kernels.size(); ++k) {
      CHECK(entry["kernels"][k]["revision_hash"]["records"] == document.kernels[k].hashes.records);
      CHECK(entry["kernels"][k]["revision_hash"]["block"] == document.kernels[k].hashes.block);
      CHECK(entry["kernels"][k]["bindings"].size() == document.kernels[k].bindings().size());
    }
  }
  CHECK(lint["summary"]["errors"] == errors);
  CHECK(lint["summary"]["documents"] == documents().size());
}

TEST_CASE("SARIF has every diagnostic under its rule") {
  const json run = json::parse(lint_sarif(documents(), "1.0"))["runs"][0];
  const json& rules = run["tool"]["driver"]["rules"];
  CHECK(rules.size() == fkc::kKinds.size());
  std::size_t count = 0;
  for (const fkc::Document& document : documents()) {
    for (const fkc::Diagnostic& diagnostic : document.diagnostics) {
      const json& result = run["results"][count++];
      CHECK(result["ruleId"] == diagnostic.kind);
      CHECK(rules[result["ruleIndex"].get<std::size_t>()]["id"] == diagnostic.kind);
      CHECK(result["level"] == std::string(to_string(diagnostic.severity)));
    }
  }
  CHECK(run["results"].size() == count);
}

TEST_CASE("columns are bytes in JSON and code points in SARIF, and paths are URIs there") {
  const json diagnostic =
      json::parse(lint_json(accented(), false))["documents"][0]["diagnostics"][0];
  CHECK(diagnostic["kind"] == "UnknownBackend");
  CHECK(diagnostic["line"] == 3);
  CHECK(diagnostic["column"] == 37);
  CHECK(diagnostic["excerpt"]["caret"] == 34);
  const json place = json::parse(
      lint_sarif(accented(), "1.0"))["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
  CHECK(place["region"]["startLine"] == 3);
  CHECK(place["region"]["startColumn"] == 35);
  CHECK(place["artifactLocation"]["uri"] == "a%20b/50%25%3A%C3%A9.fkc.md");
  const auto absolute = {fkc::read_document("/no/such file.fkc.md")};
  const json missing = json::parse(lint_sarif(absolute, "1.0"))["runs"][0]["results"][0];
  CHECK(missing["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] ==
        "file:///no/such%20file.fkc.md");
  CHECK_FALSE(missing["locations"][0]["physicalLocation"].contains("region"));
}

}  // namespace
}  // namespace assay
