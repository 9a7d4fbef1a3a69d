#include "contracts/fkc/call_shapes.h"

#include <fmt/format.h>

#include <utility>

#include "contracts/fkc/condition.h"
#include "contracts/fkc/scalar.h"
#include "contracts/fkc/shape_constraint.h"

namespace assay::fkc {

namespace {

/// Checks the segments of shape constraints; knows the unknowns that several of them share.
class SegmentChecker {
 public:
  SegmentChecker(const KernelContract& contract, const CallShapes& call)
      : contract_(contract), scope_(scope_of(contract, call)), shapes_(call.operands) {
    for (const OutputOperand& output : contract.outputs) {
      const OutputShape result = output_shape(contract, output, call);
      if (!result.shape || shapes_.count(output.name.value) > 0) continue;
      shapes_[output.name.value] = *result.shape;
      scope_.names.emplace(output.name.value + ".dim", *result.shape);
    }
  }

  /// The operand that the next segments are about; `shape` must outlive them.
  void enter(std::string_view role, const Extents& shape) {
    role_ = role;
    shape_ = &shape;
    scope_.names.insert_or_assign("dim", shape);
  }

  /// The name of `dim[i]=name` that nothing else explains: an unknown. Empty for other segments.
  std::string unknown_of(const ShapeSegment& segment) const {
    const auto* dim = std::get_if<DimSegment>(&segment.content);
    if (dim == nullptr || dim->at_least) return {};
    const std::string name(dim->value.lone_name());
    const bool explained = scope_.names.count(name) > 0 || is_role(name) || is_param(name);
    return explained ? std::string() : name;
  }

  /// The first use of an unknown says what it is.
  void learn(const ShapeSegment& segment) {
    const std::string name = unknown_of(segment);
    const auto extent = axis_of(*shape_, std::get<DimSegment>(segment.content).axis);
    if (name.empty() || !extent) return;
    unknowns_.emplace(name, std::pair(std::string(role_), *extent));
  }

  /// All unknowns are known from here on.
  void close_learning() {
    for (const auto& [name, found] : unknowns_) scope_.names.emplace(name, found.second);
  }

  Finding check(const ShapeSegment& segment) const {
    return std::visit([&](const auto& content) { return check_content(content); }, segment.content);
  }

 private:
  bool is_role(std::string_view name) const {
    for (const InputOperand& input : contract_.inputs) {
      if (input.name.value == name) return true;
    }
    for (const OutputOperand& output : contract_.outputs) {
      if (output.name.value == name) return true;
    }
    return false;
  }
  bool is_param(std::string_view name) const {
    for (const OpParamField& field : contract_.op_param_fields) {
      if (field.name == name) return true;
    }
    return false;
  }

  static std::optional<std::int64_t> axis_of(const Extents& shape, std::int64_t axis) {
    const auto rank = static_cast<std::int64_t>(shape.size());
    if (axis < -rank || axis >= rank) return std::nullopt;
    return shape[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)];
  }

  std::string own() const {
    return fmt::format("`{}` has the shape {}", role_, to_string(*shape_));
  }
  Finding no_axis(std::string_view role, const Extents& shape, std::int64_t axis) const {
    return violated(
        fmt::format("`{}` has the shape {} and no dimension {}", role, to_string(shape), axis));
  }

  Finding check_content(const RoleSegment& segment) const {
    const auto entry = shapes_.find(segment.role);
    if (entry == shapes_.end()) {
      return not_checked(fmt::format("`{}` has no shape that is known", segment.role));
    }
    const Extents& other = entry->second;
    const std::string both = fmt::format("{}, `{}` has {}", own(), segment.role, to_string(other));
    switch (segment.kind) {
      case RoleSegment::Kind::kSameAs:
        if (segment.axis) return check_same_extent(segment, other);
        return *shape_ == other ? holds() : violated(both);
      case RoleSegment::Kind::kSameRank:
        return shape_->size() == other.size() ? holds() : violated(both);
      case RoleSegment::Kind::kLastDimEqual:
        if (shape_->empty() || other.empty()) return violated(both);
        return shape_->back() == other.back() ? holds() : violated(both);
      case RoleSegment::Kind::kBroadcastTo:
        break;
    }
    if (shape_->size() > other.size()) return violated(both);
    for (std::size_t i = 0; i < shape_->size(); ++i) {
      const std::int64_t extent = (*shape_)[i];
      if (extent != 1 && extent != other[other.size() - shape_->size() + i]) return violated(both);
    }
    return holds();
  }

  /// `same_as=role.dim[i]` says which extent is meant only where the operand has one.
  Finding check_same_extent(const RoleSegment& segment, const Extents& other) const {
    const auto extent = axis_of(other, *segment.axis);
    if (!extent) return no_axis(segment.role, other, *segment.axis);
    const std::string target =
        fmt::format("`{}.dim[{}]` is {}", segment.role, *segment.axis, *extent);
    bool found = false;
    for (const std::int64_t candidate : *shape_) found = found || candidate == *extent;
    if (!found) return violated(fmt::format("{}, and {}", own(), target));
    if (shape_->size() == 1) return holds();
    return not_checked(fmt::format("{}, and {}: the contract does not say which dimension that is",
                                   own(), target));
  }

  Finding check_content(const RankSegment& segment) const {
    const auto rank = static_cast<std::int64_t>(shape_->size());
    const bool fits =
        rank >= segment.range.lower && (!segment.range.upper || rank <= *segment.range.upper);
    return fits ? holds() : violated(own());
  }

  Finding check_content(const DimSegment& segment) const {
    const auto extent = axis_of(*shape_, segment.axis);
    if (!extent) return no_axis(role_, *shape_, segment.axis);
    const std::string name(segment.value.lone_name());
    Rational wanted;
    // The name of an operand stands for its extent of the same dimension.
    if (!name.empty() && is_role(name) && !is_param(name)) {
      const auto entry = shapes_.find(name);
      if (entry == shapes_.end()) return not_checked(fmt::format("`{}` has no shape", name));
      const auto other = axis_of(entry->second, segment.axis);
      if (!other) return no_axis(name, entry->second, segment.axis);
      wanted = Rational(*other);
    } else {
      const auto value = evaluate(segment.value, scope_, Division::kExact);
      if (!value) return not_checked(value.error().message);
      wanted = *value;
    }
    const bool fits = segment.at_least ? Rational(*extent) >= wanted : Rational(*extent) == wanted;
    if (fits) return holds();
    return violated(fmt::format("`{}.dim[{}]` is {}, and `{}` is {}", role_, segment.axis, *extent,
                                segment.value.text(), to_string(wanted)));
  }

  Finding check_content(const DivisibleSegment& segment) const {
    const auto dividend = evaluate(segment.dividend, scope_, Division::kExact);
    if (!dividend) return not_checked(dividend.error().message);
    const auto divisor = evaluate(segment.divisor, scope_, Division::kExact);
    if (!divisor) return not_checked(divisor.error().message);
    const std::string both =
        fmt::format("`{}` is {}, and `{}` is {}", segment.dividend.text(), to_string(*dividend),
                    segment.divisor.text(), to_string(*divisor));
    // Nothing is a multiple of nothing: tensors without channels fit each other.
    if (divisor->is_zero()) {
      return dividend->is_zero() ? holds() : violated(both + ": only 0 is divisible by 0");
    }
    const auto quotient = divide(*dividend, *divisor);
    if (!quotient) return not_checked(both + ": the quotient is beyond 64 bits");
    return quotient->is_integer() ? holds() : violated(both);
  }

  Finding check_content(const FreeSegment& segment) const {
    if (segment.fault) return not_checked("not in the grammar: " + segment.fault->message);
    return not_checked("free text");
  }

  const KernelContract& contract_;
  Scope scope_;
  std::map<std::string, Extents, std::less<>> shapes_;
  std::string_view role_;
  const Extents* shape_ = nullptr;
  std::map<std::string, std::pair<std::string, std::int64_t>> unknowns_;
};

std::string rank_text(const RankRange& range) {
  if (!range.upper) return range.lower == 0 ? "rank=any" : fmt::format("rank={}..", range.lower);
  if (*range.upper == range.lower) return fmt::format("rank={}", range.lower);
  return fmt::format("rank={}..={}", range.lower, *range.upper);
}

}  // namespace

Scope scope_of(const KernelContract& contract, const CallShapes& call) {
  Scope scope;
  for (const auto& [name, value] : call.params) scope.names.emplace(name, value);
  for (const InputOperand& input : contract.inputs) {
    const auto entry = call.operands.find(input.name.value);
    if (entry == call.operands.end()) continue;
    scope.names.emplace(entry->first, entry->second);
    scope.names.emplace(entry->first + ".dim", entry->second);
  }
  return scope;
}

std::vector<Requirement> check_requirements(const KernelContract& contract,
                                            const CallShapes& call) {
  SegmentChecker checker(contract, call);
  struct Pending {
    const InputOperand* operand;
    const Extents* shape;
    std::vector<ShapeSegment> segments;
  };
  std::vector<Pending> pending;
  std::vector<Requirement> requirements;
  for (const InputOperand& input : contract.inputs) {
    const auto entry = call.operands.find(input.name.value);
    if (entry == call.operands.end()) {
      if (input.optional) continue;
      requirements.push_back({input.name.value, "an operand",
                              violated(fmt::format("`{}` is missing", input.name.value))});
      continue;
    }
    std::vector<ShapeSegment> segments = {{rank_text(input.rank), 0, RankSegment{input.rank}}};
    for (ShapeSegment& segment : parse_shape_constraint(input.shape_constraint)) {
      segments.push_back(std::move(segment));
    }
    checker.enter(input.name.value, entry->second);
    for (const ShapeSegment& segment : segments) {
      if (!checker.unknown_of(segment).empty()) checker.learn(segment);
    }
    pending.push_back({&input, &entry->second, std::move(segments)});
  }
  checker.close_learning();
  for (const Pending& operand : pending) {
    checker.enter(operand.operand->name.value, *operand.shape);
    for (const ShapeSegment& segment : operand.segments) {
      requirements.push_back({operand.operand->name.value, segment.text, checker.check(segment)});
    }
  }
  const Scope scope = scope_of(contract, call);
  for (const OpParamField& field : contract.op_param_fields) {
    if (field.constraint.empty()) continue;
    const auto condition = parse_condition(field.constraint, field.name);
    requirements.push_back({field.name, field.constraint,
                            condition ? check(*condition, scope) : not_checked("free text")});
  }
  return requirements;
}

Expected<double, EvaluationFault> evaluate_cost(const std::string& formula,
                                                const KernelContract& contract,
                                                const CallShapes& call, std::size_t dtype_bytes) {
  // A lone number may have an exponent.
  if (const auto constant = parse_number(formula)) return *constant;
  const auto expression = parse_expression(formula);
  if (!expression) {
    return EvaluationFault{EvaluationFault::Kind::kUnknownName, expression.error().at,
                           "no formula: " + expression.error().message};
  }
  Scope scope = scope_of(contract, call);
  scope.names.emplace("dtype_bytes", static_cast<std::int64_t>(dtype_bytes));
  for (std::size_t i = 0; i < contract.outputs.size(); ++i) {
    const OutputShape output = output_shape(contract, contract.outputs[i], call);
    if (!output.shape) continue;
    scope.names.emplace(contract.outputs[i].name.value + ".dim", *output.shape);
    if (i > 0) continue;
    double elements = 1;
    for (const std::int64_t extent : *output.shape) elements *= static_cast<double>(extent);
    scope.names.emplace("n", elements);
  }
  return evaluate_real(*expression, scope);
}

}  // namespace assay::fkc
