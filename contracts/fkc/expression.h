// The formulas of contracts: "2 * out_shape[0] * (x_shape[1] / groups)". One grammar for costs,
// shapes and constraints.
//
//     expr   := term (('+'|'-') term)*          term := factor (('*'|'/'|'%') factor)*
//     factor := '-' factor | primary            primary := (number | call | name | '(' expr ')')
//                                                          ('[' expr ']')*
//     call   := name '(' [expr (',' expr)*] ')'
//     number := digits ['.' digits*]            name := a dotted identifier: `lhs.dim` is one name
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/fkc/expected.h"

namespace assay::fkc {

/// Where a text leaves its grammar.
struct ParseFault {
  std::size_t at = 0;  ///< index into the text
  std::string message;
};

/// A parsed formula: instructions for a stack machine, in the order of evaluation, so that neither
/// reading nor evaluating a hostile one recurses.
class Expression {
 public:
  enum class Op : std::uint8_t {
    kNumber,
    kName,
    kNegate,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kRemainder,
    kIndex,  ///< pops an index and a list
    kCall,   ///< pops `arguments` values
  };
  struct Instruction {
    Op op = Op::kNumber;
    std::size_t at = 0;         ///< of the number, name or operator in the text
    std::size_t length = 0;     ///< of a number or name
    std::size_t arguments = 0;  ///< of a call
  };

  /// `program` is of `text`; parse_expression makes both.
  Expression(std::string text, std::vector<Instruction> program)
      : text_(std::move(text)), program_(std::move(program)) {}

  const std::string& text() const { return text_; }  ///< as it was parsed
  const std::vector<Instruction>& program() const { return program_; }
  /// The number or name of an instruction.
  std::string_view token(const Instruction& instruction) const {
    return std::string_view(text_).substr(instruction.at, instruction.length);
  }
  /// The name that the whole expression is, or nothing: "k" but not "k + 1".
  std::string_view lone_name() const;
  /// All names but those of calls, in the order of the text, repeats included.
  std::vector<std::string_view> names() const;

 private:
  std::string text_;
  std::vector<Instruction> program_;
};

/// The formula that the whole of `text` is, blanks around it allowed, or where it leaves the
/// grammar. Any bytes are accepted. Brackets are at most `kMaxNesting` deep; time and memory are
/// linear in the text.
Expected<Expression, ParseFault> parse_expression(std::string_view text);

}  // namespace assay::fkc
