#include "reports/lint_json.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace assay {

namespace {

using Json = nlohmann::ordered_json;
using fkc::Severity;

template <typename T, typename Function>
Json list(const std::vector<T>& items, Function to_json) {
  Json array = Json::array();
  for (const T& item : items) array.push_back(to_json(item));
  return array;
}

void add_if_given(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

Json provider(const fkc::Provider& provider) {
  Json json = {{"name", provider.name.value},
               {"backend", provider.backend.value},
               {"kernel_source", provider.kernel_source.value}};
  add_if_given(json, "link_registry", provider.link_registry.value);
  add_if_given(json, "revision_base", provider.revision_base.value);
  return json;
}

/// A dtype that the contract leaves to a parameter is null.
Json dtype(const std::string& token) {
  return token.empty() ? Json(nullptr) : Json(token);
}

Json binding(const fkc::Binding& binding) {
  return {{"entry_point", binding.entry_point},
          {"inputs", list(binding.inputs, dtype)},
          {"outputs", list(binding.outputs, dtype)}};
}

Json kernel(const fkc::KernelContract& contract) {
  Json json = {
      {"kernel", contract.kernel}, {"line", contract.line}, {"registrable", contract.registrable}};
  add_if_given(json, "op_kind", contract.op_kind);
  add_if_given(json, "fused_op", contract.fused_op);
  json["entry_point"] = contract.entry_point.value;
  json["bindings"] = list(contract.bindings(), binding);
  json["revision_hash"] = Json::object();
  add_if_given(json["revision_hash"], "declared", contract.hashes.declared);
  json["revision_hash"]["records"] = contract.hashes.records;
  json["revision_hash"]["block"] = contract.hashes.block;
  return json;
}

Json diagnostic(const fkc::Diagnostic& diagnostic) {
  Json json = {{"severity", to_string(diagnostic.severity)}, {"kind", diagnostic.kind}};
  if (diagnostic.line > 0) {
    json["line"] = diagnostic.line;
    json["column"] = diagnostic.column;
  }
  json["message"] = diagnostic.message;
  add_if_given(json, "hint", diagnostic.hint);
  add_if_given(json, "section", diagnostic.section);
  if (!diagnostic.excerpt.text.empty()) {
    json["excerpt"] = {{"text", diagnostic.excerpt.text}, {"caret", diagnostic.excerpt.caret}};
  }
  return json;
}

Json document(const fkc::Document& document) {
  Json json = {{"file", document.file}};
  if (!document.provider.name.value.empty()) json["provider"] = provider(document.provider);
  json["kernels"] = list(document.kernels, kernel);
  json["diagnostics"] = list(document.diagnostics, diagnostic);
  return json;
}

}  // namespace

std::string lint_json(const std::vector<fkc::Document>& documents, bool strict) {
  std::size_t kernels = 0;
  std::array<std::size_t, 3> counts{};
  for (const fkc::Document& document : documents) {
    kernels += document.kernels.size();
    for (const fkc::Diagnostic& diagnostic : document.diagnostics) {
      ++counts[static_cast<std::size_t>(diagnostic.severity)];
    }
  }
  const auto count = [&](Severity severity) { return counts[static_cast<std::size_t>(severity)]; };
  const Json json = {{"schema", "assay-lint/1"},
                     {"strict", strict},
                     {"summary",
                      {{"documents", documents.size()},
                       {"kernels", kernels},
                       {"errors", count(Severity::kError)},
                       {"warnings", count(Severity::kWarning)},
                       {"notes", count(Severity::kNote)}}},
                     {"documents", list(documents, document)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay
