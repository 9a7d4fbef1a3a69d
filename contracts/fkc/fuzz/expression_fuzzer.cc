// Any text is a formula, a condition and a constraint, or none: none may crash or hang the readers,
// and what a formula comes to is what a second evaluation by other code says.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "contracts/fkc/condition.h"
#include "contracts/fkc/evaluate.h"
#include "contracts/fkc/expression.h"
#include "contracts/fkc/fuzz/expression_parts.h"
#include "contracts/fkc/fuzz/reference_value.h"
#include "contracts/fkc/rational.h"
#include "contracts/fkc/shape_constraint.h"
#include "contracts/fuzz/demand.h"

namespace {

using namespace assay::fkc;
using namespace assay::fkc::fuzz;
using assay::fuzz::demand;
using assay::fuzz::demand_equal;
using Op = Expression::Op;

/// Longer texts show nothing more, and take longer.
constexpr std::size_t kMostBytes = 1000;

std::string text_of(const Expected<Rational, EvaluationFault>& value) {
  if (!value) return "fault " + std::to_string(static_cast<int>(value.error().kind));
  return std::to_string(value->numerator()) + "/" + std::to_string(value->denominator());
}

/// The formula with a bracket around every operation.
std::string printed(const Expression& expression) {
  std::vector<std::string> stack;
  const auto pop = [&] {
    std::string top = std::move(stack.back());
    stack.pop_back();
    return top;
  };
  for (const Expression::Instruction& instruction : expression.program()) {
    const std::string token(expression.token(instruction));
    if (instruction.op == Op::kNumber || instruction.op == Op::kName) {
      stack.push_back(token);
    } else if (instruction.op == Op::kNegate) {
      stack.push_back("(-" + pop() + ")");
    } else if (instruction.op == Op::kIndex) {
      const std::string position = pop();
      stack.push_back("(" + pop() + ")[" + position + "]");
    } else if (instruction.op == Op::kCall) {
      std::string arguments;
      for (std::size_t i = 0; i < instruction.arguments; ++i) {
        arguments = pop() + (i == 0 ? "" : ",") + arguments;
      }
      stack.push_back(token + "(" + arguments + ")");
    } else {
      const std::string right = pop();
      stack.push_back("(" + pop() + token + right + ")");
    }
  }
  demand(stack.size() == 1, "a program that leaves one value");
  return stack.front();
}

/// The instructions without their places.
std::string skeleton(const Expression& expression) {
  std::string text;
  for (const Expression::Instruction& instruction : expression.program()) {
    text += std::to_string(static_cast<int>(instruction.op)) + " " +
            (instruction.op == Op::kIndex ? "" : std::string(expression.token(instruction))) + " " +
            std::to_string(instruction.arguments) + "\n";
  }
  return text;
}

void check_values(const Expression& expression, const Scope& scope) {
  for (const Division division : {Division::kExact, Division::kWhole}) {
    const Outcome due = reference_value(expression.text(), scope, division);
    const auto value = evaluate(expression, scope, division);
    demand_equal(text_of(value), due.text(), "the value of a formula");
    if (!value) demand(value.error().at <= expression.text().size(), "a fault within the formula");
    const auto real = evaluate_real(expression, scope);
    if (real) demand(std::isfinite(*real), "a finite value");
    if (division == Division::kExact && due.small_integers) {
      demand(real && *real == static_cast<double>(due.numerator), "integers, exact in doubles");
    }
  }
}

void check_formula(std::string_view text, const Scope& scope) {
  const auto parsed = parse_expression(text);
  if (!parsed) {
    demand(parsed.error().at <= text.size(), "a fault within the text");
    demand(!parsed.error().message.empty(), "a fault with a message");
    return;
  }
  demand(parsed->text() == text, "the text as it was parsed");
  check_values(*parsed, scope);
  Scope plain = scope;
  plain.dim_terms = false;
  check_values(*parsed, plain);
  const std::string canonical = printed(*parsed);
  const auto again = parse_expression(canonical);
  if (!again) {
    // Only for the brackets that were added.
    demand(again.error().message.find("nested") != std::string::npos, "a print that parses");
    return;
  }
  demand_equal(skeleton(*again), skeleton(*parsed), "the program of the printed formula");
}

/// What the parts of a condition come to, by the second evaluation.
class PartJudge {
 public:
  explicit PartJudge(const Scope& scope) : scope_(scope) {}

  Standing operator()(const MustBeNone& part) const {
    const auto entry = scope_.names.find(part.name);
    if (entry == scope_.names.end()) return Standing::kNotChecked;
    return std::holds_alternative<std::monostate>(entry->second) ? Standing::kHolds
                                                                 : Standing::kViolated;
  }
  Standing operator()(const Membership& part) const {
    const Outcome term = value(part.term);
    if (term.fault) return Standing::kNotChecked;
    for (const Expression& item : part.set) {
      const Outcome element = value(item);
      if (element.fault) return Standing::kNotChecked;
      if (element.text() == term.text()) return Standing::kHolds;
    }
    return Standing::kViolated;
  }
  Standing operator()(const Chain& part) const {
    demand(part.terms.size() == part.relations.size() + 1, "a relation between all terms");
    std::vector<Outcome> values;
    for (const Expression& term : part.terms) {
      values.push_back(value(term));
      if (values.back().fault) return Standing::kNotChecked;
    }
    for (std::size_t i = 0; i < part.relations.size(); ++i) {
      if (!related(values[i], part.relations[i], values[i + 1])) return Standing::kViolated;
    }
    return Standing::kHolds;
  }

 private:
  Outcome value(const Expression& expression) const {
    return reference_value(expression.text(), scope_, Division::kExact);
  }
  static bool related(const Outcome& a, Relation relation, const Outcome& b) {
    __extension__ using Wide = __int128;
    const Wide left = Wide{a.numerator} * b.denominator;
    const Wide right = Wide{b.numerator} * a.denominator;
    switch (relation) {
      case Relation::kEqual:
        return left == right;
      case Relation::kNotEqual:
        return left != right;
      case Relation::kLess:
        return left < right;
      case Relation::kLessOrEqual:
        return left <= right;
      case Relation::kGreater:
        return left > right;
      case Relation::kGreaterOrEqual:
        break;
    }
    return left >= right;
  }

  const Scope& scope_;
};

void check_condition(std::string_view text, std::string_view subject, const Scope& scope) {
  const auto condition = parse_condition(text, subject);
  if (!condition) return;
  // A violation wins over what cannot be told, and that over what holds.
  Standing due = Standing::kHolds;
  for (const auto& part : condition->parts) {
    const Standing mine = std::visit(PartJudge(scope), part);
    if (mine == Standing::kViolated || due == Standing::kHolds) due = mine;
    if (due == Standing::kViolated) break;
  }
  const Finding finding = check(*condition, scope);
  demand_equal(std::string(to_string(finding.standing)), std::string(to_string(due)),
               "what becomes of a condition");
  demand(finding.why.empty() == (finding.standing == Standing::kHolds),
         "a reason where one is due");
}

void check_constraint(std::string_view text) {
  for (const ShapeSegment& segment : parse_shape_constraint(text)) {
    demand(segment.at + segment.text.size() <= text.size() &&
               text.substr(segment.at, segment.text.size()) == segment.text,
           "a segment where it says");
    // Alone it is the same segment.
    const auto again = parse_shape_constraint(segment.text);
    demand(again.size() == 1 && again.front().text == segment.text &&
               again.front().content.index() == segment.content.index(),
           "a segment that is one by itself");
  }
  const auto range = parse_rank_range(text);
  if (range) demand(!range->upper || range->lower <= *range->upper, "a range of ranks");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > kMostBytes) return 0;
  const ExpressionParts parts = expression_parts({reinterpret_cast<const char*>(data), size});
  check_formula(parts.formula, parts.scope);
  check_condition(parts.condition, parts.subject, parts.scope);
  check_constraint(parts.constraint);
  return 0;
}
