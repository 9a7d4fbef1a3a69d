#include "reports/sarif_parts.h"

#include <fmt/format.h>

#include <utility>

namespace assay::sarif {

namespace {

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

}  // namespace

Json message(std::string_view text) {
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    escaped += c;
    if (c == '{' || c == '}') escaped += c;
    if (c == ']' && text.substr(i + 1, 1) == "(") escaped += ' ';
  }
  return {{"text", std::move(escaped)}};
}

Json rule(std::string_view id, std::string_view meaning, std::string_view help) {
  return {{"id", id},
          {"shortDescription", message(meaning)},
          {"fullDescription", message(meaning)},
          {"help", message(help)}};
}

Json physical_location(std::string_view file, int line, int character) {
  Json physical = {{"artifactLocation", {{"uri", uri_of(file)}}}};
  if (line > 0) {
    physical["region"] = {{"startLine", line}};
    if (character > 0) physical["region"]["startColumn"] = character;
  }
  return physical;
}

std::string log_text(std::string_view version, Json rules, Json run) {
  Json whole;
  Json& driver = whole["tool"]["driver"];
  driver["name"] = "assay";
  if (!version.empty()) driver["version"] = version;
  driver["rules"] = std::move(rules);
  whole["columnKind"] = "unicodeCodePoints";
  whole.update(run);
  const Json log = {{"$schema",
                     "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                     "sarif-schema-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({std::move(whole)})}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::sarif
