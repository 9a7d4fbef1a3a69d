#include "contracts/fkc/shape_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "contracts/fkc/call_text.h"
#include "contracts/fkc/split.h"

namespace assay::fkc {

namespace {

using Arguments = std::vector<std::string_view>;

const Extents* shape_of(const RuleContext& context, std::string_view role) {
  const auto entry = context.call.operands.find(role);
  return entry == context.call.operands.end() ? nullptr : &entry->second;
}

OutputShape without_shape(std::string_view role) {
  return unknown_shape(fmt::format("`{}` has no shape", role));
}

OutputShape same_as(const RuleContext& context, const Arguments& arguments) {
  if (arguments.size() != 1) return unknown_shape("same_as takes one operand");
  const Extents* shape = shape_of(context, arguments[0]);
  return shape == nullptr ? without_shape(arguments[0]) : shape_is(*shape);
}

/// From the last dimension on, extents are equal or 1.
OutputShape broadcast(const RuleContext& context, const Arguments& arguments) {
  Extents result;
  for (const std::string_view role : arguments) {
    const Extents* shape = shape_of(context, role);
    if (shape == nullptr) return without_shape(role);
    if (shape->size() > result.size()) {
      result.insert(result.begin(), shape->size() - result.size(), 1);
    }
    for (std::size_t i = 0; i < shape->size(); ++i) {
      std::int64_t& extent = result[result.size() - shape->size() + i];
      if (extent == 1) {
        extent = (*shape)[i];
      } else if ((*shape)[i] != 1 && (*shape)[i] != extent) {
        return no_shape(fmt::format("`{}` has the shape {}, which does not broadcast with {}", role,
                                    to_string(*shape), to_string(result)));
      }
    }
  }
  return shape_is(std::move(result));
}

OutputShape matmul(const RuleContext& context, const Arguments& arguments) {
  if (arguments.size() != 2) return unknown_shape("matmul takes two operands");
  const Extents* a = shape_of(context, arguments[0]);
  const Extents* b = shape_of(context, arguments[1]);
  if (a == nullptr) return without_shape(arguments[0]);
  if (b == nullptr) return without_shape(arguments[1]);
  const auto both = [&] {
    return fmt::format("`{}` has the shape {}, `{}` has {}", arguments[0], to_string(*a),
                       arguments[1], to_string(*b));
  };
  if (a->size() < 2 || b->size() < 2) return no_shape(both() + ": a matrix has two dimensions");
  if (a->back() != (*b)[b->size() - 2]) return no_shape(both() + ": the inner extents differ");
  const Extents batch_a(a->begin(), a->end() - 2);
  const Extents batch_b(b->begin(), b->end() - 2);
  if (batch_a != batch_b) {
    return unknown_shape(both() + ": the format does not say how unequal batches combine");
  }
  Extents result = batch_a;
  result.push_back((*a)[a->size() - 2]);
  result.push_back(b->back());
  return shape_is(std::move(result));
}

/// An argument that is a parameter's name, or a formula.
Expected<ParamValue, Finding> argument_value(const RuleContext& context, std::string_view text) {
  const auto entry = context.scope.names.find(text);
  if (entry != context.scope.names.end()) return entry->second;
  if (text == "true" || text == "false") return ParamValue(text == "true");
  if (text.size() > 1 && text.front() == '[' && text.back() == ']') {
    Extents list;
    for (const std::string_view item :
         split_outside_brackets(text.substr(1, text.size() - 2), ",")) {
      const auto element = argument_value(context, item);
      if (!element) return element.error();
      const auto* integer = std::get_if<std::int64_t>(&*element);
      if (integer == nullptr) return not_checked(fmt::format("\"{}\" is no integer", item));
      list.push_back(*integer);
    }
    return ParamValue(std::move(list));
  }
  const auto expression = parse_expression(text);
  if (!expression) return not_checked(fmt::format("\"{}\" is no formula", text));
  const auto value = evaluate(*expression, context.scope, Division::kWhole);
  if (!value) return not_checked(value.error().message);
  if (!value->is_integer()) return not_checked(fmt::format("\"{}\" is no integer", text));
  return ParamValue(value->numerator());
}

OutputShape reduce(const RuleContext& context, const Arguments& arguments) {
  if (arguments.size() != 3) return unknown_shape("reduce takes an operand, dims and keepdim");
  const Extents* shape = shape_of(context, arguments[0]);
  if (shape == nullptr) return without_shape(arguments[0]);
  const auto dims = argument_value(context, arguments[1]);
  if (!dims) return {std::nullopt, dims.error()};
  const auto keep = argument_value(context, arguments[2]);
  if (!keep) return {std::nullopt, keep.error()};
  const auto* keeps = std::get_if<bool>(&*keep);
  if (keeps == nullptr) return unknown_shape(fmt::format("`{}` is no boolean", arguments[2]));
  Extents axes;
  if (const auto* list = std::get_if<Extents>(&*dims)) {
    axes = *list;
  } else if (const auto* one = std::get_if<std::int64_t>(&*dims)) {
    axes = {*one};
  } else {
    return unknown_shape(fmt::format("`{}` lists no dimensions", arguments[1]));
  }
  const auto rank = static_cast<std::int64_t>(shape->size());
  std::set<std::size_t> reduced;
  for (const std::int64_t axis : axes) {
    if (axis < -rank || axis >= rank) {
      return no_shape(fmt::format("`{}` has the shape {} and no dimension {}", arguments[0],
                                  to_string(*shape), axis));
    }
    reduced.insert(static_cast<std::size_t>(axis < 0 ? axis + rank : axis));
  }
  Extents result;
  for (std::size_t i = 0; i < shape->size(); ++i) {
    if (reduced.count(i) == 0) {
      result.push_back((*shape)[i]);
    } else if (*keeps) {
      result.push_back(1);
    }
  }
  return shape_is(std::move(result));
}

bool is_label(std::string_view text) {
  const auto expression = parse_expression(text);
  return expression && !expression->lone_name().empty();
}

/// `Hout=(x.dim[2]-k)/s+1` without its label.
std::string_view without_label(std::string_view item) {
  const std::size_t equals = item.find('=');
  if (equals == std::string_view::npos || !is_label(trim(item.substr(0, equals)))) return item;
  return trim(item.substr(equals + 1));
}

/// One operand: its shape. One parameter that is a list: that list. Formulas: a list of extents.
OutputShape from_params(const RuleContext& context, const Arguments& arguments) {
  if (arguments.size() == 1) {
    if (const Extents* shape = shape_of(context, arguments[0])) return shape_is(*shape);
    const auto entry = context.call.params.find(arguments[0]);
    if (entry != context.call.params.end()) {
      if (const auto* list = std::get_if<Extents>(&entry->second)) {
        const bool negative =
            std::any_of(list->begin(), list->end(), [](std::int64_t extent) { return extent < 0; });
        if (!negative) return shape_is(*list);
        return no_shape(fmt::format("`{}` is {}", arguments[0], to_string(*list)));
      }
    }
  }
  Extents shape;
  for (const std::string_view item : arguments) {
    const auto expression = parse_expression(without_label(item));
    if (!expression) return unknown_shape(fmt::format("\"{}\" is no formula", item));
    const auto extent = evaluate_extent(*expression, context.scope);
    if (!extent) return {std::nullopt, extent.error()};
    shape.push_back(*extent);
  }
  return shape_is(std::move(shape));
}

/// A term that denotes a shape with one dimension.
OutputShape dim_term(const RuleContext& context, std::string_view text) {
  const auto expression = parse_expression(text);
  if (!expression) return unknown_shape(fmt::format("\"{}\" is no rule that is known", text));
  const auto extent = evaluate_extent(*expression, context.scope);
  if (!extent) return {std::nullopt, extent.error()};
  return shape_is({*extent});
}

}  // namespace

Expected<std::int64_t, Finding> evaluate_extent(const Expression& expression, const Scope& scope) {
  using Fault = EvaluationFault::Kind;
  const auto value = evaluate(expression, scope, Division::kWhole);
  if (!value) {
    const EvaluationFault& fault = value.error();
    const bool impossible = fault.kind == Fault::kNegative ||
                            fault.kind == Fault::kDivisionByZero || fault.kind == Fault::kIndex;
    std::string why = fmt::format("\"{}\": {}", expression.text(), fault.message);
    return impossible ? violated(std::move(why)) : not_checked(std::move(why));
  }
  if (!value->is_integer() || value->is_negative()) {
    return violated(fmt::format("\"{}\" is {}", expression.text(), to_string(*value)));
  }
  return value->numerator();
}

OutputShape output_shape(const KernelContract& contract, const OutputOperand& output,
                         const CallShapes& call) {
  using Rule = OutputShape (*)(const RuleContext&, const Arguments&);
  constexpr std::array<std::pair<std::string_view, Rule>, 7> kRules = {{
      {"same_as", same_as},
      {"broadcast", broadcast},
      {"matmul", matmul},
      {"reduce", reduce},
      {"from_params", from_params},
      {"conv2d", [](const RuleContext& c, const Arguments&) { return conv2d_shape(c); }},
      {"conv_transpose2d",
       [](const RuleContext& c, const Arguments&) { return conv_transpose2d_shape(c); }},
  }};
  RuleContext context{contract, call, scope_of(contract, call)};
  context.scope.dim_terms = true;
  context.scope.names.emplace("last", std::int64_t{-1});
  for (const OpParamField& field : contract.op_param_fields) {
    context.scope.params.push_back(field.name);
  }
  const std::string& text = output.shape_rule.value;
  for (const auto& [name, rule] : kRules) {
    if (const auto arguments = call_argument(text, name)) {
      return rule(context, split_outside_brackets(*arguments, ","));
    }
  }
  return dim_term(context, text);
}

}  // namespace assay::fkc
