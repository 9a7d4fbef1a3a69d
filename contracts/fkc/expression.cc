#include "contracts/fkc/expression.h"

#include <optional>

#include "contracts/fkc/node.h"

namespace assay::fkc {

namespace {

using Op = Expression::Op;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Recursive descent; every function consumes its part and returns false where it cannot.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Expected<Expression, ParseFault> run() {
    if (expression() && (skip_blanks(), at_ == text_.size())) {
      return Expression(std::string(text_), std::move(program_));
    }
    return ParseFault{at_, why_.empty() ? default_reason() : why_};
  }

 private:
  std::string default_reason() const {
    return at_ >= text_.size() ? "the formula ends too early" : "no formula goes on like this";
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  char peek() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void emit(Op op, std::size_t at, std::size_t length = 0, std::size_t arguments = 0) {
    program_.push_back({op, at, length, arguments});
  }

  bool expression() {
    if (depth_ >= kMaxNesting) {
      why_ = "brackets are nested too deep";
      return false;
    }
    ++depth_;
    bool good = term();
    while (good) {
      const char c = peek();
      if (c != '+' && c != '-') break;
      const std::size_t at = at_++;
      good = term();
      emit(c == '+' ? Op::kAdd : Op::kSubtract, at, 1);
    }
    --depth_;
    return good;
  }
  bool term() {
    bool good = factor();
    while (good) {
      const char c = peek();
      if (c != '*' && c != '/' && c != '%') break;
      const std::size_t at = at_++;
      good = factor();
      emit(c == '*' ? Op::kMultiply : c == '/' ? Op::kDivide : Op::kRemainder, at, 1);
    }
    return good;
  }
  bool factor() {
    std::optional<std::size_t> minus;
    bool negative = false;
    while (peek() == '-') {
      minus = at_++;
      negative = !negative;
    }
    if (!primary()) return false;
    while (peek() == '[') {
      const std::size_t at = at_++;
      if (!expression() || !take(']')) return false;
      emit(Op::kIndex, at, 1);
    }
    if (negative) emit(Op::kNegate, *minus, 1);
    return true;
  }
  bool primary() {
    if (take('(')) return expression() && take(')');
    const char first = peek();
    const std::size_t start = at_;
    if (is_digit(first)) {
      digits();
      if (at_ < text_.size() && text_[at_] == '.') {
        ++at_;
        digits();
      }
      emit(Op::kNumber, start, at_ - start);
      return true;
    }
    if (!name()) return false;
    const std::size_t length = at_ - start;
    if (peek() == '(') return call(start, length);
    emit(Op::kName, start, length);
    return true;
  }
  void digits() {
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  }
  /// A dotted name is one identifier: `lhs.dim`.
  bool name() {
    if (!is_letter(peek())) return false;
    while (at_ < text_.size()) {
      const bool dot = text_[at_] == '.' && at_ + 1 < text_.size() && is_letter(text_[at_ + 1]);
      if (!dot && !is_letter(text_[at_]) && !is_digit(text_[at_])) break;
      ++at_;
    }
    return true;
  }
  bool call(std::size_t start, std::size_t length) {
    ++at_;  // the bracket
    std::size_t arguments = 0;
    if (!take(')')) {
      do {
        if (!expression()) return false;
        ++arguments;
      } while (take(','));
      if (!take(')')) return false;
    }
    emit(Op::kCall, start, length, arguments);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::string why_;
  std::vector<Expression::Instruction> program_;
};

}  // namespace

std::string_view Expression::lone_name() const {
  return program_.size() == 1 && program_[0].op == Op::kName ? token(program_[0])
                                                             : std::string_view();
}

std::vector<std::string_view> Expression::names() const {
  std::vector<std::string_view> names;
  for (const Instruction& instruction : program_) {
    if (instruction.op == Op::kName) names.push_back(token(instruction));
  }
  return names;
}

Expected<Expression, ParseFault> parse_expression(std::string_view text) {
  return Parser(text).run();
}

}  // namespace assay::fkc
