// What formulas and constraints name.
#include <fmt/format.h>

#include <set>

#include "contracts/fkc/expression.h"
#include "contracts/fkc/schema.h"
#include "contracts/fkc/shape_constraint.h"

namespace assay::fkc {

namespace {

using Names = std::set<std::string, std::less<>>;

Names roles_of(const KernelContract& contract) {
  Names roles;
  for (const InputOperand& input : contract.inputs) roles.insert(input.name.value);
  for (const OutputOperand& output : contract.outputs) roles.insert(output.name.value);
  return roles;
}

/// Looks at one `shape_constraint`; the symbols that it defines become known.
class ConstraintCheck {
 public:
  ConstraintCheck(const Names& roles, Names& symbols, Reporter& reporter)
      : roles_(roles), symbols_(symbols), reporter_(reporter) {}

  void run(const Node& node) {
    for (const ShapeSegment& segment : parse_shape_constraint(node.text)) {
      if (const auto* free = std::get_if<FreeSegment>(&segment.content)) {
        check_free(*free, segment.text, node.place);
      } else if (const auto* role = std::get_if<RoleSegment>(&segment.content)) {
        check_role(*role, segment.text, node.place);
      } else if (const auto* dim = std::get_if<DimSegment>(&segment.content)) {
        check_symbol(*dim, segment.text, node.place);
      }
    }
  }

 private:
  void check_free(const FreeSegment& segment, const std::string& text, Place place) {
    if (segment.fault) {
      reporter_.deviation("UnparseableShapeConstraint", place,
                          fmt::format("\"{}\" is no constraint from character {} on: {}", text,
                                      segment.fault->at + 1, segment.fault->message),
                          "it is kept and not checked");
    } else {
      reporter_.warning("UncheckedConstraint", place,
                        fmt::format("\"{}\" is no constraint of the format", text),
                        "it is kept and not checked");
    }
  }

  void check_role(const RoleSegment& segment, const std::string& text, Place place) {
    if (roles_.count(segment.role) > 0) return;
    reporter_.warning("UnknownRole", place,
                      fmt::format("\"{}\" names no operand of this kernel", text),
                      "use the `name` of an input or output");
  }

  void check_symbol(const DimSegment& segment, const std::string& text, Place place) {
    const std::string_view symbol = segment.value.lone_name();
    if (symbol.empty()) return;
    if (roles_.count(symbol) > 0) {
      reporter_.warning(
          "UnknownRole", place, fmt::format("\"{}\" names an operand where an extent is due", text),
          fmt::format("write {}.dim[{}], which is how it is read", symbol, segment.axis));
    } else {
      symbols_.emplace(symbol);
    }
  }

  const Names& roles_;
  Names& symbols_;
  Reporter& reporter_;
};

/// Warns about names of a formula that nothing of the contract defines, once each.
void check_formula(const Node& map, std::string_view path, std::string_view key, const Names& roles,
                   const Names& scope, Reporter& reporter) {
  const Node* node = map.find(key);
  if (node == nullptr || !node->is_scalar()) return;
  const auto formula = parse_expression(node->text);
  if (!formula) return;
  Names unknown;
  for (const std::string_view name : formula->names()) {
    const std::size_t dot = name.rfind('.');
    const bool dim = dot != std::string_view::npos && name.substr(dot) == ".dim";
    const bool known = dim ? roles.count(name.substr(0, dot)) > 0 : scope.count(name) > 0;
    if (known || !unknown.emplace(name).second) continue;
    reporter.deviation(
        "UnknownCostSymbol", node->place,
        fmt::format("`{}.{}` names \"{}\", which the contract does not define", path, key, name),
        "known are n, dtype_bytes, fields of op_params and ROLE.dim[i]");
  }
}

}  // namespace

void check_names(const Node& root, const KernelContract& contract, Reporter& reporter) {
  const Names roles = roles_of(contract);
  Names scope = {"n", "dtype_bytes"};
  for (const OpParamField& field : contract.op_param_fields) scope.insert(field.name);
  const Node* accept = root.find("accept");
  const Node* inputs = accept == nullptr ? nullptr : accept->find("inputs");
  ConstraintCheck constraints(roles, scope, reporter);
  for (std::size_t i = 0; inputs != nullptr && i < inputs->items.size(); ++i) {
    const Node* constraint = inputs->items[i].find("shape_constraint");
    if (constraint != nullptr && constraint->is_scalar()) constraints.run(*constraint);
  }
  const Node* cost = root.find("cost");
  if (cost == nullptr) return;
  for (const std::string_view key : {"flops", "bytes_moved", "overhead_ns"}) {
    check_formula(*cost, "cost", key, roles, scope, reporter);
  }
  const Node* memory = cost->find("memory");
  if (memory == nullptr) return;
  for (const std::string_view key : {"device_bytes", "host_bytes", "disk_bytes"}) {
    check_formula(*memory, "cost.memory", key, roles, scope, reporter);
  }
}

}  // namespace assay::fkc
