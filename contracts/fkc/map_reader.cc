#include "contracts/fkc/map_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "contracts/fkc/scalar.h"

namespace assay::fkc {

Located<std::string> located(const Node& scalar) {
  return {scalar.text, scalar.place.line, scalar.place.column};
}

std::string join_tokens(const std::vector<std::string_view>& tokens) {
  std::string text;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0) text += i + 1 == tokens.size() ? " or " : ", ";
    text += fmt::format("`{}`", tokens[i]);
  }
  return text;
}

std::string MapReader::path(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

const Node* MapReader::value(std::string_view key) {
  known_.push_back(key);
  const Node* node = map_.find(key);
  return node == nullptr || node->is_null() ? nullptr : node;
}

const Node* MapReader::of_kind(std::string_view key, Node::Kind kind, std::string_view what) {
  const Node* node = value(key);
  if (node == nullptr || node->kind == kind) return node;
  reporter_.error("BadScalarType", node->place, fmt::format("`{}` is no {}", path(key), what),
                  kind == Node::Kind::kScalar
                      ? "quote the text if it begins with a bracket or a brace"
                      : fmt::format("write a {}", what));
  return nullptr;
}

const Node* MapReader::mapping(std::string_view key) {
  return of_kind(key, Node::Kind::kMapping, "mapping");
}

const Node* MapReader::sequence(std::string_view key) {
  return of_kind(key, Node::Kind::kSequence, "list");
}

std::vector<std::string> MapReader::texts(std::string_view key) {
  std::vector<std::string> result;
  const Node* list = sequence(key);
  if (list == nullptr) return result;
  for (const Node& item : list->items) {
    if (!item.is_scalar()) {
      reporter_.error("BadScalarType", item.place,
                      fmt::format("`{}` holds something that is no single value", path(key)),
                      "write single values, as [1, 2]");
      return {};
    }
    result.push_back(item.text);
  }
  return result;
}

std::optional<Located<std::string>> MapReader::text(std::string_view key) {
  const Node* node = of_kind(key, Node::Kind::kScalar, "single value");
  if (node == nullptr) return std::nullopt;
  return located(*node);
}

std::optional<bool> MapReader::boolean(std::string_view key) {
  const Node* node = of_kind(key, Node::Kind::kScalar, "boolean");
  if (node == nullptr) return std::nullopt;
  const std::optional<bool> result = node->quoted ? std::nullopt : parse_boolean(node->text);
  if (!result) {
    reporter_.error("BadScalarType", node->place, fmt::format("`{}` is no boolean", path(key)),
                    "write true or false, in lower case and without quotes");
  }
  return result;
}

std::optional<std::uint64_t> MapReader::unsigned_integer(std::string_view key) {
  const Node* node = of_kind(key, Node::Kind::kScalar, "unsigned integer");
  if (node == nullptr) return std::nullopt;
  const std::optional<std::uint64_t> result =
      node->quoted ? std::nullopt : parse_unsigned(node->text);
  if (!result) {
    reporter_.error("BadScalarType", node->place,
                    fmt::format("`{}` is no unsigned integer", path(key)),
                    "write decimal digits, without sign, leading zeros and quotes");
  }
  return result;
}

std::optional<Located<std::string>> MapReader::token(std::string_view key, FaultKind kind,
                                                     const std::vector<std::string_view>& tokens) {
  auto result = text(key);
  if (!result) return std::nullopt;
  if (std::find(tokens.begin(), tokens.end(), result->value) == tokens.end()) {
    reporter_.error(kind, {result->line, result->column},
                    fmt::format("`{}` is \"{}\"", path(key), result->value),
                    "write " + join_tokens(tokens));
    return std::nullopt;
  }
  return result;
}

void MapReader::missing(std::string_view key) {
  reporter_.error("MissingRequiredField", map_.place, fmt::format("`{}` is missing", path(key)),
                  "a contract has to state it");
}

std::optional<Located<std::string>> MapReader::required_text(std::string_view key) {
  const bool absent = value(key) == nullptr;
  if (absent) missing(key);
  std::optional<Located<std::string>> result = text(key);
  if (result && result->value.find_first_not_of(" \t") == std::string::npos) {
    reporter_.error("MissingRequiredField", {result->line, result->column},
                    fmt::format("`{}` is empty", path(key)), "a contract has to state it");
    return std::nullopt;
  }
  return result;
}

const Node* MapReader::required_mapping(std::string_view key) {
  const bool absent = value(key) == nullptr;
  if (absent) missing(key);
  return mapping(key);
}

void MapReader::warn_unknown_keys() {
  for (const Entry& entry : map_.entries) {
    const std::string& key = entry.key.text;
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    reporter_.warning("UnknownKey", entry.key.place,
                      fmt::format("unknown key `{}`: it is ignored", path(key)),
                      "check the spelling");
  }
}

}  // namespace assay::fkc
