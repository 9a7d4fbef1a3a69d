// Special values and the stratified sample.
#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "audit/probe/space.h"
#include "audit/testing/contract_with.h"
#include "audit/testing/probes_of.h"
#include "contracts/testing/catch.h"
#include "oracles/boundaries.h"
#include "oracles/special_values.h"

namespace assay {
namespace {

using testing::cast;
using testing::probes_of;

TEST_CASE("the space of special values holds each of them four times, in other company") {
  for (const Dtype dtype : {Dtype::kF64, Dtype::kF32, Dtype::kF16, Dtype::kBF16, Dtype::kU32}) {
    const std::vector<Bits> values = oracle::special_values(dtype);
    std::vector<Bits> got = probes_of(*special_space(dtype));
    CAPTURE(traits(dtype).name);
    REQUIRE(got.size() == 4 * values.size());
    std::set<std::pair<Bits, Bits>> pairs;
    for (std::size_t i = 0; i + 1 < got.size(); ++i) pairs.insert({got[i], got[i + 1]});
    CHECK(pairs.size() > got.size() * 9 / 10);
    std::sort(got.begin(), got.end());
    for (std::size_t i = 0; i < got.size(); ++i) REQUIRE(got[i] == values[i / 4]);
  }
}

TEST_CASE("a stratified sample is a function of its seed") {
  const oracle::CastOperation operation = cast(Dtype::kF64, Dtype::kF32);
  const std::vector<Bits> first = probes_of(*stratified_space(operation, 5000, 1));
  CHECK(first.size() == 5000);
  CHECK(probes_of(*stratified_space(operation, 5000, 1)) == first);
  const std::vector<Bits> second = probes_of(*stratified_space(operation, 5000, 2));
  std::size_t equal = 0;
  for (std::size_t i = 0; i < first.size(); ++i) equal += first[i] == second[i];
  CHECK(equal < 200);  // the rest are sparse significands, often zero
}

TEST_CASE("a longer sample begins with the shorter one") {
  const oracle::CastOperation operation = cast(Dtype::kF32, Dtype::kF16);
  const std::vector<Bits> shorter = probes_of(*stratified_space(operation, 3000, 9));
  std::vector<Bits> longer = probes_of(*stratified_space(operation, 300000, 9));
  longer.resize(shorter.size());
  CHECK(longer == shorter);
}

TEST_CASE("a stratified sample of floating inputs has every exponent in both signs") {
  for (const Dtype from : {Dtype::kF64, Dtype::kF32}) {
    const DtypeTraits& format = traits(from);
    std::set<Bits> seen;
    for (const Bits bits : probes_of(*stratified_space(cast(from, Dtype::kF16), 1 << 15, 1))) {
      seen.insert(bits >> format.fraction_bits());
    }
    CAPTURE(format.name);
    CHECK(seen.size() == Bits{1} << (format.width - format.fraction_bits()));
  }
}

TEST_CASE("a stratified sample of integers has every bit length about equally often") {
  constexpr std::size_t kProbes = 1 << 16;
  std::size_t lengths[33] = {};
  for (const Bits bits : probes_of(*stratified_space(cast(Dtype::kU32, Dtype::kF32), kProbes, 1))) {
    ++lengths[std::bit_width(bits)];
  }
  for (int length = 1; length <= 32; ++length) {
    CAPTURE(length);
    CHECK(lengths[length] > kProbes / 32 / 4);
  }
}

/// How many probes are a boundary of the destination, or next to one.
struct Near {
  std::size_t on = 0;
  std::size_t beside = 0;
};

Near near_boundaries(oracle::CastOperation operation, const std::vector<Bits>& probes) {
  Near result;
  const std::vector<oracle::BoundaryGroup> groups = oracle::boundary_groups(operation);
  const auto is_boundary = [&](Bits bits) {
    for (const oracle::BoundaryGroup& group : groups) {
      const Bits offset = bits - group.first;
      if (bits >= group.first && offset % group.step == 0 && offset / group.step < group.count) {
        return true;
      }
    }
    return false;
  };
  const Bits magnitude_mask = traits(operation.from).is_floating()
                                  ? traits(operation.from).magnitude_mask()
                                  : traits(operation.from).all_mask();
  for (const Bits bits : probes) {
    const Bits magnitude = bits & magnitude_mask;
    if (is_boundary(magnitude)) {
      ++result.on;
    } else if (is_boundary(magnitude - 1) || is_boundary(magnitude + 1)) {
      ++result.beside;
    }
  }
  return result;
}

TEST_CASE("a quarter of a stratified sample lies on ties of the destination, or beside them") {
  struct Row {
    Dtype from;
    Dtype to;
    double share;  ///< of the exponents, those in which the destination has normal numbers
  };
  // f32 to f16: 30 of 256 binades; f64 to f32: 254 of 2048; u32 to f32: the lengths 25 to 32.
  constexpr Row rows[] = {{Dtype::kF32, Dtype::kF16, 30.0 / 256},
                          {Dtype::kF64, Dtype::kF32, 254.0 / 2048},
                          {Dtype::kU32, Dtype::kF32, 8.0 / 32}};
  for (const Row& row : rows) {
    const oracle::CastOperation operation = cast(row.from, row.to);
    constexpr std::size_t kProbes = 1 << 16;
    const Near near =
        near_boundaries(operation, probes_of(*stratified_space(operation, kProbes, 1)));
    CAPTURE(testing::name(operation), near.on, near.beside);
    const double shaped = static_cast<double>(kProbes) / 4 * row.share;
    // A third of them on the tie itself, as the shape says; others come by chance.
    CHECK(static_cast<double>(near.on) > shaped / 4);
    CHECK(static_cast<double>(near.beside) > shaped / 2);
  }
}

}  // namespace
}  // namespace assay
