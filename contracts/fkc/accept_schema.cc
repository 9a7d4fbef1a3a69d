#include <fmt/format.h>

#include <algorithm>

#include "contracts/fkc/scalar.h"
#include "contracts/fkc/schema.h"
#include "contracts/fkc/shape_constraint.h"
#include "contracts/fkc/tokens.h"

namespace assay::fkc {

namespace {

void read_dtypes(MapReader& fields, InputOperand& operand) {
  Reporter& reporter = fields.reporter();
  const Node* list = fields.sequence("dtypes");
  const auto dtype_class =
      fields.token("dtype_class", "FdxTokenNotInTable", {"float", "int", "uint", "any"});
  if (dtype_class) operand.dtype_class = dtype_class->value;
  if (list != nullptr && !list->items.empty()) {
    for (const Node& item : list->items) {
      const std::string token = item.is_scalar() ? item.text : "";
      if (!check_dtype_token(token, item.place, fields.path("dtypes"), reporter)) continue;
      const auto begin = operand.dtype_tokens.begin();
      if (std::find(begin, operand.dtype_tokens.end(), token) != operand.dtype_tokens.end()) {
        reporter.error("BadScalarType", item.place,
                       fmt::format("`{}` lists {} twice", fields.path("dtypes"), token),
                       "each dtype stands for one kernel");
        continue;
      }
      operand.dtype_tokens.push_back(token);
    }
  } else if (!dtype_class || dtype_class->value == "any") {
    reporter.error("BadScalarType", fields.place(),
                   fmt::format("`{}` lists no dtype", fields.path("dtypes")),
                   "list them, or give a `dtype_class` of float, int or uint");
  } else if (dtype_class->value == "float") {
    operand.dtype_tokens = {"BF16", "F16", "F32", "F64"};
  } else if (dtype_class->value == "int") {
    operand.dtype_tokens = {"I8", "I16", "I32", "I64"};
  } else {
    operand.dtype_tokens = {"U8", "U32"};
  }
  for (const std::string& token : operand.dtype_tokens) {
    const auto dtype = dtype_from_token(token);
    if (!dtype) {
      operand.dtypes.clear();
      break;
    }
    operand.dtypes.push_back(*dtype);
  }
}

void read_broadcast_axes(MapReader& fields, Layout& layout) {
  layout.broadcast_axes = fields.texts("broadcast_axes");
  for (std::size_t i = 0; i < layout.broadcast_axes.size(); ++i) {
    std::string_view digits = layout.broadcast_axes[i];
    if (digits.substr(0, 1) == "-") digits.remove_prefix(1);
    const Node& item = fields.value("broadcast_axes")->items[i];
    if (parse_unsigned(digits) && !item.quoted) continue;
    fields.reporter().error("BadScalarType", item.place,
                            fmt::format("axis \"{}\" is no integer", item.text),
                            "count axes from 0, or from -1 at the end");
  }
}

void read_layout(const Node& node, InputOperand& operand, const std::string& path,
                 Reporter& reporter) {
  const std::size_t errors_before = reporter.errors();
  MapReader fields(node, path, reporter);
  const auto flag = [&](std::string_view key, LayoutFlag& out,
                        const std::vector<std::string_view>& tokens) {
    const auto text = fields.token(key, "BadLayoutFlag", tokens);
    if (!text) return;
    out = text->value == "required"   ? LayoutFlag::kRequired
          : text->value == "accepted" ? LayoutFlag::kAccepted
          : text->value == "rejected" ? LayoutFlag::kRejected
                                      : LayoutFlag::kNotApplicable;
  };
  operand.layout_declared = true;
  Layout& layout = operand.layout;
  flag("contiguous", layout.contiguous, {"required", "accepted", "n/a"});
  flag("strided", layout.strided, {"accepted", "rejected"});
  flag("broadcast_stride0", layout.broadcast_stride0, {"accepted", "rejected", "required"});
  flag("start_offset", layout.start_offset, {"accepted", "rejected"});
  flag("reverse_strides", layout.reverse_strides, {"accepted", "rejected"});
  read_broadcast_axes(fields, layout);
  if (auto text = read_strategy(fields)) layout.awkward_layout_strategy = text->value;
  fields.warn_unknown_keys();

  // A flag that could not be read would contradict the others by its default.
  if (reporter.errors() != errors_before) return;
  const bool needs_axes = layout.broadcast_stride0 == LayoutFlag::kRequired;
  if (needs_axes == layout.broadcast_axes.empty()) {
    reporter.error("LayoutIncoherent", node.place,
                   needs_axes ? "`broadcast_stride0: required` needs `broadcast_axes`"
                              : "`broadcast_axes` needs `broadcast_stride0: required`",
                   "give both or neither");
  }
  if (layout.contiguous == LayoutFlag::kNotApplicable && layout.strided == LayoutFlag::kRejected) {
    reporter.error("LayoutIncoherent", node.place, "this layout accepts nothing",
                   "require or accept `contiguous`, or accept `strided`");
  } else if (layout.strided == LayoutFlag::kRejected &&
             (layout.reverse_strides != LayoutFlag::kRejected ||
              layout.broadcast_stride0 != LayoutFlag::kRejected)) {
    reporter.error("LayoutIncoherent", node.place,
                   "reversed and broadcast layouts are strided ones, and `strided` is rejected",
                   "accept `strided`, or reject the others");
  }
}

InputOperand read_input(const Node& node, const std::string& path, Reporter& reporter) {
  InputOperand operand;
  MapReader fields(node, path, reporter);
  if (auto text = fields.required_text("name")) operand.name = *text;
  read_dtypes(fields, operand);
  operand.optional = fields.boolean("optional").value_or(false);
  if (const Node* layout = fields.mapping("layout")) {
    read_layout(*layout, operand, fields.path("layout"), reporter);
  }
  if (auto text = fields.text("rank")) {
    if (const auto range = parse_rank_range(text->value)) {
      operand.rank = *range;
    } else {
      reporter.error("BadScalarType", {text->line, text->column},
                     fmt::format("`{}` is \"{}\"", fields.path("rank"), text->value),
                     "write any, 4, \"2..=4\" or \"2..\"");
    }
  }
  if (auto text = fields.text("shape_constraint")) operand.shape_constraint = text->value;
  if (auto text = fields.text("device")) operand.device = text->value;
  if (auto text = fields.token("substrate", "UnknownAdmissibilityEnum",
                               {"HostBytes", "CudaUntyped", "VulkanBuffer", "MetalBuffer"})) {
    operand.substrate = text->value;
  }
  if (const Node* fdx = fields.mapping("fdx")) {
    operand.fdx = read_fdx(*fdx, fields.path("fdx"), reporter);
  }
  if (auto text = fields.text("notes")) operand.notes = text->value;
  fields.warn_unknown_keys();
  return operand;
}

void read_op_params(const Node& node, KernelContract& contract, Reporter& reporter) {
  MapReader fields(node, "accept.op_params", reporter);
  if (auto variant = fields.text("variant")) {
    contract.op_params_variant = variant->value;
    // A block that names both targets is reported as ambiguous; either namespace will do here.
    const bool known = (!contract.op_kind.empty() && is_op_kind_params(variant->value)) ||
                       (!contract.fused_op.empty() && is_fused_op_params(variant->value)) ||
                       (contract.op_kind.empty() && contract.fused_op.empty());
    if (contract.registrable && !known) {
      reporter.error(
          "BadOpParamsVariant", {variant->line, variant->column},
          fmt::format("`accept.op_params.variant` is \"{}\" (namespace={})", variant->value,
                      contract.fused_op.empty() ? "OpParams" : "FusedOpParams"),
          "name the parameter record of the operation, for casts: Cast");
    }
  }
  if (const Node* map = fields.mapping("fields")) {
    for (const Entry& entry : map->entries) {
      OpParamField field;
      field.name = entry.key.text;
      const std::string path = "accept.op_params.fields." + field.name;
      if (!entry.value.is_mapping()) {
        reporter.error("BadScalarType", entry.value.place, fmt::format("`{}` is no mapping", path),
                       "write { kind: \"usize\" }");
        continue;
      }
      MapReader keys(entry.value, path, reporter);
      if (auto text = keys.text("kind")) field.kind = text->value;
      if (auto text = keys.text("constraint")) field.constraint = text->value;
      if (auto text = keys.text("note")) field.note = text->value;
      keys.warn_unknown_keys();
      contract.op_param_fields.push_back(std::move(field));
    }
  }
  fields.warn_unknown_keys();
}

/// Operands that list several dtypes vary together, so their lists must agree in order.
void check_fan_out(const Node& inputs, const KernelContract& contract, Reporter& reporter) {
  const InputOperand* first = nullptr;
  for (std::size_t i = 0; i < contract.inputs.size(); ++i) {
    const InputOperand& operand = contract.inputs[i];
    if (operand.dtype_tokens.size() < 2) continue;
    if (first == nullptr) {
      first = &operand;
    } else if (operand.dtype_tokens != first->dtype_tokens) {
      reporter.error(
          "FanoutDtypeMismatch", inputs.items[i].place,
          fmt::format("`{}` and `{}` list different dtypes", first->name.value, operand.name.value),
          "operands with several dtypes list the same ones in the same order");
    }
  }
}

void check_roles(const Node& inputs, const KernelContract& contract, Reporter& reporter) {
  for (std::size_t i = 0; i < contract.inputs.size(); ++i) {
    const InputOperand& operand = contract.inputs[i];
    if (operand.optional && i + 1 < contract.inputs.size()) {
      // The claims about calls with all operands are clear; only the shorter key is not.
      reporter.deviation(
          "OptionalOperandNotLast", inputs.items[i].place,
          fmt::format("optional operand `{}` is not the last one", operand.name.value),
          "move it to the end");
    }
    const auto same_name = [&](const InputOperand& other) {
      return other.name.value == operand.name.value;
    };
    const auto begin = contract.inputs.begin();
    if (std::any_of(begin, begin + static_cast<std::ptrdiff_t>(i), same_name)) {
      reporter.error("DuplicateRole", {operand.name.line, operand.name.column},
                     fmt::format("two inputs are named `{}`", operand.name.value),
                     "give every input a name of its own");
    }
  }
}

}  // namespace

void read_accept(const Node& accept, KernelContract& contract, Reporter& reporter) {
  MapReader fields(accept, "accept", reporter);
  const Node* inputs = fields.sequence("inputs");
  if (contract.registrable && (inputs == nullptr || inputs->items.empty())) {
    fields.missing("inputs");
  }
  if (inputs != nullptr && inputs->items.size() > kMaxOperands) {
    reporter.error("BadScalarType", inputs->place,
                   fmt::format("`accept.inputs` has more than {} items", kMaxOperands),
                   "no kernel has that many");
  } else if (inputs != nullptr) {
    for (std::size_t i = 0; i < inputs->items.size(); ++i) {
      const Node& item = inputs->items[i];
      const std::string path = fmt::format("accept.inputs[{}]", i);
      if (item.is_mapping()) {
        contract.inputs.push_back(read_input(item, path, reporter));
      } else {
        reporter.error("BadScalarType", item.place, fmt::format("`{}` is no mapping", path),
                       "an operand has at least `name` and `dtypes`");
        contract.inputs.emplace_back();
      }
    }
    for (std::size_t i = 0; i < contract.inputs.size(); ++i) {
      if (contract.inputs[i].fdx) check_fdx(*inputs->items[i].find("fdx"), i, contract, reporter);
    }
    check_fan_out(*inputs, contract, reporter);
    check_roles(*inputs, contract, reporter);
  }
  if (const Node* node = fields.mapping("op_params")) read_op_params(*node, contract, reporter);
  fields.warn_unknown_keys();
}

}  // namespace assay::fkc
