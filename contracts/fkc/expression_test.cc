// Formulas: their grammar, and their values exactly and in doubles.
#include "contracts/fkc/expression.h"

#include <limits>

#include "contracts/fkc/evaluate.h"
#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

using Fault = EvaluationFault::Kind;

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();

TEST_CASE("the grammar of formulas") {
  for (const char* text : {"0", "n * (4 + 8)", "2 * m * n * k - 1", "-n", "prod(out_shape) / 2",
                           "lhs.dim[-1] % 16", "x_shape[0][1]", "f()", "1.", "a[b[c]]"}) {
    INFO(text);
    CHECK(static_cast<bool>(parse_expression(text)));
  }
  struct FaultRow {
    std::string_view text;
    std::size_t at;
  };
  for (const FaultRow& row : {FaultRow{"", 0},
                              {"2 * * n", 4},
                              {"n +", 3},
                              {"(n", 2},
                              {"n m", 2},
                              {"n == 1", 2},
                              {".5", 0},
                              {"1e3", 1},
                              {"f(a b)", 4},
                              {"a.1", 1}}) {
    INFO(row.text);
    const auto result = parse_expression(row.text);
    REQUIRE_FALSE(static_cast<bool>(result));
    CHECK(result.error().at == row.at);
    CHECK_FALSE(result.error().message.empty());
  }
  CHECK_FALSE(static_cast<bool>(parse_expression(std::string(100000, '('))));
  CHECK(static_cast<bool>(parse_expression(std::string(100000, '-') + "n")));
}

TEST_CASE("the names of a formula") {
  const auto formula = parse_expression("x.dim[2] * k + f(k, 3)");
  REQUIRE(static_cast<bool>(formula));
  CHECK(formula->names() == std::vector<std::string_view>{"x.dim", "k", "k"});
  CHECK(formula->lone_name().empty());
  CHECK(parse_expression(" k ")->lone_name() == "k");
  CHECK(parse_expression("(k)")->lone_name() == "k");
  CHECK(parse_expression("-k")->lone_name().empty());
}

Scope sample_scope() {
  Scope scope;
  scope.names = {{"seven", std::int64_t{7}},
                 {"x.dim", Extents{2, 3, 5}},
                 {"half", 0.5},
                 {"yes", true},
                 {"nothing", std::monostate()},
                 {"large", kLargest},
                 {"small", kSmallest}};
  return scope;
}

std::string exact(std::string_view text, Division division = Division::kExact) {
  const auto formula = parse_expression(text);
  REQUIRE(static_cast<bool>(formula));
  const auto value = evaluate(*formula, sample_scope(), division);
  return value ? to_string(*value) : value.error().message;
}

TEST_CASE("exact values") {
  CHECK(exact("1 + 2 * 3") == "7");
  CHECK(exact("(1 + 2) * 3") == "9");
  CHECK(exact("10 - 4 - 3") == "3");
  CHECK(exact("64 / 4 / 2") == "8");
  CHECK(exact("seven / 2") == "7/2");
  CHECK(exact("seven / 2 * 2") == "7");
  CHECK(exact("seven / -2") == "-7/2");
  CHECK(exact("1.25 * 4") == "5");
  CHECK(exact("half + 1") == "3/2");
  CHECK(exact("yes + true + false") == "2");
  CHECK(exact("-x.dim[0]") == "-2");
  CHECK(exact("--x.dim[1]") == "3");
  CHECK(exact("x.dim[-1] % 3") == "2");
  CHECK(exact("-5 % 3") == "-2");
  CHECK(exact("x.dim[seven - 5]") == "5");
  CHECK(exact("small / -1") == "-9223372036854775808 / -1 is beyond 64 bits");
  CHECK(exact("small % -1") == "0");
  CHECK(exact("large * large / large") ==
        "9223372036854775807 * 9223372036854775807 is beyond 64 bits");
}

TEST_CASE("division as counting has it") {
  CHECK(exact("7 / 2", Division::kWhole) == "3");
  CHECK(exact("6 / 2", Division::kWhole) == "3");
  CHECK(exact("7 / 2 * 2", Division::kWhole) == "6");
  CHECK(exact("(2 - 3) / 2 + 1", Division::kWhole) == "-1 is divided by 2");
  CHECK(exact("4 / (1 - 3)", Division::kWhole) == "4 is divided by -2");
}

TEST_CASE("each fault of a value has its kind and its place") {
  struct Row {
    std::string_view text;
    Fault kind;
    std::size_t at;
  };
  for (const Row& row :
       {Row{"1 + unknown", Fault::kUnknownName, 4},
        {"1 + prod(x.dim)", Fault::kUnknownName, 4},
        {"1 + const(2)", Fault::kUnknownName, 4},  // no dim terms outside of shape rules
        {"x.dim + 1", Fault::kNotANumber, 6},
        {"x.dim", Fault::kNotANumber, 0},
        {"nothing", Fault::kNotANumber, 0},
        {"seven[0]", Fault::kNotANumber, 5},
        {"x.dim[3]", Fault::kIndex, 5},
        {"x.dim[-4]", Fault::kIndex, 5},
        {"x.dim[1 / 2]", Fault::kIndex, 5},
        {"1 / (seven - 7)", Fault::kDivisionByZero, 2},
        {"1 % 0", Fault::kDivisionByZero, 2},
        {"1.5 % 1", Fault::kFraction, 4},
        {"large + 1", Fault::kOverflow, 6},
        {"small - 1", Fault::kOverflow, 6},
        {"-small", Fault::kOverflow, 0},
        {"large * 2", Fault::kOverflow, 6},
        {"1 / large / large", Fault::kOverflow, 10},
        {"99999999999999999999", Fault::kOverflow, 0}}) {
    INFO(row.text);
    const auto value = evaluate(*parse_expression(row.text), sample_scope(), Division::kExact);
    REQUIRE_FALSE(static_cast<bool>(value));
    CHECK(value.error().kind == row.kind);
    CHECK(value.error().at == row.at);
    CHECK_FALSE(value.error().message.empty());
  }
}

TEST_CASE("costs are doubles") {
  const auto real = [](std::string_view text) {
    const auto value = evaluate_real(*parse_expression(text), sample_scope());
    REQUIRE(static_cast<bool>(value));
    return *value;
  };
  CHECK(real("7 / 2") == 3.5);
  CHECK(real("large * large") == 0x1p126);
  CHECK(real("1. + 007.5") == 8.5);
  CHECK(real("7.5 % 2") == 1.5);
  CHECK(real("x.dim[half * 2] * half") == 1.5);
  const auto fault = [](std::string_view text) {
    const auto value = evaluate_real(*parse_expression(text), sample_scope());
    REQUIRE_FALSE(static_cast<bool>(value));
    return value.error().kind;
  };
  CHECK(fault("1 / 0") == Fault::kDivisionByZero);
  CHECK(fault("1 % 0") == Fault::kDivisionByZero);
  CHECK(fault("out.dim[0]") == Fault::kUnknownName);
  CHECK(fault("x.dim[1.5]") == Fault::kIndex);
  CHECK(fault(std::string(400, '9')) == Fault::kOverflow);
  CHECK(fault(std::string(300, '9') + "*" + std::string(300, '9')) == Fault::kOverflow);
}

TEST_CASE("fractions") {
  CHECK(Rational::from_fraction(6, -4) == Rational::from_fraction(-3, 2));
  CHECK_FALSE(Rational::from_fraction(1, 0).has_value());
  CHECK_FALSE(Rational::from_fraction(kSmallest, -1).has_value());
  CHECK(Rational::from_fraction(kSmallest, kSmallest) == Rational(1));
  CHECK(*Rational::from_fraction(kLargest, kLargest - 1) <
        *Rational::from_fraction(kLargest - 1, kLargest - 2));
  CHECK(*Rational::from_fraction(1, 3) < *Rational::from_fraction(1, 2));
  CHECK(Rational::from_decimal("0.125") == Rational::from_fraction(1, 8));
  CHECK(Rational::from_decimal("9223372036854775807") == Rational(kLargest));
  CHECK_FALSE(Rational::from_decimal("9223372036854775808").has_value());
  CHECK_FALSE(Rational::from_decimal(std::string(1000, '1')).has_value());
  CHECK(Rational::from_double(0.75) == Rational::from_fraction(3, 4));
  CHECK(Rational::from_double(-0x1p62) == Rational(-(std::int64_t{1} << 62)));
  CHECK(Rational::from_double(0.1)->denominator() == std::int64_t{1} << 55);
  for (const double value : {0x1p64, 1e300, 1e-300, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_FALSE(Rational::from_double(value).has_value());
  }
  CHECK(divide_down(Rational(-7), Rational(2)) == Rational(-4));
  CHECK(divide_down(Rational(7), Rational(-2)) == Rational(-4));
  CHECK(divide_down(Rational(-6), Rational(2)) == Rational(-3));
}

TEST_CASE("long formulas are evaluated without recursion") {
  std::string sum = "1";
  for (int i = 0; i < 200000; ++i) sum += "+1";
  CHECK(to_string(*evaluate(*parse_expression(sum), {}, Division::kExact)) == "200001");
  std::string call = "f(1";
  for (int i = 0; i < 200000; ++i) call += ",1";
  const auto value = evaluate(*parse_expression(call + ")"), {}, Division::kExact);
  CHECK(value.error().kind == Fault::kUnknownName);
}

}  // namespace
}  // namespace assay::fkc
