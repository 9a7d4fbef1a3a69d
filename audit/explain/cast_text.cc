#include "audit/explain/cast_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "audit/judge/tensor_record.h"
#include "contracts/unicode.h"
#include "reports/text.h"

namespace assay {

namespace {

std::string line(std::string_view name, const std::string& text) {
  return fmt::format("  {:<10} {}\n", name, text);
}

/// Where the exact value lies between its neighbours.
std::string side_text(const CastExplanation& explanation) {
  const int side = explanation.steps.side;
  if (side == 0) return "the exact value is there: a tie";
  return side < 0 ? "the exact value is below it" : "the exact value is above it";
}

std::string due_text(const CastExplanation& explanation) {
  if (explanation.caller_error) return "nothing: the contract makes such inputs the caller's error";
  if (explanation.nothing_due) return "nothing: the contract does not say what such inputs give";
  if (explanation.any_nan) return "a NaN, any";
  return shown(explanation.due, explanation.operation.to);
}

/// Whether `bits` is what is due.
bool is_due(const CastExplanation& explanation, Bits bits) {
  if (explanation.any_nan) return traits(explanation.operation.to).is_nan(bits);
  return bits == explanation.due;
}

std::string result_text(const CastExplanation& explanation, const CastGiven& given) {
  std::string text = shown(given.alone, explanation.operation.to);
  if (!explanation.nothing_due) {
    text += is_due(explanation, given.alone) ? ", as is due" : ", which is not due";
  }
  if (given.ulp_distance) text += fmt::format("; ULP distance {}", *given.ulp_distance);
  if (given.ulp_error) text += "; ULP error " + number_text(*given.ulp_error);
  return text;
}

std::string lanes_text(const CastExplanation& explanation, const CastGiven& given) {
  if (given.lanes.size() == 1 && given.lanes.front().bits == given.alone) {
    return fmt::format("the same in each of {} equal elements", kLanes);
  }
  std::string text = fmt::format("in a tensor of {} equal elements:", kLanes);
  for (const LaneResult& lane : given.lanes) {
    text += fmt::format("{} {} in {} of them, first in element {}",
                        &lane == &given.lanes.front() ? "" : ";",
                        shown(lane.bits, explanation.operation.to), lane.count, lane.first);
  }
  return text;
}

std::string broken_text(const CastGiven& given) {
  std::string text;
  for (const ClaimKind kind : given.broken) {
    text += (text.empty() ? "" : ", ") + std::string(row(kind).id);
  }
  return text;
}

/// All but the variant's name.
std::string block_of(const CastExplanation& explanation, const CastGiven& given) {
  if (!given.failure.empty()) return line("", "failed: " + one_line(given.failure));
  std::string text = line("result", result_text(explanation, given));
  if (!given.fits.empty()) {
    text += line("looks like", fmt::format("{}", fmt::join(given.fits, "; ")));
  } else if (explanation.steps.is_finite) {
    text += line("looks like", "no rule of rounding that is known here");
  }
  text += line("lanes", lanes_text(explanation, given));
  if (!given.broken.empty()) text += line("breaks", broken_text(given));
  return text;
}

nlohmann::ordered_json value_json(Bits bits, Dtype dtype) {
  return {{"bits", hex(bits, dtype)}, {"value", oracle::value_text(bits, dtype)}};
}

nlohmann::ordered_json given_json(const CastExplanation& explanation, const CastGiven& given) {
  const Dtype to = explanation.operation.to;
  nlohmann::ordered_json json = {{"variant", given.variant}};
  if (!given.failure.empty()) {
    json["failure"] = given.failure;
    return json;
  }
  json["result"] = value_json(given.alone, to);
  if (!explanation.nothing_due) json["due"] = is_due(explanation, given.alone);
  json["looks_like"] = given.fits;
  if (given.ulp_distance) json["ulp_distance"] = *given.ulp_distance;
  if (given.ulp_error) json["ulp_error"] = *given.ulp_error;
  for (const LaneResult& lane : given.lanes) {
    nlohmann::ordered_json entry = value_json(lane.bits, to);
    entry["elements"] = lane.count;
    entry["first"] = lane.first;
    json["lanes"].push_back(std::move(entry));
  }
  json["breaks"] = nlohmann::ordered_json::array();
  for (const ClaimKind kind : given.broken) json["breaks"].push_back(row(kind).id);
  return json;
}

}  // namespace

std::string to_text(const CastExplanation& explanation) {
  // Not by structured bindings, which lambdas cannot capture.
  const Dtype from = explanation.operation.from;
  const Dtype to = explanation.operation.to;
  const oracle::CastSteps& steps = explanation.steps;
  std::string text =
      fmt::format("{}: {} to {}, {}\n", one_line(explanation.kernel), traits(from).name,
                  traits(to).name, to_string(explanation.operation.rounding));
  text += line("input", shown(explanation.input, from));
  if (steps.is_finite) {
    const std::string place = steps.representable
                                  ? fmt::format(", a value of {}", traits(to).name)
                                  : fmt::format(", no value of {}", traits(to).name);
    text += line("exact", steps.exact + place);
    if (!steps.representable) {
      const auto neighbour = [&](const std::optional<Bits>& bits) {
        return bits ? shown(*bits, to) : fmt::format("nothing: {} ends here", traits(to).name);
      };
      text += line("below", neighbour(steps.below));
      text += line("above", neighbour(steps.above));
      if (!steps.midpoint.empty()) {
        text += line("midpoint", fmt::format("{}; {}", steps.midpoint, side_text(explanation)));
      }
    }
  }
  text += line("due", due_text(explanation));
  std::vector<std::pair<std::string, std::string>> blocks;  // names, what they give
  for (const CastGiven& given : explanation.given) {
    std::string block = block_of(explanation, given);
    const std::string name = one_line(given.variant);
    const auto known =
        std::ranges::find(blocks, block, &std::pair<std::string, std::string>::second);
    if (known != blocks.end()) {
      known->first += ", " + name;
    } else {
      blocks.emplace_back(name, std::move(block));
    }
  }
  for (const auto& [names, block] : blocks) text += names + "\n" + block;
  return text;
}

std::string to_json(const CastExplanation& explanation) {
  const auto& [from, to, rounding] = explanation.operation;
  const oracle::CastSteps& steps = explanation.steps;
  nlohmann::ordered_json json = {
      {"schema", "assay-explain/1"},     {"kernel", explanation.kernel},
      {"from", traits(from).name},       {"to", traits(to).name},
      {"rounding", to_string(rounding)}, {"input", value_json(explanation.input, from)}};
  if (steps.is_finite) {
    json["exact"] = {{"value", steps.exact}, {"representable", steps.representable}};
    if (steps.below) json["exact"]["below"] = value_json(*steps.below, to);
    if (steps.above) json["exact"]["above"] = value_json(*steps.above, to);
    if (!steps.midpoint.empty()) {
      json["exact"]["midpoint"] = steps.midpoint;
      json["exact"]["side"] = steps.side < 0 ? "below" : steps.side > 0 ? "above" : "tie";
    }
    for (const oracle::RoundedResult& rounded : steps.rounded) {
      nlohmann::ordered_json rule = value_json(rounded.bits, to);
      rule["rule"] = rounded.rule;
      json["rules"].push_back(std::move(rule));
    }
  }
  if (explanation.nothing_due) {
    json["due"] = nullptr;
  } else {
    json["due"] = value_json(explanation.due, to);
    if (explanation.any_nan) json["due"]["value"] = "any NaN";
  }
  if (explanation.caller_error) json["caller_error"] = true;
  json["variants"] = nlohmann::ordered_json::array();
  for (const CastGiven& given : explanation.given) {
    json["variants"].push_back(given_json(explanation, given));
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace assay
