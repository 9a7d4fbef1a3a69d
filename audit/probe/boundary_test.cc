// Boundary spaces: every boundary with all its slots, in both signs.
#include <algorithm>
#include <map>
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

/// What a boundary space promises of one boundary.
std::vector<Bits> around(const oracle::BoundaryGroup& group, Bits boundary, bool mirrored,
                         Bits sign) {
  std::vector<Bits> probes = {boundary - (Bits{1} << group.rounding_bit), boundary - 1, boundary};
  for (int bit = 0; bit < group.rounding_bit; ++bit) probes.push_back(boundary | Bits{1} << bit);
  if (mirrored) {
    const std::size_t positive = probes.size();
    for (std::size_t i = 0; i < positive; ++i) probes.push_back(probes[i] | sign);
  }
  return probes;
}

void check_complete(Dtype from, Dtype to) {
  const oracle::CastOperation operation = cast(from, to);
  CAPTURE(testing::name(operation));
  const bool mirrored = traits(from).is_floating() && traits(to).is_floating();
  std::vector<Bits> due;
  for (const oracle::BoundaryGroup& group : oracle::boundary_groups(operation)) {
    for (std::uint64_t i = 0; i < group.count; ++i) {
      const std::vector<Bits> probes =
          around(group, group.first + i * group.step, mirrored, traits(from).sign_mask());
      due.insert(due.end(), probes.begin(), probes.end());
    }
  }
  const auto space = boundary_space(operation, kAllBoundaries, 1);
  CHECK(space->strength() == Strength::kBoundaryComplete);
  CHECK_FALSE(space->seeded());
  std::vector<Bits> got = probes_of(*space);
  CHECK(got.size() == space->size());
  std::sort(due.begin(), due.end());
  std::sort(got.begin(), got.end());
  // As multisets: each boundary's probes, and on top only special values.
  CHECK(std::includes(got.begin(), got.end(), due.begin(), due.end()));
  std::vector<Bits> rest;
  std::set_difference(got.begin(), got.end(), due.begin(), due.end(), std::back_inserter(rest));
  rest.erase(std::unique(rest.begin(), rest.end()), rest.end());
  const std::vector<Bits> special = oracle::special_values(from);
  CHECK(std::includes(special.begin(), special.end(), rest.begin(), rest.end()));
  std::uint64_t blocks = 0;
  for (std::uint64_t chunk = 0; chunk < space->chunks(); ++chunk) blocks += space->blocks(chunk);
  CHECK(got.size() == due.size() + 8 * blocks);
  CHECK(rest.size() > 1000);
}

TEST_CASE("sticky bits in turn: every boundary with the lowest one and another") {
  for (const auto& [from, to] : {std::pair{Dtype::kF64, Dtype::kF16},
                                 {Dtype::kF64, Dtype::kBF16},
                                 {Dtype::kF32, Dtype::kF16}}) {
    const oracle::CastOperation operation = cast(from, to);
    CAPTURE(testing::name(operation));
    const auto space = boundary_space(operation, kAllBoundaries, 1, Sticky::kInTurn);
    CHECK(space->strength() == Strength::kBoundaryComplete);
    std::vector<Bits> got = probes_of(*space);
    CHECK(got.size() == space->size());
    std::sort(got.begin(), got.end());
    const auto has = [&](Bits bits) { return std::binary_search(got.begin(), got.end(), bits); };
    std::size_t missing = 0;
    std::size_t without_turn = 0;
    std::set<int> seen;
    for (const oracle::BoundaryGroup& group : oracle::boundary_groups(operation)) {
      for (std::uint64_t i = 0; i < group.count; ++i) {
        const Bits boundary = group.first + i * group.step;
        for (const Bits sign : {Bits{0}, traits(from).sign_mask()}) {
          for (const Bits probe :
               {boundary - (Bits{1} << group.rounding_bit), boundary - 1, boundary, boundary | 1}) {
            missing += has(probe | sign) ? 0 : 1;
          }
          int turns = 0;
          for (int bit = 1; bit < group.rounding_bit; ++bit) {
            if (!has(boundary | Bits{1} << bit | sign)) continue;
            ++turns;
            seen.insert(bit);
          }
          without_turn += turns > 0 || group.rounding_bit < 2 ? 0 : 1;
        }
      }
    }
    CHECK(missing == 0);
    CHECK(without_turn == 0);
    CHECK(seen.size() > 8);
  }
}

TEST_CASE("the boundary space of f64 to f16 holds every boundary and slot") {
  check_complete(Dtype::kF64, Dtype::kF16);
}
TEST_CASE("the boundary space of f64 to bf16 holds every boundary and slot") {
  check_complete(Dtype::kF64, Dtype::kBF16);
}
TEST_CASE("the boundary spaces of f32 to f16 and bf16 hold every boundary and slot") {
  check_complete(Dtype::kF32, Dtype::kF16);
  check_complete(Dtype::kF32, Dtype::kBF16);
}

TEST_CASE("a boundary sample holds the ends of every exponent, and others by the seed") {
  constexpr std::uint64_t kPerExponent = 96;
  for (const auto& [from, to] : {std::pair{Dtype::kF64, Dtype::kF32},
                                 {Dtype::kF64, Dtype::kU32},
                                 {Dtype::kU32, Dtype::kF32},
                                 {Dtype::kF32, Dtype::kU32}}) {
    const oracle::CastOperation operation = cast(from, to);
    CAPTURE(testing::name(operation));
    const bool mirrored = traits(from).is_floating() && traits(to).is_floating();
    const auto space = boundary_space(operation, kPerExponent, 5);
    CHECK(space->strength() == Strength::kSampled);
    CHECK(space->seeded());
    const std::vector<Bits> first = probes_of(*space);
    std::vector<Bits> got = first;
    std::sort(got.begin(), got.end());
    std::vector<Bits> due;
    std::uint64_t slots = 0;
    for (const oracle::BoundaryGroup& group : oracle::boundary_groups(operation)) {
      const std::uint64_t here = std::min(group.count, kPerExponent);
      slots += here * (3 + static_cast<std::uint64_t>(group.rounding_bit)) * (mirrored ? 2 : 1);
      for (std::uint64_t i = 0; i < group.count; ++i) {
        if (group.count > kPerExponent && i == 32) i = group.count - 32;
        const std::vector<Bits> probes =
            around(group, group.first + i * group.step, mirrored, traits(from).sign_mask());
        due.insert(due.end(), probes.begin(), probes.end());
      }
    }
    std::sort(due.begin(), due.end());
    due.erase(std::unique(due.begin(), due.end()), due.end());
    CHECK(std::includes(got.begin(), got.end(), due.begin(), due.end()));
    CHECK(got.size() > slots);
    CHECK(got.size() < slots + slots / 16);  // special values are an addition only

    CHECK(probes_of(*boundary_space(operation, kPerExponent, 5)) == first);
    CHECK(probes_of(*boundary_space(operation, kPerExponent, 6)) != first);
  }
}

TEST_CASE("a boundary space of more boundaries per exponent than there are is complete") {
  const auto space = boundary_space(cast(Dtype::kF32, Dtype::kBF16), 128, 1);
  CHECK(space->strength() == Strength::kBoundaryComplete);
  CHECK(boundary_space(cast(Dtype::kF32, Dtype::kBF16), 127, 1)->strength() == Strength::kSampled);
}

}  // namespace
}  // namespace assay
