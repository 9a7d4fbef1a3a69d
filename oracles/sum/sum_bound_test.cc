// The bound, against its formula.
#include "oracles/sum/sum_bound.h"

#include <cmath>

#include "contracts/testing/catch.h"

namespace assay::oracle {
namespace {

// `due` is rounded itself.
bool is_just_above(double value, double due) {
  return value >= due * (1 - 0x1p-50) && value <= due * (1 + 0x1p-50);
}

TEST_CASE("the bound is gamma_m times the magnitudes, and m u times them from m u = 1/2 on") {
  // bf16: u = 2^-8. What falls below its subnormals, n 2^-133, does not show here.
  const DtypeTraits& format = traits(Dtype::kBF16);
  const double u = 0x1p-8;
  for (const std::size_t n : {1u, 2u, 100u, 127u, 128u, 200u, 256u, 100000u}) {
    for (const bool bias : {false, true}) {
      const double steps = static_cast<double>(n + (bias ? 1 : 0)) * u;
      const double factor = steps < 0.5 ? steps / (1 - steps) : steps;
      CAPTURE(n, bias);
      CHECK(is_just_above(sum_bound(n, bias, 3, format).error, 3 * factor));
    }
  }
}

TEST_CASE("what products lose below the least subnormal is in the bound") {
  const double least = 0x1p-24;  // of f16, whose u is 2^-11
  CHECK(is_just_above(sum_bound(7, false, 0, traits(Dtype::kF16)).error,
                      7 * least * (1 + 7 * 0x1p-11)));
  CHECK(sum_bound(0, false, 0, traits(Dtype::kF16)).error == 0);
}

TEST_CASE("every order is covered as long as no partial sum can reach beyond the largest number") {
  const DtypeTraits& format = traits(Dtype::kF16);  // largest: 65504
  CHECK(sum_bound(1, false, 65400, format).covers_every_order);
  CHECK_FALSE(sum_bound(1, false, 65504, format).covers_every_order);
  CHECK_FALSE(sum_bound(100, false, 65400, format).covers_every_order);
  CHECK_FALSE(sum_bound(1, false, HUGE_VAL, format).covers_every_order);
  CHECK(std::isinf(sum_bound(1, false, HUGE_VAL, format).error));
}

TEST_CASE("what a product can lose or gain below the least subnormal can reach beyond, too") {
  // gamma_1 of f16 is 1/2047: without that loss, `edge` is the last sum that is covered.
  const DtypeTraits& format = traits(Dtype::kF16);
  const double edge = 65504.0 - 65504.0 / 2048;
  CHECK_FALSE(sum_bound(1, false, edge - 0x1p-25, format).covers_every_order);
  CHECK(sum_bound(1, false, edge - 0x1p-23, format).covers_every_order);
}

}  // namespace
}  // namespace assay::oracle
