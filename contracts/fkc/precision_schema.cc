#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "contracts/fkc/call_text.h"
#include "contracts/fkc/scalar.h"
#include "contracts/fkc/schema.h"

namespace assay::fkc {

namespace {

constexpr std::array<std::string_view, 3> kStrategies = {"requires_contiguous", "handles_strided",
                                                         "contiguize_internally"};

constexpr std::array<std::string_view, 5> kDeclarations = {
    "bit_stable_on_same_hardware", "max_ulp", "max_relative", "max_absolute", "audited"};

std::optional<double> read_bound(MapReader& fields, std::string_view key) {
  const auto text = fields.text(key);
  if (!text) return std::nullopt;
  const bool quoted = fields.value(key)->quoted;
  const auto number = quoted ? std::nullopt : parse_number(text->value);
  if (!number || *number < 0) {
    fields.reporter().error("BadBound", {text->line, text->column},
                            fmt::format("`{}` is \"{}\"", fields.path(key), text->value),
                            "a bound is a finite decimal number of 0 or more, or ~ for no claim");
    return std::nullopt;
  }
  return number;
}

/// The format's `max_ulp` is a 32-bit count of steps.
std::optional<std::uint64_t> read_max_ulp(MapReader& fields) {
  const auto text = fields.text("max_ulp");
  if (!text) return std::nullopt;
  const bool quoted = fields.value("max_ulp")->quoted;
  const auto steps = quoted ? std::nullopt : parse_unsigned(text->value);
  if (!steps || *steps > std::numeric_limits<std::uint32_t>::max()) {
    fields.reporter().error(
        "BadBound", {text->line, text->column},
        fmt::format("`precision.max_ulp` is \"{}\"", text->value),
        "a ULP bound is a whole number from 0 to 4294967295, or ~ for no claim");
    return std::nullopt;
  }
  return steps;
}

/// A contradiction that leaves open what is promised is an error. Where the stronger half can be
/// left out without judging anything by it, the letter alone is broken.
void check_determinism(const Node& root, const KernelContract& contract, Reporter& reporter) {
  const Node* node = root.find("determinism");
  const Precision& precision = contract.precision;
  const bool stable = precision.bit_stable_on_same_hardware;
  const std::string& word = contract.determinism;
  constexpr std::string_view kStable =
      "set `bit_stable_on_same_hardware: true`, or weaken `determinism`";
  if (word == "bitwise" && !stable) {
    reporter.error("DeterminismIncoherent", node->place,
                   "`bitwise` beside a `precision` that is not bit-stable", std::string(kStable));
  } else if (word == "same_hardware_bitwise" && !stable) {
    reporter.deviation("DeterminismIncoherent", node->place,
                       "`same_hardware_bitwise` beside a `precision` that is not bit-stable; "
                       "stability is not judged",
                       std::string(kStable));
  } else if (word == "nondeterministic" && stable) {
    reporter.error("DeterminismIncoherent", node->place,
                   "`nondeterministic` beside a bit-stable `precision`",
                   "it needs `bit_stable_on_same_hardware: false`");
  } else if (word == "nondeterministic" && !precision.audited.value_or(false)) {
    reporter.deviation("DeterminismIncoherent", node->place,
                       "`nondeterministic` beside an unaudited `precision`",
                       "it needs `audited: true`");
  }
}

bool is_strategy(std::string_view word) {
  return std::find(kStrategies.begin(), kStrategies.end(), word) != kStrategies.end();
}

/// What a strategy for awkward layouts needs from an operand's layout.
void check_strategies(const Node& root, const KernelContract& contract, Reporter& reporter) {
  const Node* accept = root.find("accept");
  const Node* inputs = accept == nullptr ? nullptr : accept->find("inputs");
  if (inputs == nullptr || inputs->items.size() != contract.inputs.size()) return;
  for (std::size_t i = 0; i < contract.inputs.size(); ++i) {
    const InputOperand& operand = contract.inputs[i];
    const Node* layout = inputs->items[i].find("layout");
    if (!operand.layout_declared || layout == nullptr) continue;
    const std::string& own = operand.layout.awkward_layout_strategy;
    const std::string& strategy = own.empty() ? contract.caps.awkward_layout_strategy : own;
    if (!is_strategy(strategy)) continue;  // reported where it stands
    const bool fits = strategy == "requires_contiguous"
                          ? operand.layout.contiguous == LayoutFlag::kRequired
                          : operand.layout.strided == LayoutFlag::kAccepted;
    if (fits) continue;
    reporter.error("AwkwardStrategyIncoherent", layout->place,
                   fmt::format("the layout of `{}` does not fit the strategy {}",
                               operand.name.value, strategy),
                   "requires_contiguous needs `contiguous: required`; handles_strided and "
                   "contiguize_internally need `strided: accepted`");
  }
}

void check_aliasing(const KernelContract& contract, Reporter& reporter) {
  for (const OutputOperand& output : contract.outputs) {
    const bool in_place = call_argument(output.aliasing.value, "in_place").has_value();
    const Place place{output.aliasing.line, output.aliasing.column};
    if (in_place && !contract.caps.in_place) {
      reporter.error("AliasingIncoherent", place,
                     fmt::format("\"{}\" beside `caps.in_place: false`", output.aliasing.value),
                     "make the two agree");
    }
    if (output.aliasing.value == "none" && contract.caps.in_place) {
      reporter.error("AliasingIncoherent", place, "`aliasing: none` beside `caps.in_place: true`",
                     "make the two agree");
    }
  }
}

}  // namespace

std::optional<Located<std::string>> read_strategy(MapReader& fields) {
  constexpr std::string_view kKey = "awkward_layout_strategy";
  const auto text = fields.text(kKey);
  if (text && !is_strategy(text->value)) {
    fields.reporter().deviation("AwkwardStrategyIncoherent", place_of(*text),
                                fmt::format("`{}` is \"{}\"", fields.path(kKey), text->value),
                                "write " + join_tokens({kStrategies.begin(), kStrategies.end()}));
  }
  return text;
}

void read_precision(const Node& node, KernelContract& contract, Reporter& reporter) {
  Precision& precision = contract.precision;
  MapReader fields(node, "precision", reporter);
  const auto stable = fields.boolean("bit_stable_on_same_hardware");
  precision.bit_stable_on_same_hardware = stable.value_or(false);
  precision.max_ulp = read_max_ulp(fields);
  precision.max_relative = read_bound(fields, "max_relative");
  precision.max_absolute = read_bound(fields, "max_absolute");
  precision.audited = fields.boolean("audited");
  if (auto text = fields.text("notes")) precision.notes = *text;
  fields.warn_unknown_keys();

  const bool bounded = precision.max_ulp || precision.max_relative || precision.max_absolute;
  // What is there and cannot be read is a fault of its own.
  const bool declares = std::any_of(kDeclarations.begin(), kDeclarations.end(),
                                    [&](auto key) { return fields.value(key) != nullptr; });
  if (!declares) {
    reporter.error("PlaceholderPrecision", node.place, "`precision` declares nothing",
                   "give a bound, `bit_stable_on_same_hardware` or `audited`");
  } else if (!bounded && precision.audited == false) {
    reporter.note("UnauditedPrecision", fields.value("audited")->place,
                  "the author declares no audited bound",
                  "what is declared is judged all the same");
  }
}

void check_coherence(const Node& root, const KernelContract& contract, const ReadParts& readable,
                     Reporter& reporter) {
  // A determinism that could not be read is empty, and contradicts nothing.
  if (readable.precision) check_determinism(root, contract, reporter);
  if (readable.caps && readable.accept) check_strategies(root, contract, reporter);
  if (readable.caps && readable.returns) check_aliasing(contract, reporter);
  if (!readable.accept || !readable.returns) return;
  check_names(root, contract, reporter);
  check_operation(root, contract, reporter);
}

}  // namespace assay::fkc
