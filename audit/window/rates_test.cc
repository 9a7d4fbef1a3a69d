// Counts of operations and bytes against the contract's formulas, worked out by hand.
#include "audit/window/rates.h"

#include "audit/window/testing/driven.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

/// Of the geometry whose description begins so.
Geometry rate_of(const Operation& operation, const std::string& what) {
  for (const RateGeometry& rate : rate_geometries(operation)) {
    if (rate.what.find(what) == 0) return rate.geometry;
  }
  FAIL("no geometry " << what);
  return {};
}

void check(const Operation& operation, const std::string& what, double operations, double bytes) {
  INFO(operation.contract->kernel << ": " << what);
  const Geometry geometry = rate_of(operation, what);
  CHECK(flops(operation, geometry) == operations);
  CHECK(bytes_moved(operation, geometry) == bytes);
}

TEST_CASE("operations and bytes are those of the contract's formulas", "[window]") {
  const Operation& conv = testing::operation("conv2d", Dtype::kF32);
  // 2 N Cout Cin/groups Kh Kw Hout Wout; (x + w + out) 4
  check(conv, "3x3 window, 16 to 16 channels, 34x34 image", 2.0 * 16 * 16 * 9 * 32 * 32,
        (16 * 34 * 34 + 16 * 16 * 9 + 16 * 32 * 32) * 4);
  check(conv, "1x1 window", 2.0 * 32 * 32 * 28 * 28, (32 * 28 * 28 + 32 * 32 + 32 * 28 * 28) * 4);
  check(conv, "3x3 window, 32 channels each by itself", 2.0 * 32 * 9 * 32 * 32,
        (32 * 34 * 34 + 32 * 9 + 32 * 32 * 32) * 4);
  check(conv, "3x3 window, stride 2", 2.0 * 16 * 16 * 9 * 16 * 16,
        (16 * 33 * 33 + 16 * 16 * 9 + 16 * 16 * 16) * 4);
  const Operation& scattered = testing::operation("conv_transpose2d", Dtype::kF64);
  // 2 N Cin H W Cout/groups Kh Kw
  check(scattered, "3x3 window, 16 to 16", 2.0 * 16 * 34 * 34 * 16 * 9,
        (16 * 34 * 34 + 16 * 16 * 9 + 16 * 36 * 36) * 8);
  check(scattered, "3x3 window, 32 channels each by itself", 2.0 * 32 * 34 * 34 * 9,
        (32 * 34 * 34 + 32 * 9 + 32 * 36 * 36) * 8);
  check(scattered, "3x3 window, stride 2", 2.0 * 16 * 33 * 33 * 16 * 9,
        (16 * 33 * 33 + 16 * 16 * 9 + 16 * 67 * 67) * 8);
  check(testing::operation("conv2d_simple", Dtype::kF16), "3x3 window, 16 to 16",
        2.0 * 16 * 16 * 9 * 32 * 32, (16 * 34 * 34 + 16 * 16 * 9 + 16 * 32 * 32) * 2);
  const Operation& pool = testing::operation("max_pool2d", Dtype::kBF16);
  check(pool, "2x2 window", 16 * 32 * 32 * 4, (16 * 64 * 64 + 16 * 32 * 32) * 2);
  check(pool, "3x3 window", 16 * 32 * 32 * 9, (16 * 34 * 34 + 16 * 32 * 32) * 2);
}

TEST_CASE("geometries of rates are those that an operation admits", "[window]") {
  CHECK(rate_geometries(testing::operation("conv2d", Dtype::kF32)).size() == 4);
  CHECK(rate_geometries(testing::operation("conv_transpose2d", Dtype::kF32)).size() == 4);
  CHECK(rate_geometries(testing::operation("conv2d_simple", Dtype::kF32)).size() ==
        3);  // no groups
  CHECK(rate_geometries(testing::operation("max_pool2d", Dtype::kF32)).size() == 2);
  const auto demanding =
      testing::read_edited("conv2d", Dtype::kF32, {{"      optional: true\n", ""}});
  for (const RateGeometry& rate : rate_geometries(demanding.operation)) CHECK(rate.geometry.bias);
}

TEST_CASE("a formula without a value gives no number", "[window]") {
  const auto changed = [](const char* flops_text) {
    return testing::read_changed("conv2d", Dtype::kF32, [&](fkc::KernelContract& contract) {
      contract.cost.flops = flops_text;
      contract.cost.bytes_moved = "";
    });
  };
  const auto unknown = changed("2 * nothing");
  const Geometry geometry = rate_of(unknown.operation, "3x3");
  CHECK_FALSE(flops(unknown.operation, geometry).has_value());
  CHECK_FALSE(bytes_moved(unknown.operation, geometry).has_value());
  const auto elements = changed("3 * n");
  CHECK(flops(elements.operation, geometry) == 3 * 16 * 32 * 32);
}

int calls_of_simple = 0;

KernelStatus counted(KernelCall& call) {
  ++calls_of_simple;
  return testing::healthy(call, "conv2d_simple", Dtype::kF32);
}

KernelStatus refuses_ones(KernelCall& call) {
  if (call.inputs[1].shape[3] == 1) return KernelStatus::kFailed;
  return testing::healthy(call, "conv2d_simple", Dtype::kF32);
}

/// Refuses what it took the first time.
KernelStatus refuses_again(KernelCall& call) {
  static bool took_ones = false;
  if (call.inputs[1].shape[3] == 1 && took_ones) return KernelStatus::kFailed;
  took_ones = took_ones || call.inputs[1].shape[3] == 1;
  return testing::healthy(call, "conv2d_simple", Dtype::kF32);
}

TEST_CASE("calls are timed, and those that are refused have no time", "[window]") {
  Heartbeat heartbeat = testing::unheard();
  const auto timed = testing::driven("conv2d_simple", Dtype::kF32, {{"scalar", counted}});
  RateTally tally;
  measure_rates(timed->job, *timed->job.variants[0], heartbeat, tally);
  for (std::size_t g = 0; g < 3; ++g) {
    CHECK(tally.seconds[g] > 0);
    CHECK(tally.seconds[g] < 1);
  }
  CHECK(tally.seconds[3] == 0);
  CHECK((calls_of_simple >= 3 && calls_of_simple <= 36));
  const auto refusing = testing::driven("conv2d_simple", Dtype::kF32, {{"scalar", refuses_ones}});
  RateTally refused;
  measure_rates(refusing->job, *refusing->job.variants[0], heartbeat, refused);
  CHECK((refused.seconds[0] > 0 && refused.seconds[1] == 0 && refused.seconds[2] > 0));
  const auto later = testing::driven("conv2d_simple", Dtype::kF32, {{"scalar", refuses_again}});
  RateTally half;
  measure_rates(later->job, *later->job.variants[0], heartbeat, half);
  CHECK(half.seconds[1] == 0);
}

}  // namespace
}  // namespace assay::window
