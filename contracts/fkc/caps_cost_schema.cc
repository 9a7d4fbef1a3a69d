#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "contracts/fkc/call_text.h"
#include "contracts/fkc/condition.h"
#include "contracts/fkc/expression.h"
#include "contracts/fkc/scalar.h"
#include "contracts/fkc/schema.h"

namespace assay::fkc {

namespace {

// The largest page size in use; a buffer cannot promise more.
constexpr std::uint64_t kMaxAlignment = std::uint64_t{1} << 30;

void check_class(const Located<std::string>& text, const std::string& path, Reporter& reporter) {
  constexpr std::array<std::string_view, 8> kClasses = {
      "free",          "cheap_elementwise", "strided_elementwise", "reduction",
      "normalization", "gemm_like",         "attention",           "conv"};
  if (std::find(kClasses.begin(), kClasses.end(), text.value) != kClasses.end()) return;
  reporter.warning("UnknownCostClass", place_of(text),
                   fmt::format("`{}` is \"{}\"", path, text.value), "it is treated as gemm_like");
}

/// Conditions of the format's own words; every other one is a relation between formulas.
bool is_fast_path(std::string_view when) {
  constexpr std::array<std::string_view, 6> kWords = {"all_inputs_contiguous", "always",
                                                      "any_input_broadcast",   "any_input_reversed",
                                                      "any_input_strided",     "depthwise"};
  if (std::find(kWords.begin(), kWords.end(), when) != kWords.end()) return true;
  if (call_argument(when, "inner_contiguous")) return true;
  return parse_condition(when, "").has_value();
}

FastPath read_fast_path(const Node& node, const std::string& path, Reporter& reporter) {
  FastPath fast_path;
  MapReader fields(node, path, reporter);
  if (auto text = fields.text("when")) {
    fast_path.when = text->value;
    if (!is_fast_path(trim(text->value))) {
      reporter.warning("UnknownFastPath", place_of(*text),
                       fmt::format("`{}` is \"{}\"", fields.path("when"), text->value),
                       "it is advice, and ignored");
    }
  }
  if (auto text = fields.text("class")) {
    fast_path.cost_class = text->value;
    check_class(*text, fields.path("class"), reporter);
  }
  if (auto text = fields.text("note")) fast_path.note = text->value;
  if (auto text = fields.text("effect")) fast_path.effect = text->value;
  fields.warn_unknown_keys();
  return fast_path;
}

/// A formula or a number as text, checked; empty if absent.
std::string read_formula(MapReader& fields, std::string_view key) {
  const auto text = fields.text(key);
  if (!text) return {};
  Reporter& reporter = fields.reporter();
  const Place place{text->line, text->column};
  if (text->value == "judge_measured" || text->value == "declared") {
    reporter.error("CostExprParse", place, fmt::format("`{}` holds a provenance", fields.path(key)),
                   "write a formula, or ~ for none");
  } else if (parse_number(text->value)) {
    // A number, perhaps with an exponent, which formulas do not have.
  } else if (text->value.size() > 1 && text->value[0] == '0' && text->value[1] >= '0' &&
             text->value[1] <= '9') {
    reporter.error("CostExprParse", place,
                   fmt::format("`{}`: \"{}\" begins with a zero", fields.path(key), text->value),
                   "some YAML readers take such numbers for octal: leave the zero out");
  } else if (const auto formula = parse_expression(text->value); !formula) {
    reporter.error("CostExprParse", place,
                   fmt::format("`{}`: \"{}\" is no formula from character {} on", fields.path(key),
                               text->value, formula.error().at + 1),
                   "formulas are sums and products of numbers, names and calls: n * (4 + 8)");
  }
  return text->value;
}

void check_provenance(MapReader& fields, const Cost& cost) {
  Reporter& reporter = fields.reporter();
  for (const std::string_view key : {"flops", "bytes_moved", "overhead_ns"}) {
    const Node* node = fields.value(key);
    const auto constant = node == nullptr ? std::nullopt : parse_number(node->text);
    // Nothing is nothing, whoever says it.
    if (cost.provenance != "judge_measured" || !constant || *constant == 0) continue;
    reporter.error("CostProvenanceMismatch", node->place,
                   fmt::format("`{}` is an authored constant, and the provenance says measured",
                               fields.path(key)),
                   "write ~ or a formula, or declare the provenance `declared`");
  }
  if (cost.provenance == "declared" && cost.cost_class != "free" && cost.flops.empty() &&
      cost.bytes_moved.empty() && cost.cost_fn.empty()) {
    reporter.error("PlaceholderCost", fields.place(), "a declared cost that declares nothing",
                   "give `flops`, `bytes_moved` or `cost_fn`");
  }
}

}  // namespace

void read_caps(const Node& node, KernelContract& contract, Reporter& reporter) {
  Caps& caps = contract.caps;
  MapReader fields(node, "caps", reporter);
  if (auto text = read_strategy(fields)) caps.awkward_layout_strategy = text->value;
  if (const Node* list = fields.sequence("fast_paths")) {
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const std::string path = fmt::format("caps.fast_paths[{}]", i);
      if (list->items[i].is_mapping()) {
        caps.fast_paths.push_back(read_fast_path(list->items[i], path, reporter));
      } else {
        reporter.error("BadScalarType", list->items[i].place,
                       fmt::format("`{}` is no mapping", path), "write { when: \"...\" }");
      }
    }
  }
  caps.in_place = fields.boolean("in_place").value_or(false);
  caps.alignment_bytes = fields.unsigned_integer("alignment_bytes");
  caps.access_granularity_bits = fields.unsigned_integer("access_granularity_bits");
  if (caps.alignment_bytes) {
    const std::uint64_t alignment = *caps.alignment_bytes;
    if (alignment == 0 || alignment > kMaxAlignment || (alignment & (alignment - 1)) != 0) {
      reporter.error("BadScalarType", fields.value("alignment_bytes")->place,
                     fmt::format("`caps.alignment_bytes` is {}", alignment),
                     "write a power of two of at most 2^30");
    } else {
      contract.alignment_bytes = alignment;
    }
  }
  if (auto text = fields.text("notes")) caps.notes = text->value;
  fields.warn_unknown_keys();
}

void read_cost(const Node& node, KernelContract& contract, Reporter& reporter) {
  Cost& cost = contract.cost;
  MapReader fields(node, "cost", reporter);
  if (fields.value("provenance") == nullptr) {
    reporter.error("CostProvenanceMissing", node.place, "`cost.provenance` is missing",
                   "write `declared` or `judge_measured`");
  }
  if (auto text = fields.token("provenance", "BadScalarType", {"declared", "judge_measured"})) {
    cost.provenance = text->value;
  }
  if (auto text = fields.text("class")) {
    cost.cost_class = text->value;
    check_class(*text, "cost.class", reporter);
  }
  cost.flops = read_formula(fields, "flops");
  cost.bytes_moved = read_formula(fields, "bytes_moved");
  cost.overhead_ns = read_formula(fields, "overhead_ns");
  if (const Node* memory = fields.mapping("memory")) {
    MapReader tiers(*memory, "cost.memory", reporter);
    cost.device_bytes = read_formula(tiers, "device_bytes");
    cost.host_bytes = read_formula(tiers, "host_bytes");
    cost.disk_bytes = read_formula(tiers, "disk_bytes");
    tiers.warn_unknown_keys();
  }
  if (auto text = fields.text("cost_fn")) cost.cost_fn = text->value;
  check_provenance(fields, cost);
  fields.warn_unknown_keys();
}

}  // namespace assay::fkc
