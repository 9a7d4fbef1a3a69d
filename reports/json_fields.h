// Values of a JSON tree by their names and types. What is not as it should be is an error that
// names file, line, path, and what is due.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/json_tree.h"

namespace assay {

/// A value and the way to it. `up` must outlive it; the root has none.
struct JsonPlace {
  const JsonValue& value;
  std::string_view file;
  const JsonPlace* up = nullptr;
  std::string_view key = {};  ///< in an object; empty in an array
  std::size_t index = 0;      ///< in an array

  /// "kernels[0].variants[1].name"; empty for the root.
  std::string path() const;

  /// Throws UnreadableReport with the place before `problem`.
  [[noreturn]] void fail(std::string_view problem) const;
};

bool json_is_null(const JsonPlace& place);

/// Each gives the value, or fails.
std::string json_text(const JsonPlace& place);
std::string json_filled_text(const JsonPlace& place);  ///< with one byte at least
bool json_boolean(const JsonPlace& place);
/// A whole number from `least` to `most`.
std::uint64_t json_count(const JsonPlace& place, std::uint64_t least = 0,
                         std::uint64_t most = UINT64_MAX);
int json_int(const JsonPlace& place, int least);
/// A number of 0 or more.
double json_magnitude(const JsonPlace& place);
/// The same; null is nothing.
std::optional<double> json_magnitude_or_null(const JsonPlace& place);
/// The same; null is infinity.
double json_magnitude_or_infinity(const JsonPlace& place);
/// A number of any sign; null is nothing.
std::optional<double> json_number_or_null(const JsonPlace& place);
/// The index of the word among `words`.
std::size_t json_word(const JsonPlace& place, std::initializer_list<std::string_view> words);
const JsonValue::Array& json_array(const JsonPlace& place);
const JsonValue::Object& json_object(const JsonPlace& place);

/// The fields of an object, each asked for by its name.
class JsonFields {
 public:
  /// Fails unless `place`, which must outlive this, is an object.
  explicit JsonFields(const JsonPlace& place);

  /// The field, which has to be there.
  JsonPlace operator[](std::string_view name);
  /// The field, if it is there.
  std::optional<JsonPlace> optional(std::string_view name);
  /// Fails if there is a field that nobody asked for. Call it when all others are read.
  void close() const;

 private:
  const JsonPlace& place_;
  const JsonValue::Object& members_;
  std::vector<bool> asked_;
};

/// `read` of each element.
template <typename Function>
auto json_list(const JsonPlace& place, Function read) {
  const JsonValue::Array& items = json_array(place);
  std::vector<decltype(read(place))> list;
  list.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    list.push_back(read(JsonPlace{items[i], place.file, &place, {}, i}));
  }
  return list;
}

}  // namespace assay
