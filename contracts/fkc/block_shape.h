// Which keys stand where in a contract, and in which order: the schema as a shape, without its
// meaning. What rebuilds or rewrites a document goes by it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace assay::fkc {

struct MapShape;

/// A key of a mapping.
struct KeyShape {
  enum class Value : std::uint8_t {
    kToken,    ///< a name, number or boolean, written bare
    kText,     ///< free text or a formula, written in quotes
    kMapping,  ///< of shape `child`
    kList,     ///< of mappings of shape `child`, or of scalars where there is none
  };

  std::string_view key;
  Value value = Value::kToken;
  const MapShape* child = nullptr;
};

struct MapShape {
  std::vector<KeyShape> keys;  ///< in canonical order
  /// The keys are free names, and each value is a mapping of this shape (`op_params.fields`).
  const MapShape* free_names = nullptr;

  /// The key's shape, or nullptr.
  const KeyShape* find(std::string_view key) const {
    for (const KeyShape& candidate : keys) {
      if (candidate.key == key) return &candidate;
    }
    return nullptr;
  }
};

/// The shape of the front matter, and that of an fkc block. Both live as long as the program.
const MapShape& front_matter_shape();
const MapShape& block_shape();

}  // namespace assay::fkc
