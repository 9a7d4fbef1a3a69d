#include "reports/lint_sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "contracts/fkc/kind.h"

namespace assay {

namespace {

using Json = nlohmann::ordered_json;

/// RFC 3986: everything but unreserved characters and the slashes of a path is encoded.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kUnreserved =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string uri = path.substr(0, 1) == "/" ? "file://" : "";
  for (const char c : path) {
    if (kUnreserved.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

Json rules() {
  Json array = Json::array();
  for (const fkc::KindRow& kind : fkc::kKinds) {
    array.push_back({{"id", kind.name}, {"shortDescription", {{"text", kind.meaning}}}});
  }
  return array;
}

Json location(const fkc::Diagnostic& diagnostic) {
  Json physical = {{"artifactLocation", {{"uri", uri_of(diagnostic.file)}}}};
  if (diagnostic.line > 0) {
    physical["region"] = {{"startLine", diagnostic.line}};
    if (diagnostic.character > 0) physical["region"]["startColumn"] = diagnostic.character;
  }
  return {{"physicalLocation", std::move(physical)}};
}

Json result(const fkc::Diagnostic& diagnostic) {
  std::string text = diagnostic.message;
  if (!diagnostic.hint.empty()) text += "\nHint: " + diagnostic.hint;
  Json json = {{"ruleId", diagnostic.kind}};
  const auto* row = std::find_if(
      fkc::kKinds.begin(), fkc::kKinds.end(),
      [&](const fkc::KindRow& candidate) { return candidate.name == diagnostic.kind; });
  if (row != fkc::kKinds.end()) json["ruleIndex"] = row - fkc::kKinds.begin();
  json["level"] = to_string(diagnostic.severity);
  json["message"] = {{"text", std::move(text)}};
  json["locations"] = Json::array({location(diagnostic)});
  return json;
}

}  // namespace

std::string lint_sarif(const std::vector<fkc::Document>& documents, std::string_view version) {
  Json results = Json::array();
  for (const fkc::Document& document : documents) {
    for (const fkc::Diagnostic& diagnostic : document.diagnostics) {
      results.push_back(result(diagnostic));
    }
  }
  const Json driver = {{"name", "assay"}, {"version", version}, {"rules", rules()}};
  const Json json = {{"$schema",
                      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                      "sarif-schema-2.1.0.json"},
                     {"version", "2.1.0"},
                     {"runs", Json::array({{{"tool", {{"driver", driver}}},
                                            {"columnKind", "unicodeCodePoints"},
                                            {"results", std::move(results)}}})}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay
