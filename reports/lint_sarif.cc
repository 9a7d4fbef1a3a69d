#include "reports/lint_sarif.h"

#include <algorithm>
#include <utility>

#include "contracts/fkc/kind.h"
#include "reports/sarif_parts.h"

namespace assay {

namespace {

using sarif::Json;

Json rules() {
  Json array = Json::array();
  for (const fkc::KindRow& kind : fkc::kKinds) {
    array.push_back(sarif::rule(kind.name, kind.meaning,
                                "`assay lint` shows the place and a hint; contracts/README.md "
                                "says what a contract may hold."));
  }
  return array;
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
  json["message"] = sarif::message(text);
  Json location;
  location["physicalLocation"] =
      sarif::physical_location(diagnostic.file, diagnostic.line, diagnostic.character);
  json["locations"] = Json::array({std::move(location)});
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
  return sarif::log_text(version, rules(), {{"results", std::move(results)}});
}

}  // namespace assay
