// JSON text as a tree that knows the line of every value, within bounds that hold for any bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace assay {

struct JsonMember;

/// Trees are at most `kMaxJsonDepth` deep, so walking them recursively is safe.
struct JsonValue {
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>;  ///< in the order of the text; no key twice

  /// Integers below 0 are signed, others unsigned; those beyond 64 bits are doubles, as are
  /// numbers with a fraction or an exponent. No double is infinite or a NaN.
  std::variant<std::monostate, bool, std::uint64_t, std::int64_t, double, std::string, Array,
               Object>
      data;
  std::uint32_t line = 0;  ///< from 1: of a scalar; of the bracket that opens anything else
};

struct JsonMember {
  std::string key;
  std::uint32_t line = 0;  ///< of the key
  JsonValue value;
};

inline constexpr std::size_t kMaxJsonDepth = 32;
inline constexpr std::size_t kMaxJsonValues = std::size_t{4} << 20;

/// The text is no JSON, or beyond a bound.
class JsonError : public std::runtime_error {
 public:
  JsonError(std::uint32_t at_line, const std::string& what)
      : std::runtime_error(what), line(at_line) {}

  std::uint32_t line;  ///< from 1
};

/// Reads one JSON value (RFC 8259) that is all of `text`. Throws JsonError for what is no JSON:
/// bytes that are not UTF-8, numbers that no double can hold, and a key that an object has twice
/// included; and for text that nests deeper or has more values than the bounds above.
JsonValue read_json(std::string_view text);

}  // namespace assay
