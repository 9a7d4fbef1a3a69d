#include "contracts/fkc/fuzz/reference_value.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "contracts/fuzz/demand.h"

namespace assay::fkc::fuzz {

namespace {

using assay::fuzz::demand;
using Kind = EvaluationFault::Kind;
__extension__ using Wide = __int128;

constexpr Wide kExactDoubles = Wide{1} << 53;

struct Number {
  Wide top = 0;
  Wide bottom = 1;
};

/// A number, a list, or nothing.
struct Value {
  enum class Type : std::uint8_t { kNumber, kList, kNone };
  Type type = Type::kNone;
  Number number;
  const Extents* list = nullptr;
};

Value value_of(Number number) {
  return {Value::Type::kNumber, number, nullptr};
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Walks a text; throws the kind of the first fault.
class Walk {
 public:
  Walk(std::string_view text, const Scope& scope, Division division)
      : text_(text), scope_(scope), division_(division) {}

  Number run() {
    const Value value = sum();
    demand(next() == '\0', "a text that the parser took to its end");
    return number(value);
  }
  bool small_integers() const { return small_integers_; }

 private:
  char next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void eat(char c) {
    demand(next() == c, "a text that the parser took");
    ++at_;
  }

  static Number number(const Value& value) {
    if (value.type != Value::Type::kNumber) throw Kind::kNotANumber;
    return value.number;
  }

  /// In lowest terms, where it fits 64 bits.
  Value lowest(Wide top, Wide bottom) {
    Wide a = top < 0 ? -top : top;
    Wide b = bottom < 0 ? -bottom : bottom;
    while (b != 0) {
      const Wide rest = a % b;
      a = b;
      b = rest;
    }
    if (bottom < 0) a = -a;
    const Number result{top / a, bottom / a};
    constexpr Wide kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
    if (result.top < kLeast || result.top > kMost || result.bottom > kMost) throw Kind::kOverflow;
    note(result);
    return value_of(result);
  }
  void note(const Number& value) {
    small_integers_ = small_integers_ && value.bottom == 1 && value.top <= kExactDoubles &&
                      value.top >= -kExactDoubles;
  }

  Value apply(char op, const Value& left, const Value& right) {
    const Number a = number(left);
    const Number b = number(right);
    switch (op) {
      case '+':
        return lowest(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
      case '-':
        return lowest(a.top * b.bottom - b.top * a.bottom, a.bottom * b.bottom);
      case '*':
        return lowest(a.top * b.top, a.bottom * b.bottom);
      default:
        break;
    }
    if (b.top == 0) throw Kind::kDivisionByZero;
    if (op == '%') {
      if (a.bottom != 1 || b.bottom != 1) throw Kind::kFraction;
      return lowest(a.top % b.top, 1);
    }
    if (division_ == Division::kExact) return lowest(a.top * b.bottom, a.bottom * b.top);
    if (a.top < 0 || b.top < 0) throw Kind::kNegative;
    return lowest(a.top * b.bottom / (a.bottom * b.top), 1);
  }

  Value sum() {
    Value left = product();
    while (next() == '+' || next() == '-') {
      const char op = text_[at_++];
      left = apply(op, left, product());
    }
    return left;
  }
  Value product() {
    Value left = signed_part();
    while (next() == '*' || next() == '/' || next() == '%') {
      const char op = text_[at_++];
      left = apply(op, left, signed_part());
    }
    return left;
  }
  Value signed_part() {
    bool negative = false;
    for (; next() == '-'; ++at_) negative = !negative;
    Value value = plain();
    while (next() == '[') {
      eat('[');
      const Value position = sum();
      eat(']');
      value = element(value, number(position));
    }
    return negative ? apply('-', value_of({0, 1}), value) : value;
  }
  Value plain() {
    if (next() == '(') {
      eat('(');
      const Value value = sum();
      eat(')');
      return value;
    }
    if (is_digit(next())) return literal();
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (is_word(text_[at_]) || is_digit(text_[at_]) ||
            (text_[at_] == '.' && at_ + 1 < text_.size() && is_word(text_[at_ + 1])))) {
      ++at_;
    }
    const std::string_view name = text_.substr(start, at_ - start);
    return next() == '(' ? call(name) : named(name);
  }
  Value literal() {
    std::string digits;
    std::size_t behind = 0;
    for (bool point = false; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '.' && !point) {
        point = true;
      } else if (is_digit(c)) {
        digits += c;
        behind += point ? 1 : 0;
      } else {
        break;
      }
    }
    // More than 2^100 before it is reduced is beyond what is promised.
    Wide top = 0;
    Wide bottom = 1;
    for (std::size_t i = 0; i < digits.size(); ++i) {
      top = top * 10 + (digits[i] - '0');
      if (i + behind >= digits.size()) bottom *= 10;
      if (top > Wide{1} << 100 || bottom > Wide{1} << 100) throw Kind::kOverflow;
    }
    return lowest(top, bottom);
  }

  Value named(std::string_view name) {
    const auto entry = scope_.names.find(name);
    if (entry == scope_.names.end()) {
      if (name == "true") return value_of({1, 1});
      if (name == "false") return value_of({0, 1});
      throw Kind::kUnknownName;
    }
    struct Reader {
      Walk& walk;
      Value operator()(std::monostate) const { return {}; }
      Value operator()(bool truth) const { return value_of({truth ? 1 : 0, 1}); }
      Value operator()(std::int64_t integer) const { return walk.lowest(integer, 1); }
      Value operator()(double real) const { return walk.real(real); }
      Value operator()(const Extents& list) const { return {Value::Type::kList, {}, &list}; }
    };
    return std::visit(Reader{*this}, entry->second);
  }
  Value real(double value) {
    if (!std::isfinite(value)) throw Kind::kOverflow;
    // By halves and doublings until it is an integer: exact.
    int shift = 0;
    double scaled = value;
    while (scaled != std::floor(scaled)) {
      scaled *= 2;
      if (++shift > 62) throw Kind::kOverflow;
    }
    if (std::fabs(scaled) > 9.3e18) throw Kind::kOverflow;
    return lowest(static_cast<Wide>(scaled), Wide{1} << shift);
  }

  Value element(const Value& list, const Number& position) {
    if (list.type != Value::Type::kList) throw Kind::kNotANumber;
    const auto size = static_cast<Wide>(list.list->size());
    if (position.bottom != 1 || position.top >= size || position.top < -size) throw Kind::kIndex;
    const Wide index = position.top < 0 ? position.top + size : position.top;
    return lowest((*list.list)[static_cast<std::size_t>(index)], 1);
  }

  Value call(std::string_view name) {
    eat('(');
    std::vector<Value> arguments;
    if (next() != ')') {
      arguments.push_back(sum());
      while (next() == ',') {
        eat(',');
        arguments.push_back(sum());
      }
    }
    eat(')');
    const std::size_t count = arguments.size();
    if (!scope_.dim_terms) throw Kind::kUnknownName;
    if (name == "extent" && count == 2) return element(arguments[0], number(arguments[1]));
    if (name == "const" && count == 1) return value_of(number(arguments[0]));
    if (name == "param" && count == 1) {
      const Number position = number(arguments[0]);
      const auto params = static_cast<Wide>(scope_.params.size());
      if (position.bottom != 1 || position.top < 0 || position.top >= params) throw Kind::kIndex;
      return named(scope_.params[static_cast<std::size_t>(position.top)]);
    }
    if (count == 2 && name == "add") return apply('+', arguments[0], arguments[1]);
    if (count == 2 && name == "sub") return apply('-', arguments[0], arguments[1]);
    if (count == 2 && name == "mul") return apply('*', arguments[0], arguments[1]);
    if (count == 2 && name == "div") return apply('/', arguments[0], arguments[1]);
    throw Kind::kUnknownName;
  }

  std::string_view text_;
  const Scope& scope_;
  Division division_;
  std::size_t at_ = 0;
  bool small_integers_ = true;
};

}  // namespace

std::string Outcome::text() const {
  if (fault) return "fault " + std::to_string(static_cast<int>(*fault));
  return std::to_string(numerator) + "/" + std::to_string(denominator);
}

Outcome reference_value(std::string_view text, const Scope& scope, Division division) {
  Walk walk(text, scope, division);
  try {
    const Number number = walk.run();
    return {std::nullopt, static_cast<std::int64_t>(number.top),
            static_cast<std::int64_t>(number.bottom), walk.small_integers()};
  } catch (const Kind kind) {
    return {kind, 0, 1, false};
  }
}

}  // namespace assay::fkc::fuzz
