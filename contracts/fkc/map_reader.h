// Reads the fields of one mapping by type, and knows which keys nobody asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/fkc/document.h"
#include "contracts/fkc/node.h"
#include "contracts/fkc/reporter.h"

namespace assay::fkc {

/// The value of a field that is absent or null is nothing. A value of another type than asked for
/// is reported as BadScalarType and is nothing too.
class MapReader {
 public:
  /// `path` is the mapping's place in the block ("accept.inputs[0]"), empty for the root. `map` and
  /// `reporter` must outlive the reader.
  MapReader(const Node& map, std::string path, Reporter& reporter)
      : map_(map), path_(std::move(path)), reporter_(reporter) {}

  /// The field's value of whatever type, or nullptr. As all readers below it makes the key known.
  const Node* value(std::string_view key);
  /// The field's mapping or list, or nullptr.
  const Node* mapping(std::string_view key);
  const Node* sequence(std::string_view key);
  /// A list of scalars, as text; empty if absent or faulty.
  std::vector<std::string> texts(std::string_view key);

  /// Any scalar, as text.
  std::optional<Located<std::string>> text(std::string_view key);
  /// `true` or `false` without quotes.
  std::optional<bool> boolean(std::string_view key);
  /// Plain decimal digits, as `parse_unsigned` reads them.
  std::optional<std::uint64_t> unsigned_integer(std::string_view key);
  /// A scalar that is one of `tokens`; otherwise an error of this kind that lists them.
  std::optional<Located<std::string>> token(std::string_view key, FaultKind kind,
                                            const std::vector<std::string_view>& tokens);

  /// `text`, and MissingRequiredField where there is none.
  std::optional<Located<std::string>> required_text(std::string_view key);
  /// `mapping`, and MissingRequiredField where there is none.
  const Node* required_mapping(std::string_view key);

  /// Reports MissingRequiredField at the mapping.
  void missing(std::string_view key);
  /// The key's path from the root: "accept.inputs[0].rank".
  std::string path(std::string_view key) const;
  /// Where the mapping stands.
  Place place() const { return map_.place; }
  Reporter& reporter() { return reporter_; }

  /// Keys that are read elsewhere or not at all, on purpose.
  void ignore(std::string_view key) { known_.push_back(key); }
  /// Warns about every key that was neither asked for nor ignored.
  void warn_unknown_keys();

 private:
  const Node* of_kind(std::string_view key, Node::Kind kind, std::string_view what);

  const Node& map_;
  std::string path_;
  Reporter& reporter_;
  std::vector<std::string_view> known_;
};

/// A scalar's text with its place, and that place.
Located<std::string> located(const Node& scalar);
inline Place place_of(const Located<std::string>& text) {
  return {text.line, text.column};
}

/// "`a`, `b` or `c`", for hints; at least one token.
std::string join_tokens(const std::vector<std::string_view>& tokens);

}  // namespace assay::fkc
