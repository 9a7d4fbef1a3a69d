#include "contracts/fkc/domain.h"

#include "contracts/testing/catch.h"

namespace assay::fkc {
namespace {

std::vector<Condition> good(std::string_view text) {
  auto result = parse_domain(text);
  INFO(text);
  if (const auto* fault = std::get_if<DomainFault>(&result)) {
    FAIL(fault->message);
    return {};
  }
  return std::get<std::vector<Condition>>(std::move(result));
}

TEST_CASE("conditions keep their bounds as text") {
  const auto parts = good("src < 0 or src > 4294967295 or src is nan");
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].role == "src");
  CHECK_FALSE(parts[0].interval->lower.has_value());
  CHECK(parts[0].interval->upper == "0");
  CHECK_FALSE(parts[0].interval->upper_inclusive);
  CHECK(parts[1].interval->lower == "4294967295");
  CHECK_FALSE(parts[1].interval->lower_inclusive);
  CHECK_FALSE(parts[1].interval->upper.has_value());
  CHECK(parts[2].role == "src");
  CHECK_FALSE(parts[2].interval.has_value());
}

TEST_CASE("inclusive and exclusive ends, powers of two, negative bounds") {
  const auto closed = good("x<=2^24");
  CHECK(closed[0].interval->upper == "2^24");
  CHECK(closed[0].interval->upper_inclusive);
  const auto above = good("x >= -2^1023");
  CHECK(above[0].interval->lower == "-2^1023");
  CHECK(above[0].interval->lower_inclusive);
  const auto between = good("-10 <= in_0 < 2^0");
  CHECK(between[0].role == "in_0");
  CHECK(between[0].interval->lower == "-10");
  CHECK(between[0].interval->lower_inclusive);
  CHECK(between[0].interval->upper == "2^0");
  CHECK_FALSE(between[0].interval->upper_inclusive);
  const auto tiny = good("-2^-126 < x < 2^-126");
  CHECK(tiny[0].interval->lower == "-2^-126");
  CHECK(tiny[0].interval->upper == "2^-126");
  CHECK(good("5 <= x <= 5").size() == 1);
  CHECK(good("order < 1")[0].role == "order");  // not "or"
}

TEST_CASE("faults have the column of the token that does not fit") {
  struct Row {
    std::string_view text;
    std::size_t column;
  };
  const Row rows[] = {
      {"", 1},
      {"src", 4},
      {"src <", 6},
      {"src < 1 or", 11},
      {"src < 1 src > 2", 9},
      {"src == 1", 5},
      {"src < 1e3", 7},
      {"src < 0x10", 7},
      {"src < 010", 7},
      {"src < 1.5", 7},
      {"src < - 1", 7},
      {"src < 2^1024", 7},
      {"src < 2^", 7},
      {"src < 2^-0", 7},
      {"src < 2^-", 7},
      {"src < 2^--1", 7},
      {"src < 2^-1075", 7},
      {"2^-14 <= src <= 2^-15", 1},
      {"src < 3^2", 7},
      {"src < +1", 7},
      {"src is", 7},
      {"src is inf", 8},
      {"src is nan nan", 12},
      {"1 < src", 8},
      {"1 > src > 0", 3},
      {"1 < src > 0", 9},
      {"3 < src < 3", 1},
      {"3 <= src < 3", 1},
      {"2^3 <= src <= 7", 1},
      {"0 <= src <= -1", 1},
      {"src < 1 or 9 <= src <= 8", 12},
      {"or < 1", 1},
      {"nan < 1", 1},
      {"(src < 1)", 1},
      {"src < 1 OR src > 2", 9},
      {"src < 1 or or src > 2", 12},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const auto result = parse_domain(row.text);
    const auto* fault = std::get_if<DomainFault>(&result);
    REQUIRE(fault != nullptr);
    CHECK(fault->column == row.column);
    CHECK_FALSE(fault->message.empty());
  }
  CHECK(std::holds_alternative<DomainFault>(parse_domain("x < " + std::string(401, '9'))));
  CHECK(
      std::holds_alternative<std::vector<Condition>>(parse_domain("x < " + std::string(400, '9'))));
}

TEST_CASE("a domain has at most 64 conditions") {
  std::string text = "x < 1";
  for (int i = 1; i < 64; ++i) text += " or x < 1";
  CHECK(good(text).size() == 64);
  const auto result = parse_domain(text + " or x < 1");
  CHECK(std::holds_alternative<DomainFault>(result));
}

TEST_CASE("bounds compare as numbers") {
  CHECK(compare_bounds("2^24", "16777216") == 0);
  CHECK(compare_bounds("2^24", "16777215") > 0);
  CHECK(compare_bounds("2^10", "2^9") > 0);
  CHECK(compare_bounds("-2^10", "-2^9") < 0);
  CHECK(compare_bounds("-1", "1") < 0);
  CHECK(compare_bounds("-0", "0") == 0);
  CHECK(compare_bounds("9", "10") < 0);
  CHECK(compare_bounds("-9", "-10") > 0);
  CHECK(compare_bounds("2^64", "18446744073709551616") == 0);
  CHECK(compare_bounds("2^64", "18446744073709551615") > 0);
  CHECK(compare_bounds("2^1023", "2^1022") > 0);
  CHECK(compare_bounds("2^-14", "2^-15") > 0);
  CHECK(compare_bounds("2^-14", "2^-14") == 0);
  CHECK(compare_bounds("-2^-14", "-2^-15") < 0);
  CHECK(compare_bounds("2^-1074", "0") > 0);
  CHECK(compare_bounds("0", "2^-1074") < 0);
  CHECK(compare_bounds("-2^-1074", "0") < 0);
  CHECK(compare_bounds("2^-1", "1") < 0);
  CHECK(compare_bounds("-2^-1", "-1") > 0);
}

}  // namespace
}  // namespace assay::fkc
