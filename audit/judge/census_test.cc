// Counting by arithmetic against counting one by one.
#include "audit/judge/census.h"

#include <random>

#include "audit/probe/space.h"
#include "audit/testing/contract_with.h"
#include "contracts/testing/catch.h"
#include "oracles/cast_measure.h"

namespace assay {
namespace {

using testing::cast;
using testing::claim;
using testing::contract_with;
using testing::interval;

/// A cast's oracle and cells, with domains that cut the line at odd places.
struct Subject {
  explicit Subject(Dtype from, Dtype to)
      : oracle(cast(from, to)),
        cells(oracle, contract_with(
                          {claim(ClaimKind::kDomainExact, interval("-1000", false, "2^12", false))},
                          {interval("", false, "-40000", true)}, true)) {}
  oracle::CastOracle oracle;
  CellMap cells;

  /// The error of the correctly rounded result.
  double error(Bits input) const {
    return oracle::fast_ulp_error(input, oracle.expect_one(input), oracle.operation());
  }
  bool inexact(Bits input) const { return cells.of(input).exact_domain && error(input) > 0; }
};

/// Equal counts and maxima. Of several inputs with the largest error, or inexact ones, arithmetic
/// may name another than the simplest; it must be one of them.
void check_equal(const Subject& subject, const Census& arithmetic, const Census& one_by_one) {
  CHECK(arithmetic.cell_probes == one_by_one.cell_probes);
  CHECK(arithmetic.error_rows == one_by_one.error_rows);
  CHECK(arithmetic.max_error == one_by_one.max_error);
  CHECK(arithmetic.place_errors == one_by_one.place_errors);
  if (one_by_one.max_error >= 0) {
    CHECK(subject.error(arithmetic.max_error_input) == one_by_one.max_error);
    CHECK(in_scope(ClaimKind::kRounding, subject.cells.of(arithmetic.max_error_input)));
  }
  CHECK(arithmetic.inexact_in_exact_domain == one_by_one.inexact_in_exact_domain);
  if (one_by_one.inexact_in_exact_domain > 0) {
    CHECK(subject.inexact(arithmetic.inexact_input));
  }
}

/// The space's own count against the general one, which visits every probe.
void check_space(const Subject& subject, const ProbeSpace& space, std::uint64_t chunk) {
  CAPTURE(testing::name(subject.oracle.operation()), space.name(), chunk);
  Census own;
  Census general;
  space.count(chunk, subject.cells, subject.oracle, own);
  space.ProbeSpace::count(chunk, subject.cells, subject.oracle, general);
  check_equal(subject, own, general);
  std::uint64_t counted = 0;
  for (const std::uint64_t probes : own.cell_probes) counted += probes;
  CHECK(counted == space.probes(chunk));
}

TEST_CASE("every 16-bit input counted by arithmetic and one by one") {
  for (const Dtype from : {Dtype::kF16, Dtype::kBF16}) {
    for (const Dtype to : {Dtype::kF64, Dtype::kF32, Dtype::kF16, Dtype::kBF16}) {
      if (from == to) continue;
      const Subject subject(from, to);
      check_space(subject, *exhaustive_space(from), 0);
    }
  }
}

TEST_CASE("whole chunks of 32-bit inputs counted by arithmetic and one by one") {
  // The first, with the zeros and subnormals; one of numbers near 1; the last, with the NaNs.
  check_space(Subject(Dtype::kF32, Dtype::kF16), *exhaustive_space(Dtype::kF32), 0);
  check_space(Subject(Dtype::kF32, Dtype::kU32), *exhaustive_space(Dtype::kF32), 252);
  check_space(Subject(Dtype::kU32, Dtype::kF32), *exhaustive_space(Dtype::kU32), 255);
}

constexpr std::pair<Dtype, Dtype> kAll[] = {
    {Dtype::kF32, Dtype::kF64}, {Dtype::kF32, Dtype::kBF16}, {Dtype::kF32, Dtype::kF16},
    {Dtype::kF32, Dtype::kU32}, {Dtype::kU32, Dtype::kF32},  {Dtype::kU32, Dtype::kF64},
    {Dtype::kF64, Dtype::kF32}, {Dtype::kF64, Dtype::kF16},  {Dtype::kF64, Dtype::kBF16},
    {Dtype::kF64, Dtype::kU32}, {Dtype::kF16, Dtype::kBF16}, {Dtype::kBF16, Dtype::kF16}};

TEST_CASE("random stretches of every cast counted by arithmetic and one by one") {
  std::mt19937_64 random(11);
  for (const auto& [from, to] : kAll) {
    const Subject subject(from, to);
    const DtypeTraits& format = traits(from);
    const Bits half = format.is_floating() ? format.magnitude_mask() : format.all_mask();
    for (int i = 0; i < 300; ++i) {
      // Around a cut of the line, or anywhere; short and long, of one sign.
      const std::vector<Cell>& cells = subject.cells.cells();
      const Bits anywhere = i % 2 == 0 ? bits_of_key(cells[random() % cells.size()].first_key, from)
                                       : random() & format.all_mask();
      const Bits sign = format.is_floating() ? anywhere & format.sign_mask() : 0;
      const Bits back = random() % 700;
      Bits first = anywhere & half;
      first = first > back ? first - back : 0;
      const std::uint64_t n = std::min<std::uint64_t>(1 + random() % 1400, half - first + 1);
      Census arithmetic;
      Census one_by_one;
      count_stretch(subject.cells, first | sign, n, arithmetic);
      for (std::uint64_t k = 0; k < n; ++k) {
        const Bits bits = (first + k) | sign;
        count_one(subject.cells, bits, subject.oracle.expect_one(bits), 1, one_by_one);
      }
      CAPTURE(testing::name(subject.oracle.operation()), hex(first | sign, from), n);
      check_equal(subject, arithmetic, one_by_one);
    }
  }
}

TEST_CASE("the boundary space of f64 to f16 counted its own way and one by one") {
  const Subject subject(Dtype::kF64, Dtype::kF16);
  const auto space = boundary_space(subject.oracle.operation(), kAllBoundaries, 1);
  for (std::uint64_t chunk = 0; chunk < space->chunks(); ++chunk) {
    check_space(subject, *space, chunk);
  }
}

TEST_CASE("boundary spaces with sticky bits in turn counted their own way and one by one") {
  for (const Dtype to : {Dtype::kF16, Dtype::kBF16}) {
    const Subject subject(Dtype::kF64, to);
    const auto space =
        boundary_space(subject.oracle.operation(), kAllBoundaries, 1, Sticky::kInTurn);
    for (std::uint64_t chunk = 0; chunk < space->chunks(); ++chunk) {
      check_space(subject, *space, chunk);
    }
  }
  // Of the 2^32 boundaries of f32 those of the greatest subnormals, and some of the last.
  const Subject subject(Dtype::kF64, Dtype::kF32);
  const auto space = boundary_space(subject.oracle.operation(), kAllBoundaries, 1, Sticky::kInTurn);
  std::uint64_t few = 0;
  for (std::uint64_t chunk = 0; chunk < space->chunks(); ++chunk) {
    if (space->probes(chunk) > 3'000'000) continue;
    check_space(subject, *space, chunk);
    ++few;
  }
  CHECK(few > 10);
}

TEST_CASE("boundary samples counted their own way and one by one") {
  for (const auto& [from, to] : {std::pair{Dtype::kF64, Dtype::kF32},
                                 {Dtype::kF64, Dtype::kU32},
                                 {Dtype::kU32, Dtype::kF32}}) {
    const Subject subject(from, to);
    const auto space = boundary_space(subject.oracle.operation(), 48, 3);
    for (std::uint64_t chunk = 0; chunk < space->chunks(); ++chunk) {
      check_space(subject, *space, chunk);
    }
  }
}

TEST_CASE("an exact domain that reaches beyond the range is inexact there") {
  // 2^17 is no binary16 number: a claim that it is converted exactly is false of any kernel.
  const oracle::CastOracle oracle(cast(Dtype::kF32, Dtype::kF16));
  const CellMap cells(
      oracle,
      contract_with({claim(ClaimKind::kDomainExact, interval("2^16", true, "2^18", true))}));
  constexpr Bits first = 0x47800000;  // 2^16
  Census arithmetic;
  Census one_by_one;
  count_stretch(cells, first, 1000, arithmetic);
  for (Bits bits = first; bits < first + 1000; ++bits) {
    count_one(cells, bits, oracle.expect_one(bits), 1, one_by_one);
  }
  CHECK(arithmetic.inexact_in_exact_domain == 1000);
  CHECK(one_by_one.inexact_in_exact_domain == 1000);
}

TEST_CASE("merged censuses are the census of both") {
  const Subject subject(Dtype::kF32, Dtype::kF16);
  Census whole;
  Census low;
  Census high;
  count_stretch(subject.cells, 0x3f000000, 100000, whole);
  count_stretch(subject.cells, 0x3f000000, 40000, low);
  count_stretch(subject.cells, 0x3f000000 + 40000, 60000, high);
  low.merge(high);
  check_equal(subject, low, whole);
}

TEST_CASE("the simpler of two patterns has fewer bits set, then the smaller value") {
  CHECK(Census::simpler(0x80000000, 0x3));
  CHECK(Census::simpler(0x1, 0x2));
  CHECK_FALSE(Census::simpler(0x2, 0x1));
  CHECK_FALSE(Census::simpler(0x5, 0x5));
}

}  // namespace
}  // namespace assay
