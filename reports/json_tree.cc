#include "reports/json_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "contracts/unicode.h"
#include "reports/text.h"

namespace assay {

namespace {

using Json = nlohmann::json;

/// Where the parser is. It reads one byte too far behind a number, which may be the line's end.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t of_last_byte = 1;  ///< line of the last byte that is no white space
};

/// Hands out the bytes of a text, and counts lines.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, Position* position) : at_(at), position_(position) {}

  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    if (*at_ == '\n') {
      ++position_->line;
    } else if (*at_ != ' ' && *at_ != '\r' && *at_ != '\t') {
      position_->of_last_byte = position_->line;
    }
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  Position* position_;
};

/// "line 3, column 7: …" of the library's "[json.exception.parse_error.101] parse error at line 3,
/// column 7: …"; the text after the position, which is ours to give.
std::string reason(const std::string& what) {
  const std::size_t colon = what.find(": ");
  if (what.find(" parse error at line ") != std::string::npos && colon != std::string::npos) {
    return what.substr(colon + 2);
  }
  const std::size_t bracket = what.find("] ");
  return bracket == std::string::npos ? what : what.substr(bracket + 2);
}

/// Builds the tree from what the parser reports; the names are the library's.
class Builder {
 public:
  explicit Builder(const Position& position) : position_(position) {}

  bool null() { return put({}); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(std::int64_t value) { return put(value); }
  bool number_unsigned(std::uint64_t value) { return put(value); }
  bool number_float(double value, const std::string&) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }  // no text has any

  bool start_object(std::size_t) { return open(JsonValue::Object{}); }
  bool start_array(std::size_t) { return open(JsonValue::Array{}); }
  bool key(std::string& key) {
    auto& members = std::get<JsonValue::Object>(open_.back()->data);
    members.push_back({std::move(key), position_.of_last_byte, {}});
    return true;
  }
  bool end_object() {
    refuse_repeated_keys(std::get<JsonValue::Object>(open_.back()->data));
    open_.pop_back();
    return true;
  }
  bool end_array() {
    open_.pop_back();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception& error) {
    throw JsonError(position_.of_last_byte,
                    "this is no JSON: " + one_line(reason(error.what())).substr(0, 200));
  }

  JsonValue take() { return std::move(root_); }

 private:
  /// Where the next value goes.
  JsonValue& slot() {
    if (open_.empty()) return root_;
    if (auto* members = std::get_if<JsonValue::Object>(&open_.back()->data)) {
      return members->back().value;
    }
    return std::get<JsonValue::Array>(open_.back()->data).emplace_back();
  }

  bool put(decltype(JsonValue::data) data) {
    if (++values_ > kMaxJsonValues) {
      throw JsonError(position_.of_last_byte,
                      fmt::format("more than {} values", with_thousands(kMaxJsonValues)));
    }
    JsonValue& value = slot();
    value.data = std::move(data);
    value.line = position_.of_last_byte;
    last_ = &value;
    return true;
  }

  /// Pointers to what is open stay valid: its parent gets no further value before it is closed.
  bool open(decltype(JsonValue::data) data) {
    if (open_.size() >= kMaxJsonDepth) {
      throw JsonError(position_.of_last_byte,
                      fmt::format("nested deeper than {} levels", kMaxJsonDepth));
    }
    put(std::move(data));
    open_.push_back(last_);
    return true;
  }

  static void refuse_repeated_keys(const JsonValue::Object& members) {
    std::vector<const JsonMember*> sorted;
    sorted.reserve(members.size());
    for (const JsonMember& member : members) sorted.push_back(&member);
    std::ranges::stable_sort(
        sorted, {}, [](const JsonMember* member) -> const std::string& { return member->key; });
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i]->key != sorted[i - 1]->key) continue;
      throw JsonError(sorted[i]->line,
                      fmt::format("the key \"{}\" is given twice, the first time on line {}",
                                  one_line(sorted[i]->key).substr(0, 100), sorted[i - 1]->line));
    }
  }

  const Position& position_;
  JsonValue root_;
  JsonValue* last_ = nullptr;
  std::vector<JsonValue*> open_;
  std::size_t values_ = 0;
};

}  // namespace

JsonValue read_json(std::string_view text) {
  Position position;
  Builder builder(position);
  Json::sax_parse(CountingIterator(text.data(), &position),
                  CountingIterator(text.data() + text.size(), &position), &builder);
  return builder.take();
}

}  // namespace assay
