#include <fmt/format.h>

#include <set>
#include <string_view>

#include "reports/claim_reader.h"

namespace assay {

bool is_lower_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string read_bits(const JsonPlace& place) {
  std::string text = json_text(place);
  const std::size_t digits = text.size() - 2;
  const bool full = digits == 2 || digits == 4 || digits == 8 || digits == 16;
  if (!text.starts_with("0x") || !full || !is_lower_hex(std::string_view(text).substr(2))) {
    place.fail("bits are due: \"0x\" and 2, 4, 8 or 16 lower-case hex digits");
  }
  return text;
}

namespace {

ArgMax argmax(const JsonPlace& place) {
  JsonFields fields(place);
  ArgMax record;
  const JsonPlace input = fields["input"];
  record.input = json_text(input);
  if (!record.input.empty()) record.input = read_bits(input);
  record.input_value = json_text(fields["input_value"]);
  record.got = read_bits(fields["got"]);
  record.got_value = json_text(fields["got_value"]);
  record.exact_value = json_text(fields["exact_value"]);
  fields.close();
  return record;
}

HistogramRow histogram_row(const JsonPlace& place) {
  JsonFields fields(place);
  const HistogramRow row{json_magnitude(fields["lower"]),
                         json_magnitude_or_infinity(fields["upper"]), json_count(fields["count"])};
  fields.close();
  return row;
}

Observation observation(const JsonPlace& place) {
  JsonFields fields(place);
  Observation record{json_filled_text(fields["name"]), json_text(fields["value"])};
  fields.close();
  return record;
}

/// "worst_error": small letters, digits and underscores behind a letter.
bool is_profile_id(std::string_view text) {
  return !text.empty() && text.front() >= 'a' && text.front() <= 'z' &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

ProfileRow profile_row(const JsonPlace& place) {
  JsonFields fields(place);
  ProfileRow row{json_filled_text(fields["at"]), json_number_or_null(fields["first"]),
                 json_number_or_null(fields["last"]),
                 json_list(fields["values"], json_number_or_null)};
  fields.close();
  return row;
}

Profile profile(const JsonPlace& place) {
  JsonFields fields(place);
  Profile record;
  const JsonPlace id = fields["id"];
  record.id = json_text(id);
  if (!is_profile_id(record.id)) id.fail("the id of a profile is due, like \"worst_error\"");
  record.title = json_filled_text(fields["title"]);
  record.axis = json_filled_text(fields["axis"]);
  record.measure = json_filled_text(fields["measure"]);
  record.logarithmic_axis = json_word(fields["axis_scale"], {"linear", "logarithmic"}) == 1;
  const JsonPlace series = fields["series"];
  record.series = json_list(series, json_filled_text);
  if (record.series.empty()) series.fail("one series at least is due");
  const JsonPlace rows = fields["rows"];
  record.rows = json_list(rows, profile_row);
  if (record.rows.empty()) rows.fail("one row at least is due");
  for (const ProfileRow& row : record.rows) {
    if (row.values.size() == record.series.size()) continue;
    rows.fail(fmt::format("the report does not add up: a row has {} values for {} series",
                          row.values.size(), record.series.size()));
  }
  fields.close();
  return record;
}

}  // namespace

Measured read_measured(const JsonPlace& place) {
  JsonFields fields(place);
  Measured record;
  const auto number = [&](std::string_view name) -> std::optional<double> {
    const auto field = fields.optional(name);
    if (!field) return std::nullopt;
    return json_magnitude_or_infinity(*field);
  };
  if (const auto distance = fields.optional("max_ulp_distance")) {
    record.max_ulp_distance = json_count(*distance);
  }
  record.max_ulp_error = number("max_ulp_error");
  if (const auto place_of_max = fields.optional("argmax")) record.argmax = argmax(*place_of_max);
  record.condition = number("argmax_condition");
  record.max_relative = number("max_relative");
  record.max_absolute = number("max_absolute");
  record.histogram = json_list(fields["histogram"], histogram_row);
  if (const auto profiles = fields.optional("profiles")) {
    record.profiles = json_list(*profiles, profile);
    if (record.profiles.empty()) {
      profiles->fail("one profile at least is due, or no field \"profiles\"");
    }
    std::set<std::string_view> ids;
    for (const Profile& one : record.profiles) {
      if (!ids.insert(one.id).second) {
        profiles->fail(fmt::format("two profiles have the id \"{}\"", one.id));
      }
    }
  }
  record.observations = json_list(fields["observations"], observation);
  fields.close();
  return record;
}

}  // namespace assay
