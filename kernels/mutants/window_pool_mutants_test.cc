// Every mutant of a pooling's results differs from the kernel where it says so, and not beside
// that.

#include <set>

#include "contracts/testing/catch.h"
#include "kernels/mutants/testing/window_call.h"

namespace assay::testing {
namespace {

/// A pooling that shows a fault, and elements that do not. Drawn numbers where there are none.
struct PoolTrigger {
  const char* mutant;
  std::vector<std::int64_t> shape;
  std::int64_t kernel;
  std::int64_t stride;
  std::vector<Bits> shown;
  std::vector<Bits> hidden;
};

const PoolTrigger kPoolTriggers[] = {
    {"max_pool2d_f32_starts_at_zero", {1, 1, 1, 1}, 1, 1, {0xbf800000}, {0x00000000}},
    {"max_pool2d_bf16_starts_at_zero", {1, 1, 1, 1}, 1, 1, {0x8001}, {0x0001}},
    {"max_pool2d_f64_starts_at_lowest_finite",
     {1, 1, 1, 1},
     1,
     1,
     {0xfff0000000000000},
     {0xffefffffffffffff}},
    {"max_pool2d_f16_starts_at_lowest_finite", {1, 1, 1, 1}, 1, 1, {0xfc00}, {0xfbff}},
    {"max_pool2d_f32_starts_at_first_of_tensor",
     {1, 2, 1, 1},
     1,
     1,
     {0x40000000, 0x3f800000},
     {0x3f800000, 0x40000000}},
    {"max_pool2d_f32_nan_wins",
     {1, 1, 2, 2},
     2,
     1,
     {0x3f800000, 0, 0, 0x7fc00000},
     {0x3f800000, 0, 0, 0xff800000}},
    {"max_pool2d_bf16_nan_wins", {1, 1, 2, 2}, 2, 1, {0x3f80, 0, 0, 0xff81}, {0x3f80, 0, 0, 0}},
    {"max_pool2d_f64_nan_stays",
     {1, 1, 2, 2},
     2,
     1,
     {0x7ff8000000000000, 0, 0, 0x3ff0000000000000},
     {0, 0x7ff8000000000000, 0, 0x3ff0000000000000}},
    {"max_pool2d_f32_patterns_as_integers",
     {1, 1, 2, 2},
     2,
     1,
     {0xbf800000, 0xc0000000, 0xbf800000, 0xbf800000},
     {0xbf800000, 0xc0000000, 0xbf800000, 0x00000001}},
    {"max_pool2d_f16_patterns_as_integers",
     {1, 1, 2, 2},
     2,
     1,
     {0xbc00, 0xbc01, 0xbc00, 0xbc00},
     {0xbc00, 0xbc00, 0xfe00, 0xbc00}},
    {"max_pool2d_bf16_greatest_magnitude",
     {1, 1, 2, 2},
     2,
     1,
     {0x3f80, 0xbf81, 0, 0},
     {0x3f81, 0xbf80, 0, 0}},
    {"max_pool2d_f16_through_bf16", {1, 1, 1, 1}, 1, 1, {0x3c01}, {0x3c08}},
    {"max_pool2d_f64_through_f32", {1, 1, 1, 1}, 1, 1, {0x3ff0000000000001}, {0x3ff0000020000000}},
    {"max_pool2d_f32_subnormal_flushed", {1, 1, 1, 1}, 1, 1, {0x007fffff}, {0x00800000}},
    {"max_pool2d_bf16_infinity_clamped", {1, 1, 1, 1}, 1, 1, {0x7f80}, {0x7f7f}},
    {"max_pool2d_f16_wrong_for_one_pair",
     {1, 1, 2, 2},
     2,
     1,
     {0x3c00, 0x3c01, 0, 0},
     {0x3c02, 0x3c01, 0x3c00, 0x3bff}},
    {"max_pool2d_f32_last_column_missed", {1, 1, 2, 2}, 2, 1, {0, 1, 0, 0}, {1, 0, 0, 0}},
    {"max_pool2d_f64_last_row_missed", {1, 1, 2, 2}, 2, 1, {0, 0, 1, 0}, {0, 1, 0, 0}},
    {"max_pool2d_f32_stride_of_kernel", {1, 1, 6, 6}, 2, 1, {}, {}},
    {"max_pool2d_bf16_planes_square", {1, 3, 5, 3}, 2, 1, {}, {}},
    {"max_pool2d_f16_column_of_8_bits", {1, 1, 1, 257}, 1, 1, {}, {}},
    {"max_pool2d_f32_keeps_greater_output", {1, 1, 1, 1}, 1, 1, {0x3f800000}, {0x7f800000}},
};

TEST_CASE("mutants of pooling are wrong at their triggers and right beside them") {
  for (const PoolTrigger& trigger : kPoolTriggers) {
    const Mutant& mutant = window_mutant(trigger.mutant);
    INFO(mutant.name << ": " << mutant.what);
    const Dtype dtype = kernel_of(mutant).outputs[0];
    Convolution made = make_pooling(dtype, trigger.shape, trigger.kernel, trigger.stride);
    std::mt19937_64 random(7);
    draw_all(made.inputs[0], Values::kWide, random);
    if (!trigger.shown.empty()) made.inputs[0].fill(trigger.shown);
    CHECK(first_difference(result(scalar(mutant), made), result(mutant.function, made)) != "");
    if (trigger.hidden.empty()) continue;
    made.inputs[0].fill(trigger.hidden);
    CHECK(first_difference(result(scalar(mutant), made), result(mutant.function, made)) == "");
  }
}

TEST_CASE("poolings of faulty steps are right where the steps agree") {
  const auto check_same = [](const char* name, const std::vector<std::int64_t>& shape,
                             std::int64_t kernel, std::int64_t stride) {
    const Mutant& mutant = window_mutant(name);
    Convolution made = make_pooling(kernel_of(mutant).outputs[0], shape, kernel, stride);
    std::mt19937_64 random(7);
    draw_all(made.inputs[0], Values::kWide, random);
    INFO(name);
    CHECK(first_difference(result(scalar(mutant), made), result(mutant.function, made)) == "");
  };
  check_same("max_pool2d_f32_stride_of_kernel", {1, 2, 6, 6}, 2, 2);
  check_same("max_pool2d_bf16_planes_square", {1, 3, 3, 5}, 2, 1);
  check_same("max_pool2d_f16_column_of_8_bits", {1, 1, 1, 256}, 1, 1);
}

TEST_CASE("every mutant of a pooling's results has a trigger") {
  std::set<std::string> triggered;
  for (const PoolTrigger& trigger : kPoolTriggers) CHECK(triggered.insert(trigger.mutant).second);
  for (const Mutant& mutant : window_mutants()) {
    if (!is_pool(mutant)) continue;
    INFO(mutant.name);
    CHECK((triggered.count(mutant.name) == 1) == is_about_results(mutant));
  }
}

}  // namespace
}  // namespace assay::testing
