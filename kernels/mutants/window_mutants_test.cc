// Every mutant of a convolution's results differs from the kernel where it says so, and not beside
// that.

#include <cmath>
#include <optional>
#include <set>

#include "contracts/testing/catch.h"
#include "kernels/conv/testing/model.h"
#include "kernels/mutants/testing/window_call.h"

namespace assay::testing {
namespace {

/// What the operands hold: drawn values, and something special in them.
enum class Content {
  kNear,
  kTiny,
  kNanWeight,   ///< NaN is the first element of every filter
  kZeroPixels,  ///< x is zero, the weight infinite
};

/// A geometry that shows a fault, and one close to it that does not.
struct Trigger {
  const char* mutant;
  Geometry shown;
  std::optional<Geometry> hidden;
  Content content = Content::kNear;
};

constexpr Geometry kPlain = {
    .in_channels = 3, .out_channels = 2, .image = {6, 7}, .kernel = {3, 3}, .padding = {1, 1}};
constexpr Geometry kTwoTerms = {.in_channels = 2, .out_channels = 4, .image = {9, 9}};
constexpr Geometry kOneTerm = {.out_channels = 4, .image = {9, 9}};
constexpr Geometry kOverlap = {.in_channels = 3, .image = {6, 7}, .kernel = {3, 3}};
constexpr Geometry kGroups = {.in_channels = 2,
                              .out_channels = 2,
                              .groups = 2,
                              .image = {5, 5},
                              .kernel = {2, 2},
                              .bias = true};
constexpr Geometry kOneGroup = {
    .in_channels = 2, .out_channels = 2, .image = {5, 5}, .kernel = {2, 2}, .bias = true};
constexpr Geometry kBatch = {.batch = 2, .image = {4, 4}, .kernel = {2, 2}};
constexpr Geometry kWindow = {.image = {4, 4}, .kernel = {2, 2}};

const Trigger kTriggers[] = {
    {"conv2d_f32_reversed", kPlain, kTwoTerms},
    {"conv2d_simple_bf16_reversed", kPlain, kTwoTerms},
    {"conv_transpose2d_f64_reversed", kOverlap, kTwoTerms},
    {"conv2d_f64_columns_over_rows",
     {.image = {5, 5}, .kernel = {2, 2}},
     Geometry{.image = {5, 5}, .kernel = {1, 3}}},
    {"conv2d_f32_channels_innermost",
     {.in_channels = 2, .out_channels = 4, .image = {5, 5}, .kernel = {1, 2}},
     Geometry{.in_channels = 3, .image = {5, 5}}},
    {"conv2d_simple_f16_channels_innermost", kPlain, Geometry{.image = {5, 5}, .kernel = {3, 3}}},
    {"conv_transpose2d_f32_filter_ascending", kOverlap, Geometry{.in_channels = 3}},
    {"conv_transpose2d_f32_pixels_over_channels", kOverlap,
     Geometry{.image = {6, 7}, .kernel = {3, 3}}},
    {"conv2d_f32_four_partial_sums",
     {.in_channels = 4, .image = {9, 9}},
     Geometry{.in_channels = 3, .image = {9, 9}}},
    {"conv2d_simple_f64_four_partial_sums", kPlain, Geometry{.in_channels = 3, .image = {9, 9}}},
    {"conv2d_f64_channel_by_channel", kPlain, Geometry{.in_channels = 3, .image = {9, 9}}},
    {"conv2d_f64_compensated", kPlain, kOneTerm},
    {"conv2d_f32_fused", kTwoTerms, kOneTerm},
    {"conv2d_f64_fused", kTwoTerms, kOneTerm},
    {"conv_transpose2d_f32_fused", kTwoTerms, kOneTerm},
    {"conv2d_simple_f16_product_not_rounded", kTwoTerms, kOneTerm},
    {"conv2d_simple_bf16_product_not_rounded", kTwoTerms, kOneTerm},
    {"conv2d_simple_f16_in_f32", kTwoTerms, kOneTerm},
    {"conv2d_simple_bf16_in_f32", kTwoTerms, kOneTerm},
    {"conv2d_f32_in_f64", kTwoTerms, kOneTerm},
    {"conv_transpose2d_f32_in_f64", kTwoTerms, kOneTerm},
    {"conv2d_f64_in_f32", kOneTerm, {}},
    {"conv_transpose2d_f64_in_f32", kOneTerm, {}},
    {"conv2d_simple_f32_operands_cut", kOneTerm, {}},
    {"conv2d_f32_result_flushed", kOneTerm, {}, Content::kTiny},
    {"conv2d_simple_f16_products_flushed", kOneTerm, {}, Content::kTiny},
    {"conv2d_f32_last_term_dropped",
     {.image = {6, 6}, .kernel = {5, 5}},
     Geometry{.in_channels = 5, .image = {6, 6}, .kernel = {3, 1}}},
    {"conv2d_simple_f16_last_term_dropped", kOverlap,
     Geometry{.in_channels = 2, .image = {6, 6}, .kernel = {3, 3}}},
    {"conv2d_f32_tail_reversed",
     {.in_channels = 3, .image = {2, 10}},
     Geometry{.in_channels = 3, .image = {2, 16}}},
    {"conv_transpose2d_f32_zero_pixels_skipped", kWindow, {}, Content::kZeroPixels},
    {"conv2d_f32_bias_first",
     {.in_channels = 2, .image = {3, 3}, .bias = true},
     Geometry{.image = {3, 3}, .bias = true}},
    {"conv2d_f64_bias_first",
     {.in_channels = 2, .image = {3, 3}, .bias = true},
     Geometry{.image = {3, 3}, .bias = true}},
    {"conv2d_f64_bias_per_channel",
     {.in_channels = 2, .image = {3, 3}, .bias = true},
     Geometry{.image = {3, 3}, .bias = true}},
    {"conv2d_f32_bias_of_first_group", kGroups, kOneGroup},
    {"conv2d_f32_padding_multiplied",
     {.image = {4, 4}, .kernel = {3, 3}, .padding = {1, 1}},
     Geometry{.image = {4, 4}, .kernel = {3, 3}},
     Content::kNanWeight},
    {"conv2d_simple_bf16_padding_multiplied",
     {.image = {4, 4}, .kernel = {3, 3}, .padding = {1, 1}},
     Geometry{.image = {4, 4}, .kernel = {3, 3}},
     Content::kNanWeight},
    {"conv2d_f64_padding_from_edge",
     {.image = {4, 4}, .kernel = {3, 3}, .padding = {1, 1}},
     Geometry{.image = {4, 4}, .kernel = {3, 3}}},
    {"conv2d_simple_f32_padding_from_edge",
     {.image = {4, 4}, .kernel = {3, 3}, .padding = {1, 1}},
     Geometry{.image = {4, 4}, .kernel = {3, 3}}},

    {"conv2d_f32_weight_of_first_group", kGroups, kOneGroup},
    {"conv2d_f64_input_of_first_group", kGroups, kOneGroup},
    {"conv_transpose2d_f64_weight_of_first_group", kGroups, kOneGroup},
    {"conv_transpose2d_f32_outputs_interleaved", kGroups,
     Geometry{.in_channels = 2, .groups = 2, .image = {3, 3}}},
    {"conv2d_f32_depthwise_without_multiplier",
     {.out_channels = 2, .groups = 3, .image = {4, 4}, .kernel = {2, 2}},
     Geometry{.groups = 3, .image = {4, 4}, .kernel = {2, 2}}},
    {"conv_transpose2d_f32_output_channels_lead",
     {.in_channels = 3, .out_channels = 2},
     Geometry{.in_channels = 3}},
    {"conv2d_f64_first_image_only", kBatch, kWindow},
    {"conv_transpose2d_f32_first_image_only", kBatch, kWindow},
    {"conv2d_simple_f16_last_image_unwritten", kBatch, kWindow},
    {"conv2d_f32_filter_flipped", kWindow, kTwoTerms},
    {"conv_transpose2d_f64_filter_flipped", kWindow, kTwoTerms},
    {"conv2d_simple_bf16_filter_by_columns", kWindow, Geometry{.image = {4, 4}, .kernel = {1, 3}}},
    {"conv2d_f32_strides_swapped",
     {.image = {7, 7}, .kernel = {2, 2}, .stride = {1, 2}},
     Geometry{.image = {7, 7}, .kernel = {2, 2}, .stride = {2, 2}}},
    {"conv_transpose2d_f64_strides_swapped",
     {.image = {3, 4}, .kernel = {2, 2}, .stride = {1, 2}},
     Geometry{.image = {3, 4}, .kernel = {2, 2}, .stride = {2, 2}}},
    {"conv2d_f64_paddings_swapped",
     {.image = {4, 4}, .kernel = {3, 3}, .padding = {0, 1}},
     Geometry{.image = {4, 4}, .kernel = {3, 3}, .padding = {1, 1}}},
    {"conv_transpose2d_f32_paddings_swapped",
     {.image = {4, 4}, .kernel = {3, 3}, .padding = {0, 1}},
     Geometry{.image = {4, 4}, .kernel = {3, 3}, .padding = {1, 1}}},
    {"conv_transpose2d_f32_dilations_swapped",
     {.image = {4, 4}, .kernel = {2, 2}, .dilation = {1, 2}},
     Geometry{.image = {4, 4}, .kernel = {2, 2}, .dilation = {2, 2}}},
    {"conv_transpose2d_f64_dilation_ignored",
     {.image = {4, 4}, .kernel = {2, 2}, .dilation = {1, 2}},
     kWindow},
    {"conv2d_f32_last_column_unwritten", kWindow, Geometry{.image = {4, 5}, .kernel = {2, 2}}},
    {"conv2d_f32_last_column_zero", kWindow, Geometry{.image = {4, 5}, .kernel = {2, 2}}},
    {"conv2d_simple_f16_last_column_zero", kWindow, Geometry{.image = {4, 5}, .kernel = {2, 2}}},
    {"conv_transpose2d_f32_added_columns_unwritten",
     {.image = {3, 3}, .output_padding = {0, 1}},
     Geometry{.image = {3, 3}, .output_padding = {1, 0}}},
    {"conv_transpose2d_f64_added_columns_zero",
     {.image = {4, 4}, .kernel = {2, 2}, .padding = {0, 1}, .output_padding = {0, 1}},
     Geometry{.image = {4, 4}, .kernel = {2, 2}, .output_padding = {0, 1}}},
    {"conv_transpose2d_f32_added_columns_first",
     {.image = {3, 3}, .output_padding = {0, 1}},
     Geometry{.image = {3, 3}, .output_padding = {1, 0}}},
    {"conv_transpose2d_f32_output_rows_rounded",
     {.image = {3, 3}, .stride = {2, 2}},
     Geometry{.image = {3, 3}, .stride = {1, 2}}},
    {"conv2d_f32_column_of_8_bits", {.image = {1, 257}}, Geometry{.image = {1, 256}}},
    {"conv_transpose2d_f32_column_of_8_bits", {.image = {1, 257}}, Geometry{.image = {1, 256}}},
    {"conv2d_f64_byte_offset_of_16_bits",
     {.batch = 3, .in_channels = 8, .image = {20, 20}},
     Geometry{.batch = 2, .in_channels = 8, .image = {20, 20}}},

    {"conv_transpose2d_f64_adds_to_old_output", kWindow, {}},
    {"conv2d_simple_bf16_adds_to_old_output", kWindow, {}},
};

/// The operands of a trigger, the same in every run.
Convolution filled(const Mutant& mutant, const Geometry& any, Content content) {
  const std::string operation = operation_of(mutant);
  const Dtype dtype = kernel_of(mutant).outputs[0];
  const DtypeTraits& row = traits(dtype);
  const Geometry g = fitted(any, operation);
  Convolution made = make_convolution(operation, dtype, g);
  std::mt19937_64 random(7);
  for (Dense& input : made.inputs) {
    draw_all(input, content == Content::kTiny ? Values::kTiny : Values::kNear, random);
  }
  Dense& x = made.inputs[0];
  Dense& weight = made.inputs[1];
  const auto filter = static_cast<std::size_t>(g.kernel.h * g.kernel.w);
  for (std::size_t i = 0; i < weight.elements(); ++i) {
    while (row.is_zero(weight.get(i))) weight.set(i, draw(Values::kNear, dtype, random));
    if (content == Content::kNanWeight && i % filter == 0) weight.set(i, row.infinity() + 1);
    if (content == Content::kZeroPixels) weight.set(i, row.infinity());
  }
  for (std::size_t i = 0; content == Content::kZeroPixels && i < x.elements(); ++i) x.set(i, 0);
  return made;
}

/// Two results that do not differ, NaNs aside.
bool same_values(const Dense& a, const Dense& b) {
  for (std::size_t i = 0; i < a.elements(); ++i) {
    const DtypeTraits& row = traits(a.dtype());
    if (a.get(i) != b.get(i) && !(row.is_nan(a.get(i)) && row.is_nan(b.get(i)))) return false;
  }
  return true;
}

TEST_CASE("mutants of convolutions are wrong at their triggers and right beside them") {
  for (const Trigger& trigger : kTriggers) {
    const Mutant& mutant = window_mutant(trigger.mutant);
    INFO(mutant.name << ": " << mutant.what);
    const Convolution shown = filled(mutant, trigger.shown, trigger.content);
    CHECK_FALSE(same_values(result(scalar(mutant), shown), result(mutant.function, shown)));
    if (!trigger.hidden) continue;
    const Convolution hidden = filled(mutant, *trigger.hidden, trigger.content);
    CHECK(first_difference(result(scalar(mutant), hidden), result(mutant.function, hidden)) == "");
  }
}

TEST_CASE("mutants of the error bound err by far more than rounding") {
  for (const Mutant& mutant : window_mutants()) {
    if (mutant.claim != "error_bound") continue;
    INFO(mutant.name);
    // Three products of magnitudes up to 4: six roundings of magnitudes up to 12.
    const Convolution made = filled(mutant, {.in_channels = 3, .image = {4, 4}}, Content::kNear);
    const Dense right = result(scalar(mutant), made);
    const Dense wrong = result(mutant.function, made);
    double most = 0;
    for (std::size_t i = 0; i < right.elements(); ++i) {
      const double error =
          model_value(right.get(i), right.dtype()) - model_value(wrong.get(i), wrong.dtype());
      most = std::fmax(most, std::fabs(error));
    }
    CHECK(most > 10 * 6 * 12 * std::ldexp(1.0, -traits(right.dtype()).precision));
  }
}

TEST_CASE("every mutant of a convolution's results has a trigger") {
  std::set<std::string> triggered;
  for (const Trigger& trigger : kTriggers) CHECK(triggered.insert(trigger.mutant).second);
  for (const Mutant& mutant : window_mutants()) {
    if (is_pool(mutant)) continue;
    INFO(mutant.name);
    CHECK((triggered.count(mutant.name) == 1) == is_about_results(mutant));
  }
}

}  // namespace
}  // namespace assay::testing
