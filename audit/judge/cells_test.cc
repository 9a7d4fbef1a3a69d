// The cell map against a classification made input by input with MPFR's results.
#include "audit/judge/cells.h"

#include <cmath>
#include <optional>
#include <random>
#include <stdexcept>

#include "audit/testing/contract_with.h"
#include "contracts/measure.h"
#include "contracts/testing/catch.h"
#include "oracles/cast_measure.h"
#include "oracles/special_values.h"

namespace assay {
namespace {

using testing::cast;
using testing::claim;
using testing::contract_with;
using testing::interval;

/// An interval as numbers that binary64 holds exactly.
struct Range {
  double lower;
  bool lower_inclusive;
  double upper;
  bool upper_inclusive;

  bool holds(double value) const {
    return (lower_inclusive ? value >= lower : value > lower) &&
           (upper_inclusive ? value <= upper : value < upper);
  }
};

CellClass direct_class(oracle::ExactCast& exact, const oracle::CastOperation& operation,
                       Bits bits) {
  const double value = oracle::to_double(bits, operation.from);
  if (std::isnan(value)) return CellClass::kNan;
  if (std::isinf(value)) return CellClass::kInfinite;
  if (value == 0) return CellClass::kZero;
  const Bits result = exact(bits);
  const double rounded = oracle::to_double(result, operation.to);
  const bool out_of_range = traits(operation.to).is_floating()
                                ? std::isinf(rounded)
                                : value <= -1 || value >= 4294967296.0;
  if (out_of_range) return CellClass::kOverflow;
  if (rounded == 0) return CellClass::kUnderflow;
  const DtypeTraits& from = traits(operation.from);
  const DtypeTraits& to = traits(operation.to);
  const bool small_input =
      from.is_floating() && std::fabs(value) < std::ldexp(1.0, from.min_exponent);
  const bool small_result =
      to.is_floating() && std::fabs(rounded) < std::ldexp(1.0, to.min_exponent);
  return small_input || small_result ? CellClass::kSubnormal : CellClass::kNormal;
}

/// Every 16-bit pattern; of wider formats the special values with neighbours up to 3 patterns away,
/// and seeded random ones.
std::vector<Bits> inputs(const oracle::CastOperation& operation, const CellMap& map) {
  const DtypeTraits& from = traits(operation.from);
  std::vector<Bits> all;
  if (from.width == 16) {
    for (Bits bits = 0; bits <= 0xffff; ++bits) all.push_back(bits);
    return all;
  }
  std::vector<Bits> centres = oracle::special_values(operation.from);
  for (const Cell& cell : map.cells()) {
    centres.push_back(bits_of_key(cell.first_key, operation.from));
  }
  for (const Bits centre : centres) {
    for (Bits offset = 0; offset <= 6; ++offset) {
      all.push_back((centre + offset - 3) & from.all_mask());
    }
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    all.push_back((random() >> (random() % 60)) & from.all_mask());
    all.push_back((random() & from.all_mask()) ^ (random() % 2 == 0 ? 0 : from.sign_mask()));
  }
  return all;
}

struct Domain {
  std::optional<Interval> exact_text;
  std::optional<Range> exact;
  std::vector<Interval> outside_text;
  std::vector<Range> outside;
  bool outside_nan = false;
};

void check(const oracle::CastOperation& operation, const Domain& domain) {
  CAPTURE(testing::name(operation));
  std::vector<Claim> claims;
  if (domain.exact_text) claims.push_back(claim(ClaimKind::kDomainExact, *domain.exact_text));
  const fkc::KernelContract contract =
      contract_with(claims, domain.outside_text, domain.outside_nan);
  const oracle::CastOracle oracle(operation);
  const CellMap map(oracle, contract);
  oracle::ExactCast exact(operation);
  for (const Bits bits : inputs(operation, map)) {
    const Cell& cell = map.of(bits);
    const double value = oracle::to_double(bits, operation.from);
    bool outside = domain.outside_nan && std::isnan(value);
    for (const Range& range : domain.outside) outside = outside || range.holds(value);
    CAPTURE(hex(bits, operation.from));
    REQUIRE(cell.kind == direct_class(exact, operation, bits));
    REQUIRE(cell.exact_domain == (domain.exact && domain.exact->holds(value)));
    REQUIRE(cell.caller_error == outside);
  }
}

const std::vector<oracle::CastOperation>& all_casts() {
  static const std::vector<oracle::CastOperation> casts = [] {
    constexpr Dtype dtypes[] = {Dtype::kF64, Dtype::kF32, Dtype::kF16, Dtype::kBF16, Dtype::kU32};
    std::vector<oracle::CastOperation> result;
    for (const Dtype from : dtypes) {
      for (const Dtype to : dtypes) {
        if (from != to && oracle::has_cast_oracle(cast(from, to))) result.push_back(cast(from, to));
      }
    }
    return result;
  }();
  return casts;
}

constexpr double kInfinite = HUGE_VAL;

TEST_CASE("cells of every cast have the class that MPFR's results give") {
  CHECK(all_casts().size() == 16);
  for (const oracle::CastOperation& operation : all_casts()) check(operation, {});
}

TEST_CASE("cells know the domains of contracts, open and closed") {
  for (const oracle::CastOperation& operation : all_casts()) {
    Domain domain;
    domain.exact_text = interval("-1024", true, "2^10", false);
    domain.exact = Range{-1024, true, 1024, false};
    domain.outside_text = {interval("", false, "-3000", false), interval("30001", true, "", false)};
    domain.outside = {{-kInfinite, true, -3000, false}, {30001, true, kInfinite, true}};
    domain.outside_nan = true;
    check(operation, domain);
  }
}

TEST_CASE("bounds that no value meets, that only zero meets, and half-open ones") {
  for (const oracle::CastOperation& operation : all_casts()) {
    Domain domain;
    domain.exact_text = interval("0", true, "0", true);  // both zeros have the value 0
    domain.exact = Range{0, true, 0, true};
    domain.outside_text = {interval("", false, "0", false)};
    domain.outside = {{-kInfinite, true, 0, false}};
    check(operation, domain);

    domain.exact_text = interval("2^24", false, "", false);
    domain.exact = Range{16777216, false, kInfinite, true};
    domain.outside_text = {interval("-1", false, "1", false)};
    domain.outside = {{-1, false, 1, false}};
    check(operation, domain);
  }
}

TEST_CASE("bounds below 1: the subnormals of binary32, without the least normal number") {
  for (const oracle::CastOperation& operation : all_casts()) {
    const double least_normal = std::ldexp(1.0, -126);
    Domain domain;
    domain.exact_text = interval("2^-14", true, "2^-13", true);
    domain.exact = Range{std::ldexp(1.0, -14), true, std::ldexp(1.0, -13), true};
    domain.outside_text = {interval("-2^-126", false, "2^-126", false)};
    domain.outside = {{-least_normal, false, least_normal, false}};
    check(operation, domain);
  }
}

TEST_CASE("the domain of the reference casts to integers") {
  for (const Dtype from : {Dtype::kF32, Dtype::kF64}) {
    Domain domain;
    domain.outside_text = {interval("", false, "0", false),
                           interval("4294967295", false, "", false)};
    domain.outside = {{-kInfinite, true, 0, false}, {4294967295.0, false, kInfinite, true}};
    domain.outside_nan = true;
    check(cast(from, Dtype::kU32), domain);
  }
}

TEST_CASE("cells begin in order, the first at the start of the line") {
  for (const oracle::CastOperation& operation : all_casts()) {
    const oracle::CastOracle oracle(operation);
    const CellMap map(oracle, contract_with({}));
    const DtypeTraits& from = traits(operation.from);
    const Bits start = from.is_floating() ? from.all_mask() : 0;
    CHECK(map.cells().front().first_key == order_key(start, operation.from));
    for (std::size_t i = 0; i + 1 < map.cells().size(); ++i) {
      REQUIRE(map.cells()[i].first_key < map.cells()[i + 1].first_key);
    }
    for (std::size_t i = 0; i < map.cells().size(); ++i) {
      REQUIRE(map.index(bits_of_key(map.cells()[i].first_key, operation.from)) == i);
    }
  }
}

TEST_CASE("a contract that cuts the line into too many parts is refused") {
  std::vector<Interval> conditions;
  for (int i = 0; i < 40; ++i) {
    conditions.push_back(interval(std::to_string(2 * i), true, std::to_string(2 * i + 1), false));
  }
  const oracle::CastOracle oracle(cast(Dtype::kF32, Dtype::kF16));
  CHECK_THROWS_AS(CellMap(oracle, contract_with({}, conditions)), std::invalid_argument);
}

struct ScopeRow {
  ClaimKind kind;
  const char* classes;  ///< zero, underflow, subnormal, normal, overflow, infinite, NaN
};

TEST_CASE("each claim speaks about its own classes of input") {
  constexpr ScopeRow rows[] = {
      {ClaimKind::kMaxUlp, "xxxxxxx"},      {ClaimKind::kMaxRelative, "xxxx..."},
      {ClaimKind::kMaxAbsolute, "xxxx..."}, {ClaimKind::kRounding, "xxxx..."},
      {ClaimKind::kOverflow, "....x.."},    {ClaimKind::kNan, "......x"},
      {ClaimKind::kInfinity, ".....x."},    {ClaimKind::kSignedZero, "xx....."},
      {ClaimKind::kSubnormals, "..x...."},  {ClaimKind::kDomainExact, "......."},
  };
  for (const ScopeRow& row : rows) {
    for (std::size_t i = 0; i < kCellClasses; ++i) {
      Cell cell;
      cell.kind = static_cast<CellClass>(i);
      CAPTURE(assay::row(row.kind).id, i);
      CHECK(in_scope(row.kind, cell) == (row.classes[i] == 'x'));
      cell.caller_error = true;
      CHECK_FALSE(in_scope(row.kind, cell));
      cell.caller_error = false;
      cell.exact_domain = true;
      if (row.kind == ClaimKind::kDomainExact) CHECK(in_scope(row.kind, cell));
    }
  }
}

}  // namespace
}  // namespace assay
