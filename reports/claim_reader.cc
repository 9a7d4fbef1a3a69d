#include "reports/claim_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "reports/rates.h"

namespace assay {

namespace {

/// "precision.max_ulp": words of small letters, digits and underscores between dots.
bool is_claim_id(std::string_view text) {
  bool begins = true;
  for (const char c : text) {
    const bool letter = c >= 'a' && c <= 'z';
    const bool within = letter || (c >= '0' && c <= '9') || c == '_';
    if (begins ? !letter : (!within && c != '.')) return false;
    begins = c == '.';
  }
  return !begins;
}

TensorRecord tensor(const JsonPlace& place) {
  JsonFields fields(place);
  TensorRecord record;
  record.name = json_text(fields["name"]);
  record.dtype = json_text(fields["dtype"]);
  record.shape = json_list(fields["shape"], [](const JsonPlace& extent) {
    return static_cast<std::int64_t>(json_count(
        extent, 0, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())));
  });
  record.bits = json_list(fields["bits"], read_bits);
  record.values = json_list(fields["values"], json_text);
  fields.close();
  return record;
}

std::optional<ValueRecord> value_or_null(const JsonPlace& place) {
  if (json_is_null(place)) return std::nullopt;
  JsonFields fields(place);
  ValueRecord record{read_bits(fields["bits"]), json_text(fields["value"])};
  fields.close();
  return record;
}

ExactRecord exact(const JsonPlace& place) {
  JsonFields fields(place);
  ExactRecord record{json_filled_text(fields["value"]), value_or_null(fields["below"]),
                     value_or_null(fields["above"]), json_text(fields["midpoint"])};
  fields.close();
  return record;
}

Counterexample counterexample(const JsonPlace& place) {
  JsonFields fields(place);
  Counterexample record;
  record.inputs = json_list(fields["inputs"], tensor);
  const JsonPlace params = fields["params"];
  for (const JsonMember& param : json_object(params)) {
    const JsonPlace value{param.value, params.file, &params, param.key, 0};
    record.params.push_back({param.key, json_text(value)});
  }
  record.got = tensor(fields["got"]);
  record.expected = tensor(fields["expected"]);
  if (const auto found = fields.optional("exact")) record.exact = exact(*found);
  if (const auto distance = fields.optional("ulp_distance")) {
    record.ulp_distance = json_count(*distance);
  }
  record.why = json_filled_text(fields["why"]);
  record.token = json_filled_text(fields["token"]);
  fields.close();
  return record;
}

Source source(const JsonPlace& place) {
  JsonFields fields(place);
  Source record;
  record.file = json_text(fields["file"]);
  record.line = json_int(fields["line"], 0);
  record.column = json_int(fields["column"], 0);
  record.kind = static_cast<SourceKind>(json_word(
      fields["kind"], {to_string(SourceKind::kStructured), to_string(SourceKind::kAuditEntry),
                       to_string(SourceKind::kProse), to_string(SourceKind::kImplied)}));
  record.text = json_text(fields["text"]);
  fields.close();
  return record;
}

Exclusion exclusion(const JsonPlace& place) {
  JsonFields fields(place);
  Exclusion record{json_filled_text(fields["reason"]), json_count(fields["probes"])};
  fields.close();
  return record;
}

Verdict verdict(const JsonPlace& place) {
  return static_cast<Verdict>(json_word(
      place,
      {to_string(Verdict::kUpheld), to_string(Verdict::kRefuted), to_string(Verdict::kUnclaimed),
       to_string(Verdict::kUndecided), to_string(Verdict::kError)}));
}

Strength strength(const JsonPlace& place) {
  return static_cast<Strength>(
      json_word(place, {to_string(Strength::kNone), to_string(Strength::kSampled),
                        to_string(Strength::kBoundaryComplete), to_string(Strength::kExhaustive)}));
}

/// Verdicts that their own evidence contradicts.
void check_verdict(const JsonPlace& place, const ClaimRecord& record) {
  const std::string name(to_string(record.verdict));
  switch (record.verdict) {
    case Verdict::kUpheld:
      if (record.violations > 0) place.fail("the claim is upheld, and has violations");
      if (record.probes == 0) place.fail("the claim is upheld on no probe");
      if (record.strength == Strength::kNone) place.fail("the claim is upheld with no strength");
      break;
    case Verdict::kRefuted:
      if (record.violations == 0) place.fail("the claim is refuted, and has no violation");
      break;
    case Verdict::kUndecided:
    case Verdict::kError:
      if (record.why.empty()) {
        place.fail(fmt::format("the claim's verdict is {}, and its \"why\" is empty", name));
      }
      break;
    case Verdict::kUnclaimed:
      break;
  }
}

void check_first_violation(const JsonPlace& place, const ClaimRecord& record) {
  if (*record.first_violation == 0) place.fail("probes are counted from 1");
  if (record.violations == 0) place.fail("the claim has no violation, and so no first one");
}

void check_probes(const JsonPlace& planned, const ClaimRecord& record) {
  std::uint64_t sum = record.probes;
  for (const Exclusion& one : record.excluded) {
    if (sum + one.probes < sum) planned.fail("the probes are more than a count can hold");
    sum += one.probes;
  }
  if (sum == record.planned) return;
  planned.fail(
      fmt::format("the report does not add up: {} probes were run or excluded, and {} planned", sum,
                  record.planned));
}

/// An amount whose rate over `seconds` is what `place` has: to the last bit where the report's
/// writer had such an amount, and as near as doubles come where nobody had. A rate that is nothing
/// has 0.
double amount_of(const JsonPlace& place, double seconds) {
  const std::optional<double> rate = json_magnitude_or_null(place);
  if (!rate || *rate == 0) return 0;
  const double near = *rate * 1e9 * seconds;
  if (!std::isfinite(seconds) || seconds <= 0 || !std::isfinite(near) || near <= 0) {
    place.fail("a rate over no time");
  }
  // Operations and bytes are whole numbers as a rule.
  if (giga_per_second(std::round(near), seconds) == rate) return std::round(near);
  // Two divisions and two products are off by a few units in the last place at most.
  double below = near;
  double above = near;
  for (int step = 0; step < 16; ++step) {
    if (giga_per_second(below, seconds) == rate) return below;
    if (giga_per_second(above, seconds) == rate) return above;
    below = std::nextafter(below, 0.0);
    above = std::nextafter(above, std::numeric_limits<double>::infinity());
  }
  return near;
}

}  // namespace

ClaimRecord read_claim_record(const JsonPlace& place) {
  JsonFields fields(place);
  ClaimRecord record;
  const JsonPlace id = fields["id"];
  record.id = json_text(id);
  if (!is_claim_id(record.id)) id.fail("the id of a claim is due, like \"precision.max_ulp\"");
  record.statement = json_text(fields["statement"]);
  record.declared = json_text(fields["declared"]);
  record.source = source(fields["source"]);
  record.verdict = verdict(fields["verdict"]);
  record.strength = strength(fields["strength"]);
  record.probes = json_count(fields["probes"]);
  record.planned = json_count(fields["planned"]);
  record.excluded = json_list(fields["excluded"], exclusion);
  record.violations = json_count(fields["violations"]);
  record.space = json_text(fields["space"]);
  record.why = json_text(fields["why"]);
  record.measured = read_measured(fields["measured"]);
  if (const auto found = fields.optional("first_violation")) {
    record.first_violation = json_count(*found);
    check_first_violation(*found, record);
  }
  if (const auto found = fields.optional("counterexample")) {
    record.counterexample = counterexample(*found);
  }
  if (const auto found = fields.optional("token")) record.token = json_filled_text(*found);
  fields.close();
  check_probes(fields["planned"], record);
  check_verdict(place, record);
  return record;
}

RateRecord read_rate_record(const JsonPlace& place) {
  JsonFields fields(place);
  RateRecord record;
  record.what = json_filled_text(fields["what"]);
  record.seconds = json_magnitude_or_infinity(fields["seconds"]);
  record.flops = amount_of(fields["gflops_per_second"], record.seconds);
  record.bytes = amount_of(fields["gbytes_per_second"], record.seconds);
  record.speedup = json_magnitude_or_null(fields["speedup"]).value_or(0);
  fields.close();
  return record;
}

}  // namespace assay
