#include "contracts/fkc/evaluate.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "contracts/fkc/scalar.h"

namespace assay::fkc {

namespace {

using Fault = EvaluationFault::Kind;
using Op = Expression::Op;

/// A fault whose place the caller knows.
struct Trouble {
  Fault kind;
  std::string message;
};

/// Exact fractions.
class Exact {
 public:
  using Number = Rational;
  explicit Exact(Division division) : division_(division) {}

  static Expected<Number, Trouble> literal(std::string_view text) {
    return checked(Rational::from_decimal(text), text);
  }
  static Expected<Number, Trouble> from_double(double value, std::string_view name) {
    return checked(Rational::from_double(value), name);
  }
  static Number from_integer(std::int64_t value) { return Rational(value); }
  static std::optional<std::int64_t> integer(const Number& value) {
    if (!value.is_integer()) return std::nullopt;
    return value.numerator();
  }
  Expected<Number, Trouble> apply(Op op, const Number& a, const Number& b) const {
    if (op == Op::kAdd) return checked(add(a, b), a, '+', b);
    if (op == Op::kSubtract) return checked(subtract(a, b), a, '-', b);
    if (op == Op::kMultiply) return checked(multiply(a, b), a, '*', b);
    if (b.is_zero()) return Trouble{Fault::kDivisionByZero, "division by zero"};
    if (op == Op::kRemainder) {
      if (a.is_integer() && b.is_integer()) return remainder(a, b);
      return Trouble{Fault::kFraction,
                     fmt::format("a remainder of {} by {}", to_string(a), to_string(b))};
    }
    if (division_ == Division::kExact) return checked(divide(a, b), a, '/', b);
    if (a.is_negative() || b.is_negative()) {
      return Trouble{Fault::kNegative,
                     fmt::format("{} is divided by {}", to_string(a), to_string(b))};
    }
    return checked(divide_down(a, b), a, '/', b);
  }

 private:
  static Expected<Number, Trouble> checked(std::optional<Rational> value, std::string_view what) {
    if (value) return *value;
    return Trouble{Fault::kOverflow, fmt::format("`{}` is beyond exact arithmetic", what)};
  }
  static Expected<Number, Trouble> checked(std::optional<Rational> value, const Rational& a,
                                           char op, const Rational& b) {
    if (value) return *value;
    return Trouble{Fault::kOverflow,
                   fmt::format("{} {} {} is beyond 64 bits", to_string(a), op, to_string(b))};
  }

  Division division_;
};

/// Doubles.
class Real {
 public:
  using Number = double;

  static Expected<Number, Trouble> literal(std::string_view text) {
    // The grammar admits leading zeros and a point at the end; the scalar reader does not.
    while (text.size() > 1 && text[0] == '0' && text[1] != '.') text.remove_prefix(1);
    if (text.back() == '.') text.remove_suffix(1);
    if (const auto value = parse_number(text)) return *value;
    return Trouble{Fault::kOverflow, fmt::format("`{}` is beyond the doubles", text)};
  }
  static Expected<Number, Trouble> from_double(double value, std::string_view name) {
    return checked(value, name);
  }
  static Number from_integer(std::int64_t value) { return static_cast<double>(value); }
  static std::optional<std::int64_t> integer(Number value) {
    // Beyond 2^53 not every integer is a double, and no list is that long.
    if (value != std::floor(value) || std::abs(value) > 9007199254740992.0) return std::nullopt;
    return static_cast<std::int64_t>(value);
  }
  static Expected<Number, Trouble> apply(Op op, Number a, Number b) {
    if (op == Op::kAdd) return checked(a + b, "a sum");
    if (op == Op::kSubtract) return checked(a - b, "a difference");
    if (op == Op::kMultiply) return checked(a * b, "a product");
    if (b == 0) return Trouble{Fault::kDivisionByZero, "division by zero"};
    return checked(op == Op::kDivide ? a / b : std::fmod(a, b), "a quotient");
  }

 private:
  static Expected<Number, Trouble> checked(double value, std::string_view what) {
    if (std::isfinite(value)) return value;
    return Trouble{Fault::kOverflow, fmt::format("{} is beyond the doubles", what)};
  }
};

/// Runs a formula's instructions. `Arithmetic` says what a number is.
template <typename Arithmetic>
class Machine {
 public:
  using Number = typename Arithmetic::Number;
  using Result = Expected<Number, EvaluationFault>;

  Machine(const Expression& expression, const Scope& scope, Arithmetic arithmetic)
      : expression_(expression), scope_(scope), arithmetic_(arithmetic) {}

  Result run() {
    for (const auto& instruction : expression_.program()) {
      auto value = step(instruction);
      if (!value) {
        return EvaluationFault{value.error().kind, instruction.at, value.error().message};
      }
      stack_.push_back(std::move(*value));
    }
    const auto number = number_of(stack_.back());
    if (!number) return EvaluationFault{number.error().kind, 0, number.error().message};
    return *number;
  }

 private:
  /// A number, a list of the scope, or nothing (an option without a value), with its name.
  struct Value {
    std::variant<Number, const Extents*, std::monostate> content;
    std::string_view name;
  };
  using Step = Expected<Value, Trouble>;

  static Expected<Number, Trouble> number_of(const Value& value) {
    if (const auto* number = std::get_if<Number>(&value.content)) return *number;
    const bool list = std::holds_alternative<const Extents*>(value.content);
    return Trouble{Fault::kNotANumber, fmt::format("`{}` is {}, and a number is due", value.name,
                                                   list ? "a list" : "none")};
  }

  Value pop() {
    Value value = std::move(stack_.back());
    stack_.pop_back();
    return value;
  }

  Step step(const Expression::Instruction& instruction) {
    const std::string_view token = expression_.token(instruction);
    switch (instruction.op) {
      case Op::kNumber:
        return number_value(Arithmetic::literal(token));
      case Op::kName:
        return name(token);
      case Op::kNegate: {
        const auto number = number_of(pop());
        if (!number) return number.error();
        return number_value(arithmetic_.apply(Op::kSubtract, Arithmetic::from_integer(0), *number));
      }
      case Op::kIndex:
        return index();
      case Op::kCall:
        return call(token, instruction.arguments);
      default:
        return binary(instruction.op);
    }
  }

  static Step number_value(Expected<Number, Trouble> number) {
    if (!number) return number.error();
    return Value{std::move(*number), {}};
  }

  Step name(std::string_view token) {
    const auto entry = scope_.names.find(token);
    if (entry == scope_.names.end()) {
      if (token == "true" || token == "false") {
        return Value{Arithmetic::from_integer(token == "true" ? 1 : 0), token};
      }
      return Trouble{Fault::kUnknownName, fmt::format("`{}` is not known", token)};
    }
    return bound(entry->second, entry->first);
  }

  Step bound(const ParamValue& value, std::string_view name) {
    if (const auto* list = std::get_if<Extents>(&value)) return Value{list, name};
    if (const auto* real = std::get_if<double>(&value)) {
      const auto number = Arithmetic::from_double(*real, name);
      if (!number) return number.error();
      return Value{*number, name};
    }
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      return Value{Arithmetic::from_integer(*integer), name};
    }
    if (const auto* truth = std::get_if<bool>(&value)) {
      return Value{Arithmetic::from_integer(*truth ? 1 : 0), name};
    }
    return Value{std::monostate(), name};
  }

  Step binary(Op op) {
    const auto b = number_of(pop());
    const auto a = number_of(pop());
    if (!a) return a.error();
    if (!b) return b.error();
    return number_value(arithmetic_.apply(op, *a, *b));
  }

  Step index() {
    const auto position = number_of(pop());
    const Value list = pop();
    if (!position) return position.error();
    return element(list, *position);
  }

  /// Negative positions count from the end.
  Step element(const Value& value, const Number& position) {
    const auto* content = std::get_if<const Extents*>(&value.content);
    if (content == nullptr) {
      return Trouble{Fault::kNotANumber, fmt::format("`{}` is no list", value.name)};
    }
    const Extents& list = **content;
    const auto integer = Arithmetic::integer(position);
    if (!integer) return Trouble{Fault::kIndex, "an index that is no integer"};
    const auto size = static_cast<std::int64_t>(list.size());
    if (*integer >= size || *integer < -size) {
      return Trouble{Fault::kIndex, fmt::format("`{}` has {} elements and no element {}",
                                                value.name, size, *integer)};
    }
    const std::int64_t from_start = *integer < 0 ? *integer + size : *integer;
    return Value{Arithmetic::from_integer(list[static_cast<std::size_t>(from_start)]), value.name};
  }

  Step call(std::string_view token, std::size_t arguments) {
    std::vector<Value> values(arguments);
    for (std::size_t i = arguments; i > 0; --i) values[i - 1] = pop();
    if (scope_.dim_terms) {
      if (token == "extent" && arguments == 2) {
        const auto axis = number_of(values[1]);
        if (!axis) return axis.error();
        return element(values[0], *axis);
      }
      if (token == "const" && arguments == 1) return number_value(number_of(values[0]));
      if (token == "param" && arguments == 1) return parameter(values[0]);
      constexpr std::pair<std::string_view, Op> kTerms[] = {
          {"add", Op::kAdd}, {"sub", Op::kSubtract}, {"mul", Op::kMultiply}, {"div", Op::kDivide}};
      for (const auto& [name, op] : kTerms) {
        if (token != name || arguments != 2) continue;
        stack_.push_back(std::move(values[0]));
        stack_.push_back(std::move(values[1]));
        return binary(op);
      }
    }
    return Trouble{Fault::kUnknownName,
                   fmt::format("`{}` of {} arguments is no known function", token, arguments)};
  }

  Step parameter(const Value& value) {
    const auto number = number_of(value);
    if (!number) return number.error();
    const auto position = Arithmetic::integer(*number);
    const auto count = static_cast<std::int64_t>(scope_.params.size());
    if (!position || *position < 0 || *position >= count) {
      return Trouble{Fault::kIndex, fmt::format("there are {} parameters", count)};
    }
    return name(scope_.params[static_cast<std::size_t>(*position)]);
  }

  const Expression& expression_;
  const Scope& scope_;
  Arithmetic arithmetic_;
  std::vector<Value> stack_;
};

}  // namespace

std::string to_string(const Extents& extents) {
  std::string text;
  for (const std::int64_t extent : extents) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", extent);
  }
  return "[" + text + "]";
}

std::string to_string(const ParamValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* list = std::get_if<Extents>(&value)) return to_string(*list);
  return "none";
}

Expected<Rational, EvaluationFault> evaluate(const Expression& expression, const Scope& scope,
                                             Division division) {
  return Machine<Exact>(expression, scope, Exact(division)).run();
}

Expected<double, EvaluationFault> evaluate_real(const Expression& expression, const Scope& scope) {
  return Machine<Real>(expression, scope, Real()).run();
}

}  // namespace assay::fkc
