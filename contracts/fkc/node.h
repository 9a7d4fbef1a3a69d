// A parsed YAML value with its place in the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/fkc/reporter.h"

namespace assay::fkc {

struct Entry;

/// Trees are at most `kMaxNesting` deep, so walking them recursively is safe.
struct Node {
  enum class Kind : std::uint8_t { kNull, kScalar, kSequence, kMapping };

  Kind kind = Kind::kNull;
  std::string text;         ///< the scalar's value; for null "~" if it was written, "" if left out
  bool quoted = false;      ///< a quoted or block scalar; tokens, numbers and booleans are plain
  bool flow = false;        ///< a sequence or mapping in brackets
  Place place;              ///< a null that was left out has the place of its key
  std::vector<Node> items;  ///< of a sequence
  std::vector<Entry> entries;  ///< of a mapping, in the order of the file

  bool is_null() const { return kind == Kind::kNull; }
  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_sequence() const { return kind == Kind::kSequence; }
  bool is_mapping() const { return kind == Kind::kMapping; }

  /// The first value of `key`, nulls included, or nullptr.
  const Node* find(std::string_view key) const;
};

struct Entry {
  Node key;
  Node value;
};

/// Mappings, lists and brackets of formulas are nested at most this deep.
inline constexpr std::size_t kMaxNesting = 32;

inline const Node* Node::find(std::string_view key) const {
  for (const Entry& entry : entries) {
    if (entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

}  // namespace assay::fkc
