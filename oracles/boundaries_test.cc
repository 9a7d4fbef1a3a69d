// Rounding boundaries against MPFR: the cast changes at each of them as it should, and nowhere
// between two of them.
#include "oracles/boundaries.h"

#include <random>
#include <stdexcept>

#include "contracts/testing/catch.h"

namespace assay::oracle {
namespace {

constexpr CastOperation operation(Dtype from, Dtype to) {
  return {from, to, traits(to).is_floating() ? Rounding::kNearestEven : Rounding::kTowardZero};
}

/// What is wrong around one boundary, counted.
struct Faults {
  std::uint64_t step = 0;      ///< the results on its two sides are not neighbours
  std::uint64_t tie = 0;       ///< the boundary does not go to the even side
  std::uint64_t between = 0;   ///< the result changes before the next boundary
  std::uint64_t order = 0;     ///< not above the boundary before
  std::uint64_t mirrored = 0;  ///< the negative of the boundary rounds otherwise

  std::uint64_t all() const { return step + tie + between + order + mirrored; }
};

/// Looks at boundaries one by one, in increasing order.
class Walk {
 public:
  explicit Walk(CastOperation cast) : cast_(cast), exact_(cast) {}

  void at(Bits boundary) {
    const Bits below = exact_(boundary - 1);
    const Bits on = exact_(boundary);
    const Bits above = exact_(boundary + 1);
    if (cast_.to == Dtype::kU32) {
      // Truncation: the boundary is an integer that the source holds and its own result. The
      // pattern above it is the next such integer, or has the same result, or leaves the range.
      const bool leaves = above == traits(cast_.to).all_mask();
      const bool integer = exact_.representable(boundary + 1);
      faults_.step += on <= below || (!leaves && (integer ? above <= on : above != on));
      faults_.tie += !exact_.representable(boundary);
    } else {
      faults_.step += above != below + 1;
      faults_.tie += on != (below % 2 == 0 ? below : above);
    }
    if (traits(cast_.from).is_floating() && traits(cast_.to).is_floating()) {
      const Bits sign = traits(cast_.from).sign_mask();
      faults_.mirrored += exact_(boundary | sign) != (on | traits(cast_.to).sign_mask());
    }
    faults_.order += seen_ > 0 && boundary <= last_;
    ++seen_;
    last_ = boundary;
    // What the patterns up to the next boundary give.
    last_result_ = cast_.to == Dtype::kU32 ? on : above;
  }

  /// As `at`, where no boundary lies between this one and the one before.
  void next(Bits boundary) {
    faults_.between += exact_(boundary - 1) != last_result_;
    at(boundary);
  }

  const Faults& faults() const { return faults_; }

 private:
  CastOperation cast_;
  ExactCast exact_;
  Faults faults_;
  std::uint64_t seen_ = 0;
  Bits last_ = 0;
  Bits last_result_ = 0;
};

/// Every boundary; then the cast is known at every positive pattern, since rounding is monotone.
Faults check_all(CastOperation cast, Bits first_result) {
  Walk walk(cast);
  bool first = true;
  std::uint64_t wrong_start = 0;
  for (const BoundaryGroup& group : boundary_groups(cast)) {
    for (std::uint64_t i = 0; i < group.count; ++i) {
      const Bits boundary = group.first + i * group.step;
      if (first) {
        wrong_start = ExactCast(cast)(boundary - 1) != first_result;
        walk.at(boundary);
      } else {
        walk.next(boundary);
      }
      first = false;
    }
  }
  Faults faults = walk.faults();
  faults.between += wrong_start;
  return faults;
}

void check_complete(Dtype from, Dtype to) {
  const CastOperation cast = operation(from, to);
  CAPTURE(traits(from).name, traits(to).name);
  // One boundary above each finite result: the last of them leads to infinity.
  CHECK(boundary_count(boundary_groups(cast)) == traits(to).infinity());
  const Faults faults = check_all(cast, 0);
  CHECK(faults.step == 0);
  CHECK(faults.tie == 0);
  CHECK(faults.between == 0);
  CHECK(faults.order == 0);
  CHECK(faults.mirrored == 0);
  const BoundaryGroup last = boundary_groups(cast).back();
  CHECK(ExactCast(cast)(last.first + (last.count - 1) * last.step) == traits(to).infinity());
}

TEST_CASE("every boundary of f64 to f16 separates two neighbours") {
  check_complete(Dtype::kF64, Dtype::kF16);
}
TEST_CASE("every boundary of f64 to bf16 separates two neighbours") {
  check_complete(Dtype::kF64, Dtype::kBF16);
}
TEST_CASE("every boundary of f32 to f16 separates two neighbours") {
  check_complete(Dtype::kF32, Dtype::kF16);
}
TEST_CASE("every boundary of f32 to bf16 separates two neighbours") {
  check_complete(Dtype::kF32, Dtype::kBF16);
}

/// About `wanted` boundaries: of each group the first and last few, and pairs of neighbours at
/// random places.
Faults check_spread(CastOperation cast, std::uint64_t wanted) {
  const std::vector<BoundaryGroup> groups = boundary_groups(cast);
  std::mt19937_64 random(7);
  Walk walk(cast);
  bool begun = false;
  for (const BoundaryGroup& group : groups) {
    const auto boundary = [&](std::uint64_t i) { return group.first + i * group.step; };
    const std::uint64_t pairs = wanted / groups.size() / 2;
    if (group.count <= 2 * pairs) {
      for (std::uint64_t i = 0; i < group.count; ++i) {
        begun ? walk.next(boundary(i)) : walk.at(boundary(i));
        begun = true;
      }
      continue;
    }
    // Groups follow each other without a gap, and so do the boundaries of a pair.
    begun ? walk.next(boundary(0)) : walk.at(boundary(0));
    begun = true;
    const std::uint64_t stretch = group.count / pairs;
    for (std::uint64_t p = 0; p < pairs; ++p) {
      const std::uint64_t i = p * stretch + 1 + random() % (stretch - 1);
      if (i + 1 >= group.count) break;
      if (boundary(i) > boundary(0)) walk.at(boundary(i));
      walk.next(boundary(i + 1));
    }
    walk.at(boundary(group.count - 1));
  }
  return walk.faults();
}

TEST_CASE("boundaries of wider destinations separate two neighbours") {
  struct Row {
    Dtype from;
    Dtype to;
    std::uint64_t count;
  };
  constexpr Row rows[] = {
      {Dtype::kF64, Dtype::kF32, 0x7f800000},
      {Dtype::kF64, Dtype::kU32, 0xffffffff},
      // 8 binades of integers with 25 to 32 bits, 2^23 boundaries in each.
      {Dtype::kU32, Dtype::kF32, std::uint64_t{8} << 23},
      // The integers from 1 to 2^32 - 2^8 that have at most 24 significant bits.
      {Dtype::kF32, Dtype::kU32, (std::uint64_t{1} << 24) - 1 + (std::uint64_t{8} << 23)},
  };
  for (const Row& row : rows) {
    const CastOperation cast = operation(row.from, row.to);
    CAPTURE(traits(row.from).name, traits(row.to).name);
    CHECK(boundary_count(boundary_groups(cast)) == row.count);
    const Faults faults = check_spread(cast, 100000);
    CHECK(faults.step == 0);
    CHECK(faults.tie == 0);
    CHECK(faults.between == 0);
    CHECK(faults.order == 0);
    CHECK(faults.mirrored == 0);
  }
}

TEST_CASE("the first and last boundaries of wider destinations are at the ends of the results") {
  struct Row {
    Dtype from;
    Dtype to;
    Bits first;
    Bits last;
  };
  constexpr Row rows[] = {
      {Dtype::kF64, Dtype::kF32, 0x3690000000000000, 0x47effffff0000000},
      {Dtype::kF64, Dtype::kU32, 0x3ff0000000000000, 0x41efffffffe00000},
      {Dtype::kU32, Dtype::kF32, 0x01000001, 0xffffff80},
      {Dtype::kF32, Dtype::kU32, 0x3f800000, 0x4f7fffff},
  };
  for (const Row& row : rows) {
    const std::vector<BoundaryGroup> groups = boundary_groups(operation(row.from, row.to));
    CAPTURE(traits(row.from).name, traits(row.to).name);
    CHECK(groups.front().first == row.first);
    CHECK(groups.back().first + (groups.back().count - 1) * groups.back().step == row.last);
  }
}

TEST_CASE("the rounding bit is the lowest bit that a group's boundaries need") {
  for (const auto& [from, to] : {std::pair{Dtype::kF64, Dtype::kF16},
                                 {Dtype::kF32, Dtype::kBF16},
                                 {Dtype::kF64, Dtype::kF32},
                                 {Dtype::kF32, Dtype::kU32},
                                 {Dtype::kU32, Dtype::kF32}}) {
    for (const BoundaryGroup& group : boundary_groups(operation(from, to))) {
      // With the hidden bit in its place, so that a power of two has a lowest bit as well.
      Bits lowest = ~Bits{0};
      for (std::uint64_t i = 0; i < std::min<std::uint64_t>(group.count, 4); ++i) {
        Bits significand = group.first + i * group.step;
        if (traits(from).is_floating() && significand >= traits(from).min_normal()) {
          significand = (significand & traits(from).fraction_mask()) | traits(from).min_normal();
        }
        lowest = std::min(lowest, significand & (~significand + 1));
      }
      CAPTURE(traits(from).name, traits(to).name, group.first);
      CHECK(lowest == Bits{1} << group.rounding_bit);
    }
  }
}

TEST_CASE("exact casts have no boundaries, and unknown ones are refused") {
  CHECK(boundary_groups({Dtype::kF16, Dtype::kF32, Rounding::kExact}).empty());
  CHECK_THROWS_AS(boundary_groups({Dtype::kI32, Dtype::kF32, Rounding::kNearestEven}),
                  std::invalid_argument);
  CHECK_THROWS_AS(boundary_groups({Dtype::kF16, Dtype::kBF16, Rounding::kNearestEven}),
                  std::invalid_argument);
}

TEST_CASE("the check of boundaries sees a boundary moved by one pattern, left out or repeated") {
  const CastOperation cast = operation(Dtype::kF32, Dtype::kF16);
  const BoundaryGroup group = boundary_groups(cast).back();
  const auto faults = [&](std::initializer_list<Bits> boundaries) {
    Walk walk(cast);
    bool begun = false;
    for (const Bits boundary : boundaries) {
      begun ? walk.next(boundary) : walk.at(boundary);
      begun = true;
    }
    return walk.faults();
  };
  const Bits a = group.first;
  const Bits b = a + group.step;
  const Bits c = b + group.step;
  CHECK(faults({a, b, c}).all() == 0);
  CHECK(faults({a, b + 1, c}).step > 0);
  CHECK(faults({a, c}).between > 0);
  CHECK(faults({a, a}).order > 0);
}

}  // namespace
}  // namespace assay::oracle
