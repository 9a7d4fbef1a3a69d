#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "audit/explain/window.h"
#include "audit/judge/tensor_record.h"
#include "contracts/unicode.h"
#include "oracles/cast_exact.h"
#include "reports/text.h"

namespace assay {

namespace {

/// Terms that the text shows; the JSON document has all.
constexpr std::size_t kShownTerms = 32;

std::string line(std::string_view name, const std::string& text) {
  return fmt::format("  {:<10} {}\n", name, text);
}

std::string term_text(const WindowExplanation& explanation, const ExplainedTerm& term) {
  const std::string x = fmt::format("x[{}] {}", term.x, shown(term.x_bits, explanation.dtype));
  if (!explanation.is_sum) return x;
  return fmt::format("{} * weight[{}] {}", x, term.weight,
                     shown(term.weight_bits, explanation.dtype));
}

std::vector<std::string> ids_of(const std::vector<ClaimKind>& kinds) {
  std::vector<std::string> ids;
  for (const ClaimKind kind : kinds) ids.emplace_back(row(kind).id);
  return ids;
}

std::string block_of(const WindowExplanation& explanation, const WindowGiven& given) {
  if (!given.failure.empty()) return line("", "failed: " + one_line(given.failure));
  std::string text =
      line("result",
           shown(given.result, explanation.dtype) +
               (std::isnan(given.error) ? std::string() : "; error " + number_text(given.error)));
  text += line("looks like", given.fits.empty() ? "none of these"
                                                : fmt::format("{}", fmt::join(given.fits, "; ")));
  if (!given.broken.empty()) {
    text += line("breaks", fmt::format("{}", fmt::join(ids_of(given.broken), ", ")));
  }
  return text;
}

nlohmann::ordered_json value_json(Bits bits, Dtype dtype) {
  return {{"bits", hex(bits, dtype)}, {"value", oracle::value_text(bits, dtype)}};
}

}  // namespace

std::string to_text(const WindowExplanation& explanation) {
  const window::Truth& truth = explanation.truth;
  const Dtype dtype = explanation.dtype;
  std::string text = fmt::format("{}: result {}\n", one_line(explanation.kernel), explanation.at);
  text += line("call", one_line(explanation.call));
  const std::size_t terms = explanation.terms.size();
  text += line("terms", fmt::format("{}{}", terms,
                                    explanation.is_sum ? " products, in the declared order"
                                                       : " elements of the window"));
  for (std::size_t i = 0; i < std::min(terms, kShownTerms); ++i) {
    text += line("", term_text(explanation, explanation.terms[i]));
  }
  if (terms > kShownTerms) {
    text += line("", fmt::format("and {} more (--format json has all)", terms - kShownTerms));
  }
  if (explanation.has_bias) text += line("bias", shown(explanation.bias, dtype));
  if (explanation.is_sum) {
    text += line("exact sum", shown(truth.exact, dtype) + ", rounded once");
    text += line("model", shown(truth.model, dtype) + ", each operation rounded" +
                              (explanation.has_bias ? ", the bias last" : ""));
    if (explanation.has_bias) {
      text += line("", shown(truth.model_bias_first, dtype) + ", the bias first");
    }
    if (truth.finite) {
      text +=
          line("bound", truth.bounded ? number_text(truth.bound) + " for the error, in any order"
                                      : "none: a partial sum may overflow");
      text += line("condition", number_text(truth.condition));
    }
  } else {
    text += line("greatest", truth.only_nans ? "none: there are NaNs only"
                                             : shown(truth.exact, dtype) + " among the numbers");
    if (truth.both_zeros) text += line("", "zeros of both signs are the greatest");
  }
  std::vector<std::pair<std::string, std::string>> blocks;  // names, what they give
  for (const WindowGiven& given : explanation.given) {
    std::string block = block_of(explanation, given);
    const auto known =
        std::ranges::find(blocks, block, &std::pair<std::string, std::string>::second);
    if (known != blocks.end()) {
      known->first += ", " + one_line(given.variant);
    } else {
      blocks.emplace_back(one_line(given.variant), std::move(block));
    }
  }
  for (const auto& [names, block] : blocks) text += names + "\n" + block;
  return text;
}

std::string to_json(const WindowExplanation& explanation) {
  const window::Truth& truth = explanation.truth;
  const Dtype dtype = explanation.dtype;
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  nlohmann::ordered_json json = {
      {"schema", "assay-explain/1"}, {"kernel", explanation.kernel},
      {"call", explanation.call},    {"dtype", traits(dtype).name},
      {"at", explanation.at},        {"terms", nlohmann::ordered_json::array()}};
  for (const ExplainedTerm& term : explanation.terms) {
    nlohmann::ordered_json entry = {{"x", term.x}, {"x_value", value_json(term.x_bits, dtype)}};
    if (explanation.is_sum) {
      entry["weight"] = term.weight;
      entry["weight_value"] = value_json(term.weight_bits, dtype);
    }
    json["terms"].push_back(std::move(entry));
  }
  if (explanation.has_bias) json["bias"] = value_json(explanation.bias, dtype);
  json["exact"] = value_json(truth.exact, dtype);
  if (explanation.is_sum) {
    json["model"] = value_json(truth.model, dtype);
    if (explanation.has_bias) json["model_bias_first"] = value_json(truth.model_bias_first, dtype);
    json["bound"] = truth.finite && truth.bounded ? number(truth.bound) : nullptr;
    json["condition"] = number(truth.condition);
  }
  json["variants"] = nlohmann::ordered_json::array();
  for (const WindowGiven& given : explanation.given) {
    nlohmann::ordered_json entry = {{"variant", given.variant}};
    if (given.failure.empty()) {
      entry["result"] = value_json(given.result, dtype);
      entry["error"] = number(given.error);
      entry["looks_like"] = given.fits;
      entry["breaks"] = ids_of(given.broken);
    } else {
      entry["failure"] = given.failure;
    }
    json["variants"].push_back(std::move(entry));
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace assay
