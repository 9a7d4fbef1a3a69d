#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "contracts/fkc/call_text.h"
#include "contracts/fkc/schema.h"

namespace assay::fkc {

namespace {

constexpr std::size_t kMaxSlotRank = 6;

const InputOperand* find_input(const KernelContract& contract, std::string_view role) {
  for (const InputOperand& input : contract.inputs) {
    if (input.name.value == role) return &input;
  }
  return nullptr;
}

void check_role(const KernelContract& contract, const Located<std::string>& rule,
                const std::string& role, Reporter& reporter) {
  if (find_input(contract, role) != nullptr) return;
  reporter.warning("UnknownRole", {rule.line, rule.column},
                   fmt::format("\"{}\" names no input of this kernel", rule.value),
                   "use the `name` of an input");
}

void check_dtype_rule(const KernelContract& contract, OutputOperand& output, Reporter& reporter) {
  const Located<std::string>& rule = output.dtype_rule;
  const Place place{rule.line, rule.column};
  if (const auto token = call_argument(rule.value, "fixed")) {
    output.fixed_dtype = dtype_from_token(*token);
    check_dtype_token(*token, place, "dtype_rule", reporter);
  } else if (const auto role = call_argument(rule.value, "passthrough")) {
    check_role(contract, rule, *role, reporter);
    const InputOperand* input = find_input(contract, *role);
    if (input != nullptr && input->optional) {
      reporter.error("PassthroughNamesOptionalOperand", place,
                     fmt::format("\"{}\" names an optional input", rule.value),
                     "take the dtype from an input that is always there");
    }
  } else if (!call_argument(rule.value, "cast") && !call_argument(rule.value, "dequant") &&
             rule.value != "bundle") {
    reporter.warning("UnknownRule", place, fmt::format("dtype rule \"{}\"", rule.value),
                     "write passthrough(role) or fixed(DTYPE)");
  }
}

void check_shape_rule(const KernelContract& contract, OutputOperand& output, Reporter& reporter) {
  constexpr std::array<std::string_view, 12> kOtherRules = {
      "broadcast", "matmul",      "conv2d", "conv_transpose2d",
      "reduce",    "from_params", "extent", "const",
      "param",     "add",         "sub",    "mul"};
  const Located<std::string>& rule = output.shape_rule;
  if (const auto role = call_argument(rule.value, "same_as")) {
    output.same_as = *role;
    check_role(contract, rule, *role, reporter);
    return;
  }
  const bool known =
      call_argument(rule.value, "div") ||
      std::any_of(kOtherRules.begin(), kOtherRules.end(), [&](std::string_view name) {
        return call_argument(rule.value, name).has_value();
      });
  if (!known) {
    reporter.warning("UnknownRule", {rule.line, rule.column},
                     fmt::format("shape rule \"{}\"", rule.value),
                     "write same_as(role), broadcast(...), reduce(...) or from_params(...)");
  }
}

void check_guarantees(const OutputOperand& output, bool bundle, Reporter& reporter) {
  const auto complain = [&](const Located<std::string>& text, std::string_view field,
                            std::string_view hint) {
    reporter.error("UnknownRule", {text.line, text.column},
                   fmt::format("`{}` is \"{}\"", field, text.value), std::string(hint));
  };
  const std::string& layout = output.layout_guarantee.value;
  if (!layout.empty() && layout != "contiguous" && layout != "preallocated" && layout != "bundle" &&
      !call_argument(layout, "same_as")) {
    complain(output.layout_guarantee, "layout_guarantee",
             "write contiguous, preallocated, same_as(role) or bundle");
  }
  const std::string& aliasing = output.aliasing.value;
  if (aliasing.empty() && bundle) return;
  if (!aliasing.empty() && aliasing != "none" && !call_argument(aliasing, "in_place") &&
      !call_argument(aliasing, "accumulate")) {
    complain(output.aliasing, "aliasing", "write none, in_place(role) or accumulate(role)");
  }
}

OutputOperand read_output(const Node& node, const std::string& path, bool bundle,
                          const KernelContract& contract, Reporter& reporter) {
  OutputOperand output;
  MapReader fields(node, path, reporter);
  if (auto text = fields.required_text("name")) output.name = *text;
  if (auto text = fields.required_text("dtype_rule")) {
    output.dtype_rule = *text;
    check_dtype_rule(contract, output, reporter);
  }
  if (bundle) {
    output.shape = fields.texts("shape");
    if (output.shape.size() > kMaxSlotRank) {
      reporter.error("BundleSlotRankExceeded", fields.value("shape")->place,
                     fmt::format("`{}` has rank {}", path, output.shape.size()),
                     fmt::format("a slot has at most {} dimensions", kMaxSlotRank));
    }
  }
  const auto shape_rule = bundle ? fields.text("shape_rule") : fields.required_text("shape_rule");
  if (shape_rule) {
    output.shape_rule = *shape_rule;
    check_shape_rule(contract, output, reporter);
  }
  if (auto text = fields.text("layout_guarantee")) output.layout_guarantee = *text;
  if (auto text = fields.text("aliasing")) output.aliasing = *text;
  check_guarantees(output, bundle, reporter);
  if (const Node* fdx = fields.mapping("fdx")) {
    output.fdx = read_fdx(*fdx, fields.path("fdx"), reporter);
  }
  fields.warn_unknown_keys();
  return output;
}

void check_output_names(const KernelContract& contract, Reporter& reporter) {
  std::set<std::string> names;
  for (const OutputOperand& output : contract.outputs) {
    if (output.name.value.empty() || names.insert(output.name.value).second) continue;
    reporter.error("DuplicateRole", place_of(output.name),
                   fmt::format("two outputs are named `{}`", output.name.value),
                   "give every output a name of its own");
  }
}

/// Guarantees may name outputs too: a kernel that works in place names its result.
void check_guaranteed_roles(const KernelContract& contract, Reporter& reporter) {
  const auto is_output = [&](const std::string& role) {
    return std::any_of(contract.outputs.begin(), contract.outputs.end(),
                       [&](const OutputOperand& output) { return output.name.value == role; });
  };
  const auto check = [&](const Located<std::string>& text, std::string_view name) {
    const auto role = call_argument(text.value, name);
    if (!role || is_output(*role)) return;
    check_role(contract, text, *role, reporter);
  };
  for (const OutputOperand& output : contract.outputs) {
    check(output.layout_guarantee, "same_as");
    check(output.aliasing, "in_place");
    check(output.aliasing, "accumulate");
  }
}

}  // namespace

void read_return(const Node& node, KernelContract& contract, Reporter& reporter) {
  MapReader fields(node, "return", reporter);
  const Node* outputs = fields.sequence("outputs");
  const Node* bundle = fields.sequence("bundle");
  fields.warn_unknown_keys();
  if (outputs != nullptr && bundle != nullptr) {
    reporter.error("ReturnAmbiguous", bundle->place, "both `outputs` and `bundle` are given",
                   "a kernel returns separate outputs or slots of one buffer");
  }
  contract.bundle = outputs == nullptr && bundle != nullptr;
  const Node* list = contract.bundle ? bundle : outputs;
  if (list == nullptr || list->items.empty()) {
    fields.missing("outputs");
    return;
  }
  if (list->items.size() > kMaxOperands) {
    reporter.error("BadScalarType", list->place,
                   fmt::format("`return` has more than {} items", kMaxOperands),
                   "no kernel has that many");
    return;
  }
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const Node& item = list->items[i];
    const std::string path =
        fmt::format("return.{}[{}]", contract.bundle ? "bundle" : "outputs", i);
    if (item.is_mapping()) {
      contract.outputs.push_back(read_output(item, path, contract.bundle, contract, reporter));
    } else {
      reporter.error("BadScalarType", item.place, fmt::format("`{}` is no mapping", path),
                     "an output has `name`, `dtype_rule` and `shape_rule`");
    }
  }
  check_output_names(contract, reporter);
  check_guaranteed_roles(contract, reporter);
}

}  // namespace assay::fkc
