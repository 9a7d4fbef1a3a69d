// The measures of contracts/measure.h, on which every verdict about precision rests.
#include "contracts/measure.h"

#include <cmath>
#include <limits>

#include "contracts/testing/catch.h"

namespace assay {
namespace {

constexpr Dtype f32 = Dtype::kF32;
constexpr Dtype f16 = Dtype::kF16;

TEST_CASE("the ordered line of f16 counts every number once, in order of value") {
  // From minus infinity to infinity: 0xfc00 … 0x8000, 0x0000 … 0x7c00.
  std::int64_t key = order_key(0xfc00, f16);
  for (Bits bits = 0xfc00; bits > 0x8000; --bits) {
    REQUIRE(order_key(bits - 1, f16) == ++key);
  }
  REQUIRE(key == -1);
  for (Bits bits = 0; bits <= 0x7c00; ++bits) REQUIRE(order_key(bits, f16) == ++key);
}

TEST_CASE("keys go back to the bits they came from, in every format") {
  for (const DtypeTraits& format : kDtypes) {
    const Bits edges[] = {0,
                          1,
                          format.magnitude_mask(),
                          format.sign_mask(),
                          format.sign_mask() | 1,
                          format.all_mask(),
                          format.all_mask() - 1};
    CAPTURE(format.name);
    for (const Bits bits : edges)
      CHECK(bits_of_key(order_key(bits, format.dtype), format.dtype) == bits);
  }
  for (Bits bits = 0; bits <= 0xffff; ++bits) {
    REQUIRE(bits_of_key(order_key(bits, f16), f16) == bits);
    REQUIRE(bits_of_key(order_key(bits, Dtype::kI16), Dtype::kI16) == bits);
  }
}

struct DistanceRow {
  Dtype dtype;
  Bits a;
  Bits b;
  std::uint64_t due;
};

TEST_CASE("ULP distances count steps") {
  constexpr std::uint64_t kInfinityF32 = 0x7f800000;
  constexpr DistanceRow rows[] = {
      {f32, 0x3f800000, 0x3f800000, 0},
      {f32, 0x3f800000, 0x3f800001, 1},
      {f32, 0x3f7fffff, 0x3f800001, 2},  // across a power of two
      {f32, 0x007fffff, 0x00800000, 1},  // subnormal to normal
      {f32, 0x00000000, 0x80000000, 1},  // the zeros are one step apart
      {f32, 0x00000001, 0x80000001, 3},
      {f32, 0x00000001, 0x80000000, 2},
      {f32, 0x7f7fffff, 0x7f800000, 1},  // infinity is one step beyond
      {f32, 0x7f800000, 0xff800000, 2 * kInfinityF32 + 1},
      {f32, 0xbf800000, 0xbf800003, 3},
      {f32, 0x7fc00000, 0xffffffff, 0},  // two NaNs, whatever their bits
      {f32, 0x7f800001, 0x7fc00001, 0},
      {Dtype::kF64, 0x7ff0000000000000, 0xfff0000000000000, 0xffe0000000000001},
      {Dtype::kU32, 0, 0xffffffff, 0xffffffff},
      {Dtype::kU8, 0x80, 0x7f, 1},
      {Dtype::kI8, 0x80, 0x7f, 255},
      {Dtype::kI32, 0xffffffff, 0, 1},
      {Dtype::kI64, 0x8000000000000000, 0x7fffffffffffffff, 0xffffffffffffffff},
      {Dtype::kI64, 0xffffffffffffffff, 0x0000000000000000, 1},
  };
  for (const DistanceRow& row : rows) {
    CAPTURE(hex(row.a, row.dtype), hex(row.b, row.dtype));
    CHECK(ulp_distance(row.a, row.b, row.dtype) == row.due);
    CHECK(ulp_distance(row.b, row.a, row.dtype) == row.due);
  }
}

TEST_CASE("a NaN has no distance to a number, whatever number") {
  for (const Bits number : {0x00000000u, 0x80000000u, 0x7f800000u, 0xff800000u, 0x3f800000u}) {
    for (const Bits nan : {0x7f800001u, 0xffc00000u, 0x7fffffffu}) {
      CHECK_FALSE(ulp_distance(number, nan, f32));
      CHECK_FALSE(ulp_distance(nan, number, f32));
    }
  }
}

TEST_CASE("integers have no NaNs") {
  CHECK(ulp_distance(0xffffffff, 0x7fc00000, Dtype::kU32) == 0x803fffffu);
}

TEST_CASE("every error is counted in the row whose edges enclose it") {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  CHECK(error_row(0) == 0);
  CHECK(error_row(std::numeric_limits<double>::denorm_min()) == 1);
  CHECK(error_row(infinite) == kErrorEdges.size() - 1);
  for (std::size_t row = 1; row < kErrorEdges.size(); ++row) {
    const double edge = kErrorEdges[row];
    CAPTURE(row, edge);
    CHECK(kErrorEdges[row - 1] < edge);
    CHECK(error_row(edge) == row);
    CHECK(error_row(std::nextafter(edge, 0)) == row);
    if (edge < infinite) CHECK(error_row(std::nextafter(edge, infinite)) == row + 1);
  }
}

}  // namespace
}  // namespace assay
