#include "contracts/fkc/domain.h"

#include <fmt/format.h>

#include <algorithm>

#include "contracts/fkc/scalar.h"

namespace assay::fkc {

namespace {

constexpr std::size_t kMaxConditions = 64;
constexpr std::size_t kMaxDigits = 400;
constexpr std::uint64_t kMaxExponent = 1023;
constexpr std::uint64_t kMostHalvings = 1074;  // 2^-1074 is the least subnormal of binary64

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

struct Token {
  enum class Kind { kEnd, kName, kNumber, kComparison, kBad };
  Kind kind = Kind::kEnd;
  std::string_view text;
  std::size_t column = 1;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    Token token;
    token.column = at_ + 1;
    if (at_ == text_.size()) return token;
    const std::size_t begin = at_;
    const char first = text_[at_];
    if (is_letter(first)) {
      token.kind = Token::Kind::kName;
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    } else if (first == '<' || first == '>') {
      token.kind = Token::Kind::kComparison;
      ++at_;
      if (at_ < text_.size() && text_[at_] == '=') ++at_;
    } else if (is_digit(first) || first == '-') {
      token.kind = Token::Kind::kNumber;
      ++at_;
      // Whatever is stuck to a number belongs to it: "1e3" and "2^x" are bad numbers, not two
      // tokens.
      while (at_ < text_.size() && std::string_view(" <>").find(text_[at_]) == std::string::npos) {
        ++at_;
      }
    } else {
      token.kind = Token::Kind::kBad;
      ++at_;
    }
    token.text = text_.substr(begin, at_ - begin);
    return token;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

bool is_bound(std::string_view text) {
  if (!text.empty() && text[0] == '-') text.remove_prefix(1);
  if (text.substr(0, 3) == "2^-") {
    const auto halvings = parse_unsigned(text.substr(3));
    return halvings && *halvings >= 1 && *halvings <= kMostHalvings;
  }
  if (text.substr(0, 2) == "2^") {
    const auto exponent = parse_unsigned(text.substr(2));
    return exponent && *exponent <= kMaxExponent;
  }
  if (text.empty() || text.size() > kMaxDigits) return false;
  if (text.size() > 1 && text[0] == '0') return false;
  return std::all_of(text.begin(), text.end(), is_digit);
}

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text), token_(lexer_.next()) {}

  std::variant<std::vector<Condition>, DomainFault> run() {
    std::vector<Condition> conditions;
    while (true) {
      Condition condition;
      if (conditions.size() == kMaxConditions) {
        return DomainFault{token_.column, fmt::format("more than {} conditions", kMaxConditions)};
      }
      if (!read(condition)) return fault_;
      conditions.push_back(std::move(condition));
      if (token_.kind == Token::Kind::kEnd) return conditions;
      if (token_.text != "or") {
        fail("\"or\" or the end of the text");
        return fault_;
      }
      advance();
    }
  }

 private:
  void advance() { token_ = lexer_.next(); }

  bool fail(std::string_view expected) {
    fault_.column = token_.column;
    fault_.message = token_.kind == Token::Kind::kEnd
                         ? fmt::format("the text ends where {} is expected", expected)
                         : fmt::format("\"{}\" where {} is expected", token_.text, expected);
    return false;
  }

  bool role(Condition& condition) {
    const bool reserved = token_.text == "or" || token_.text == "is" || token_.text == "nan";
    if (token_.kind != Token::Kind::kName || reserved) return fail("the name of an input");
    condition.role = token_.text;
    advance();
    return true;
  }

  bool bound(std::string& out) {
    if (token_.kind != Token::Kind::kNumber || !is_bound(token_.text)) {
      return fail("a whole number or a power of two");
    }
    out = token_.text;
    advance();
    return true;
  }

  bool comparison(std::string_view& out, bool upward_only) {
    const bool allowed =
        token_.kind == Token::Kind::kComparison && (!upward_only || token_.text[0] == '<');
    if (!allowed) return fail(upward_only ? "< or <=" : "<, <=, >, >= or \"is nan\"");
    out = token_.text;
    advance();
    return true;
  }

  bool read(Condition& condition) {
    if (token_.kind == Token::Kind::kNumber) return read_between(condition);
    if (token_.kind != Token::Kind::kName) return fail("the name of an input or a number");
    if (!role(condition)) return false;
    if (token_.text == "is") {
      advance();
      if (token_.text != "nan") return fail("\"nan\"");
      advance();
      return true;
    }
    std::string_view op;
    std::string number;
    if (!comparison(op, false) || !bound(number)) return false;
    Interval interval;
    const bool inclusive = op.size() == 2;
    if (op[0] == '<') {
      interval.upper = number;
      interval.upper_inclusive = inclusive;
    } else {
      interval.lower = number;
      interval.lower_inclusive = inclusive;
    }
    condition.interval = std::move(interval);
    return true;
  }

  /// `N <= ROLE < N`.
  bool read_between(Condition& condition) {
    const std::size_t begin = token_.column;
    Interval interval;
    std::string lower;
    std::string upper;
    std::string_view op;
    if (!bound(lower) || !comparison(op, true)) return false;
    interval.lower_inclusive = op.size() == 2;
    if (!role(condition) || !comparison(op, true)) return false;
    interval.upper_inclusive = op.size() == 2;
    if (!bound(upper)) return false;
    const int order = compare_bounds(lower, upper);
    if (order > 0 || (order == 0 && !(interval.lower_inclusive && interval.upper_inclusive))) {
      fault_ = {begin, fmt::format("no number lies between {} and {} like this", lower, upper)};
      return false;
    }
    interval.lower = std::move(lower);
    interval.upper = std::move(upper);
    condition.interval = std::move(interval);
    return true;
  }

  Lexer lexer_;
  Token token_;
  DomainFault fault_;
};

/// The decimal digits of 2^exponent.
std::string power_of_two(std::uint64_t exponent) {
  std::string digits(1, '1');  // least significant first
  for (std::uint64_t i = 0; i < exponent; ++i) {
    int carry = 0;
    for (char& digit : digits) {
      const int doubled = 2 * (digit - '0') + carry;
      digit = static_cast<char>('0' + doubled % 10);
      carry = doubled / 10;
    }
    if (carry != 0) digits += static_cast<char>('0' + carry);
  }
  std::reverse(digits.begin(), digits.end());
  return digits;
}

struct Decimal {
  bool negative = false;
  std::string digits;          ///< most significant first, no leading zeros
  std::uint64_t halvings = 0;  ///< of 2^-halvings, which has the digits "0"; else 0
};

Decimal decimal(std::string_view bound) {
  Decimal value;
  if (bound[0] == '-') {
    value.negative = true;
    bound.remove_prefix(1);
  }
  if (bound.substr(0, 3) == "2^-") {
    value.digits = "0";
    value.halvings = parse_unsigned(bound.substr(3)).value();
    return value;
  }
  value.digits = bound.substr(0, 2) == "2^" ? power_of_two(parse_unsigned(bound.substr(2)).value())
                                            : std::string(bound);
  if (value.digits == "0") value.negative = false;
  return value;
}

/// The order of two magnitudes below 1: 0, or a half and a half of that and so on.
int compare_fractions(std::uint64_t a, std::uint64_t b) {
  if (a == b) return 0;
  if (a == 0 || b == 0) return a == 0 ? -1 : 1;
  return a > b ? -1 : 1;
}

}  // namespace

int compare_bounds(std::string_view a, std::string_view b) {
  const Decimal x = decimal(a);
  const Decimal y = decimal(b);
  if (x.negative != y.negative) return x.negative ? -1 : 1;
  int magnitude = 0;
  if (x.digits.size() != y.digits.size()) {
    magnitude = x.digits.size() < y.digits.size() ? -1 : 1;
  } else {
    magnitude = x.digits.compare(y.digits);
    if (magnitude == 0) magnitude = compare_fractions(x.halvings, y.halvings);
  }
  return x.negative ? -magnitude : magnitude;
}

std::variant<std::vector<Condition>, DomainFault> parse_domain(std::string_view text) {
  return Parser(text).run();
}

}  // namespace assay::fkc
