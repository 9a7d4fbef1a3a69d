#include "contracts/fkc/cost_expression.h"

#include "contracts/fkc/node.h"

namespace assay::fkc {

namespace {

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

  std::optional<std::size_t> fault() {
    if (expression() && (skip_blanks(), at_ == text_.size())) return std::nullopt;
    return at_;
  }

 private:
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

  bool expression() {
    if (depth_ >= kMaxNesting) return false;
    ++depth_;
    bool good = term();
    while (good && (take('+') || take('-'))) good = term();
    --depth_;
    return good;
  }
  bool term() {
    bool good = factor();
    while (good && (take('*') || take('/') || take('%'))) good = factor();
    return good;
  }
  bool factor() {
    while (take('-')) {
    }
    if (!primary()) return false;
    while (take('[')) {
      if (!expression() || !take(']')) return false;
    }
    return true;
  }
  bool primary() {
    if (take('(')) return expression() && take(')');
    if (is_digit(peek())) {
      digits();
      if (at_ < text_.size() && text_[at_] == '.') {
        ++at_;
        digits();
      }
      return true;
    }
    return name() && (!take('(') || arguments());
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
  bool arguments() {
    if (take(')')) return true;
    do {
      if (!expression()) return false;
    } while (take(','));
    return take(')');
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

std::optional<std::size_t> cost_expression_fault(std::string_view text) {
  return Parser(text).fault();
}

}  // namespace assay::fkc
