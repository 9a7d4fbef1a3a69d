// Maxima of windows, over all pairs of f16 patterns of interest and by hand.
#include "oracles/sum/selection.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "contracts/testing/catch.h"
#include "oracles/cast_measure.h"

namespace assay::oracle {
namespace {

TEST_CASE("a number beats a NaN, and the greatest number wins") {
  constexpr Bits kNan = 0x7e01;
  constexpr Bits kOne = 0x3c00;
  constexpr Bits kMinusInfinity = 0xfc00;
  const auto right = [](std::vector<Bits> window, Bits got) {
    return is_right(select_maximum(window, Dtype::kF16), got, Dtype::kF16);
  };
  CHECK(right({kNan, kOne}, kOne));
  CHECK(right({kOne, kNan}, kOne));
  CHECK_FALSE(right({kOne, kNan}, kNan));
  CHECK(right({kMinusInfinity, kMinusInfinity}, kMinusInfinity));
  CHECK_FALSE(right({kMinusInfinity, kMinusInfinity}, 0xfbff));  // the lowest finite number
  CHECK_FALSE(right({0xbc00, 0xc000}, 0x0000));                  // a scan that started at 0
  CHECK(right({0xbc00, 0xc000}, 0xbc00));
  CHECK(right({kNan, kNan}, 0xfe00));
  CHECK(right({kNan, kNan}, kMinusInfinity));
  CHECK_FALSE(right({kNan, kNan}, kOne));
  CHECK(right({0x0000, 0x8000}, 0x8000));
  CHECK(right({0x8000, 0x0000}, 0x0000));
  CHECK_FALSE(right({0x8000, 0x8000}, 0x0000));
  CHECK_FALSE(right({0x0000, 0x0000}, 0x8000));
  CHECK_FALSE(right({kOne, kOne}, 0x3c01));  // not one of the inputs
  CHECK_THROWS(select_maximum({}, Dtype::kF16));
}

TEST_CASE("the maximum is that of the values, for every pair with a fixed second element") {
  for (const Bits second : {0x0000u, 0x8000u, 0x0001u, 0x8001u, 0x3c00u, 0xbc00u, 0x7bffu, 0xfbffu,
                            0x7c00u, 0xfc00u, 0x7e00u}) {
    for (Bits first = 0; first < 0x10000; ++first) {
      const std::vector<Bits> window = {first, second};
      const Selection selection = select_maximum(window, Dtype::kF16);
      const double a = to_double(first, Dtype::kF16);
      const double b = to_double(second, Dtype::kF16);
      const double due = std::isnan(a) ? b : std::isnan(b) ? a : std::max(a, b);
      if (selection.only_nans != std::isnan(due) ||
          (!std::isnan(due) && to_double(selection.maximum, Dtype::kF16) != due)) {
        CAPTURE(first, second);
        REQUIRE(false);
      }
    }
  }
}

}  // namespace
}  // namespace assay::oracle
