#include "reports/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "contracts/unicode.h"
#include "reports/reader.h"

namespace assay {

namespace {

/// Strangers' words in a message: enough to recognise them.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;  // code points
  std::size_t end = 0;
  for (std::size_t i = 0; i < kMost && end < text.size(); ++i) {
    end += std::max<std::size_t>(1, first_code_point(text.substr(end)).length);
  }
  return fmt::format("\"{}{}\"", one_line(text.substr(0, end)), end < text.size() ? "..." : "");
}

/// A value in words, for "… is due, not …".
std::string shown(const JsonValue& value) {
  struct Words {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool truth) const { return truth ? "true" : "false"; }
    std::string operator()(std::uint64_t number) const { return fmt::format("{}", number); }
    std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(const std::string& text) const { return shown(text); }
    std::string operator()(const JsonValue::Array&) const { return "an array"; }
    std::string operator()(const JsonValue::Object&) const { return "an object"; }
  };
  return std::visit(Words{}, value.data);
}

[[noreturn]] void fail_due(const JsonPlace& place, std::string_view due) {
  place.fail(fmt::format("{} is due, not {}", due, shown(place.value)));
}

}  // namespace

std::string JsonPlace::path() const {
  if (up == nullptr) return "";
  const std::string above = up->path();
  if (key.data() == nullptr) return fmt::format("{}[{}]", above, index);
  return fmt::format("{}{}{}", above, above.empty() ? "" : ".", one_line(key));
}

void JsonPlace::fail(std::string_view problem) const {
  const std::string way = path();
  throw UnreadableReport(fmt::format("{}:{}: {}{}{}", one_line(file), value.line, way,
                                     way.empty() ? "" : ": ", problem));
}

bool json_is_null(const JsonPlace& place) {
  return std::holds_alternative<std::monostate>(place.value.data);
}

std::string json_text(const JsonPlace& place) {
  const auto* text = std::get_if<std::string>(&place.value.data);
  if (text == nullptr) fail_due(place, "a text");
  return *text;
}

std::string json_filled_text(const JsonPlace& place) {
  std::string text = json_text(place);
  if (text.empty()) fail_due(place, "a text that is not empty");
  return text;
}

bool json_boolean(const JsonPlace& place) {
  const bool* truth = std::get_if<bool>(&place.value.data);
  if (truth == nullptr) fail_due(place, "true or false");
  return *truth;
}

std::uint64_t json_count(const JsonPlace& place, std::uint64_t least, std::uint64_t most) {
  const auto* count = std::get_if<std::uint64_t>(&place.value.data);
  if (count == nullptr || *count < least || *count > most) {
    fail_due(place, fmt::format("a whole number from {} to {}", least, most));
  }
  return *count;
}

int json_int(const JsonPlace& place, int least) {
  return static_cast<int>(json_count(place, static_cast<std::uint64_t>(least),
                                     std::uint64_t{std::numeric_limits<int>::max()}));
}

std::optional<double> json_number_or_null(const JsonPlace& place) {
  struct Number {
    const JsonPlace& place;
    std::optional<double> operator()(std::monostate) const { return std::nullopt; }
    std::optional<double> operator()(double number) const { return number; }
    std::optional<double> operator()(std::uint64_t number) const {
      return static_cast<double>(number);
    }
    std::optional<double> operator()(std::int64_t number) const {
      return static_cast<double>(number);
    }
    std::optional<double> operator()(bool) const { fail_due(place, "a number or null"); }
    std::optional<double> operator()(const std::string&) const {
      fail_due(place, "a number or null");
    }
    std::optional<double> operator()(const JsonValue::Array&) const {
      fail_due(place, "a number or null");
    }
    std::optional<double> operator()(const JsonValue::Object&) const {
      fail_due(place, "a number or null");
    }
  };
  return std::visit(Number{place}, place.value.data);
}

std::optional<double> json_magnitude_or_null(const JsonPlace& place) {
  const std::optional<double> number = json_number_or_null(place);
  if (number && *number < 0) fail_due(place, "a number of 0 or more");
  return number;
}

double json_magnitude(const JsonPlace& place) {
  const std::optional<double> number = json_magnitude_or_null(place);
  if (!number) fail_due(place, "a number of 0 or more");
  return *number;
}

double json_magnitude_or_infinity(const JsonPlace& place) {
  return json_magnitude_or_null(place).value_or(std::numeric_limits<double>::infinity());
}

std::size_t json_word(const JsonPlace& place, std::initializer_list<std::string_view> words) {
  if (const auto* text = std::get_if<std::string>(&place.value.data)) {
    const auto* found = std::ranges::find(words, std::string_view(*text));
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  }
  std::string known;
  for (const std::string_view word : words) known += fmt::format("\"{}\", ", word);
  known.resize(known.size() - 2);
  fail_due(place, words.size() == 1 ? known : "one of " + known);
}

const JsonValue::Array& json_array(const JsonPlace& place) {
  const auto* items = std::get_if<JsonValue::Array>(&place.value.data);
  if (items == nullptr) fail_due(place, "an array");
  return *items;
}

const JsonValue::Object& json_object(const JsonPlace& place) {
  const auto* members = std::get_if<JsonValue::Object>(&place.value.data);
  if (members == nullptr) fail_due(place, "an object");
  return *members;
}

JsonFields::JsonFields(const JsonPlace& place)
    : place_(place), members_(json_object(place)), asked_(members_.size(), false) {}

JsonPlace JsonFields::operator[](std::string_view name) {
  const auto field = optional(name);
  if (!field) place_.fail(fmt::format("the field \"{}\" is missing", name));
  return *field;
}

std::optional<JsonPlace> JsonFields::optional(std::string_view name) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].key != name) continue;
    asked_[i] = true;
    return JsonPlace{members_[i].value, place_.file, &place_, members_[i].key, 0};
  }
  return std::nullopt;
}

void JsonFields::close() const {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (asked_[i]) continue;
    place_.fail(fmt::format("the field {} is not one of assay-report/1", shown(members_[i].key)));
  }
}

}  // namespace assay
