// How small the simplest call is that can show each planted fault, by its nature and not by any
// search: elements of all inputs, and, of casts of single values, bits set in the input.
//
// Found by reasoning. Those of single values were confirmed by trying all inputs in the order of
// their set bits, as far as that goes: 8 of 32 bits, 5 of 64. An overflow that a fault also changes
// is another claim's. In a convolution, a sum of n terms takes n pixels and n weights, a bias one
// element more; padding lets a single pixel meet each weight alone. Buffers of 64-byte alignment
// end at a page where their elements fill whole 64 bytes: no shorter one shows a read past the end.
#include "kernels/mutants/smallest_calls.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace assay::mutants {

namespace {

constexpr int kUnknown = -1;

struct SmallestCall {
  std::string_view name;
  int elements;
  int set_bits = kUnknown;
};

constexpr std::array kSmallest = {
    SmallestCall{"bf16_to_f16_every_seventh_call", 1},
    SmallestCall{"bf16_to_f16_flushes", 1, 3},
    SmallestCall{"bf16_to_f16_overflow_early", 1, 4},
    SmallestCall{"bf16_to_f32_leaves_last", 3},
    SmallestCall{"bf16_to_f32_one_pattern", 1, 9},
    SmallestCall{"bf16_to_f64_reads_zero", 1, 1},
    SmallestCall{"bf16_to_f64_signalling_to_infinity", 1, 9},
    SmallestCall{"conv2d_f32_bias_first", 5},
    SmallestCall{"conv2d_f32_bias_of_first_group", 6},
    SmallestCall{"conv2d_f32_channels_innermost", 8},
    SmallestCall{"conv2d_f32_column_of_8_bits", 258},
    SmallestCall{"conv2d_f32_depthwise_without_multiplier", 6},
    SmallestCall{"conv2d_f32_filter_flipped", 3},
    SmallestCall{"conv2d_f32_four_partial_sums", 8},
    SmallestCall{"conv2d_f32_fused", 4},
    SmallestCall{"conv2d_f32_in_f64", 4},
    SmallestCall{"conv2d_f32_last_column_zero", 4},
    SmallestCall{"conv2d_f32_last_term_dropped", 34},
    SmallestCall{"conv2d_f32_padding_multiplied", 3},
    SmallestCall{"conv2d_f32_result_flushed", 2},
    SmallestCall{"conv2d_f32_reversed", 6},
    SmallestCall{"conv2d_f32_scratches_x", 2},
    SmallestCall{"conv2d_f32_strides_swapped", 2},
    SmallestCall{"conv2d_f32_tail_reversed", 14},
    SmallestCall{"conv2d_f32_weight_of_first_group", 4},
    SmallestCall{"conv2d_f64_bias_first", 5},
    SmallestCall{"conv2d_f64_bias_per_channel", 5},
    SmallestCall{"conv2d_f64_byte_offset_of_16_bits", 8194},
    SmallestCall{"conv2d_f64_channel_by_channel", 8},
    SmallestCall{"conv2d_f64_columns_over_rows", 8},
    SmallestCall{"conv2d_f64_compensated", 6},
    SmallestCall{"conv2d_f64_first_image_only", 3},
    SmallestCall{"conv2d_f64_fused", 4},
    SmallestCall{"conv2d_f64_in_f32", 2},
    SmallestCall{"conv2d_f64_input_of_first_group", 4},
    SmallestCall{"conv2d_f64_padding_from_edge", 3},
    SmallestCall{"conv2d_f64_paddings_swapped", 2},
    SmallestCall{"conv2d_simple_bf16_filter_by_columns", 5},
    SmallestCall{"conv2d_simple_bf16_in_f32", 4},
    SmallestCall{"conv2d_simple_bf16_padding_multiplied", 3},
    SmallestCall{"conv2d_simple_bf16_product_not_rounded", 4},
    SmallestCall{"conv2d_simple_bf16_reversed", 6},
    SmallestCall{"conv2d_simple_f16_channels_innermost", 8},
    SmallestCall{"conv2d_simple_f16_in_f32", 4},
    SmallestCall{"conv2d_simple_f16_last_column_zero", 4},
    SmallestCall{"conv2d_simple_f16_last_term_dropped", 34},
    SmallestCall{"conv2d_simple_f16_product_not_rounded", 4},
    SmallestCall{"conv2d_simple_f16_products_flushed", 2},
    SmallestCall{"conv2d_simple_f32_operands_cut", 2},
    SmallestCall{"conv2d_simple_f32_padding_from_edge", 3},
    SmallestCall{"conv2d_simple_f64_four_partial_sums", 8},
    SmallestCall{"conv_transpose2d_f32_column_of_8_bits", 258},
    SmallestCall{"conv_transpose2d_f32_dilations_swapped", 3},
    SmallestCall{"conv_transpose2d_f32_filter_ascending", 6},
    SmallestCall{"conv_transpose2d_f32_first_image_only", 3},
    SmallestCall{"conv_transpose2d_f32_fused", 4},
    SmallestCall{"conv_transpose2d_f32_in_f64", 4},
    SmallestCall{"conv_transpose2d_f32_output_channels_lead", 6},
    SmallestCall{"conv_transpose2d_f32_outputs_interleaved", 6},
    SmallestCall{"conv_transpose2d_f32_paddings_swapped", 3},
    SmallestCall{"conv_transpose2d_f32_pixels_over_channels", 8},
    SmallestCall{"conv_transpose2d_f32_scratches_and_restores_x", 2},
    SmallestCall{"conv_transpose2d_f32_zero_pixels_skipped", 2},
    SmallestCall{"conv_transpose2d_f64_dilation_ignored", 3},
    SmallestCall{"conv_transpose2d_f64_filter_flipped", 3},
    SmallestCall{"conv_transpose2d_f64_in_f32", 2},
    SmallestCall{"conv_transpose2d_f64_reversed", 6},
    SmallestCall{"conv_transpose2d_f64_strides_swapped", 3},
    SmallestCall{"conv_transpose2d_f64_weight_of_first_group", 4},
    SmallestCall{"f16_to_bf16_scratches_and_restores", 1},
    SmallestCall{"f16_to_bf16_truncates", 1, 3},
    SmallestCall{"f16_to_f32_leaves_descriptor", 5},
    SmallestCall{"f16_to_f32_leaves_thread", 5},
    SmallestCall{"f16_to_f32_one_pattern", 1, 9},
    SmallestCall{"f16_to_f32_reads_zero", 1, 1},
    SmallestCall{"f16_to_f32_zero_sign_lost", 1, 1},
    SmallestCall{"f16_to_f64_no_infinity", 1, 5},
    SmallestCall{"f16_to_f64_subnormals_doubled", 1, 1},
    SmallestCall{"f16_to_f64_three_unwritten", 3},
    SmallestCall{"f32_to_bf16_bias_for_nan", 1, 9},
    SmallestCall{"f32_to_bf16_carry_lost", 1, 8},
    SmallestCall{"f32_to_bf16_flushes", 1, 1},
    SmallestCall{"f32_to_bf16_nan_to_infinity", 1, 9},
    SmallestCall{"f32_to_bf16_one_pattern", 1, 16},
    SmallestCall{"f32_to_bf16_reads_past_end", 16},
    SmallestCall{"f32_to_bf16_saturates", 1, 15},
    SmallestCall{"f32_to_bf16_ties_away", 1, 1},
    SmallestCall{"f32_to_bf16_truncates", 1, 2},
    SmallestCall{"f32_to_bf16_writes_past_end", 1},
    SmallestCall{"f32_to_f16_flushes", 1, 3},
    SmallestCall{"f32_to_f16_infinity_clamped", 1, 8},
    SmallestCall{"f32_to_f16_one_pattern", 1, 16},
    SmallestCall{"f32_to_f16_overflow_early", 1, 15},
    SmallestCall{"f32_to_f16_overflow_late", 1, 15},
    SmallestCall{"f32_to_f16_overflow_to_nan", 1, 3},
    SmallestCall{"f32_to_f16_sees_neighbour", 2},
    SmallestCall{"f32_to_f16_signalling_to_infinity", 1, 9},
    SmallestCall{"f32_to_f16_sticky_bit_11_ignored", 1, 3},
    SmallestCall{"f32_to_f16_subnormals_without_sticky", 1, 5},
    SmallestCall{"f32_to_f16_ties_away", 1, 2},
    SmallestCall{"f32_to_f16_truncates", 1, 3},
    SmallestCall{"f32_to_f64_one_pattern", 1, 16},
    SmallestCall{"f32_to_f64_quiets_its_input", 1},
    SmallestCall{"f32_to_f64_reads_old_output", 1},
    SmallestCall{"f32_to_f64_wrong_tail", 1},
    SmallestCall{"f32_to_u32_ceiling", 1, 1},
    SmallestCall{"f32_to_u32_lane_rounds", 6},
    SmallestCall{"f32_to_u32_nearest", 1, 3},
    SmallestCall{"f32_to_u32_one_pattern", 1, 17},
    SmallestCall{"f32_to_u32_over_i32", 1, 6},
    SmallestCall{"f64_to_bf16_over_f32", 1, 3},
    SmallestCall{"f64_to_bf16_saturates", 1, 2},
    SmallestCall{"f64_to_bf16_sticky_bit_20_ignored", 1, 3},
    SmallestCall{"f64_to_bf16_tail_truncates", 1},
    SmallestCall{"f64_to_bf16_truncates", 1, 3},
    SmallestCall{"f64_to_f16_carry_lost", 1, 12},
    SmallestCall{"f64_to_f16_high_word", 1, 3},
    SmallestCall{"f64_to_f16_last_bit_ignored", 1, 3},
    SmallestCall{"f64_to_f16_over_f32", 1, 3},
    SmallestCall{"f64_to_f16_overflow_unsigned", 1, 3},
    SmallestCall{"f64_to_f16_ties_to_zero", 1, 3},
    SmallestCall{"f64_to_f32_carry_lost", 1, 25},
    SmallestCall{"f64_to_f32_depends_on_alignment", 1},
    SmallestCall{"f64_to_f32_flushes", 1, 3},
    SmallestCall{"f64_to_f32_last_bit_ignored", 1, 3},
    SmallestCall{"f64_to_f32_nan_to_infinity", 1, 12},
    SmallestCall{"f64_to_f32_one_tie", 1, 23},
    SmallestCall{"f64_to_f32_overflow_early", 1, 31},
    SmallestCall{"f64_to_f32_ties_away", 1, 2},
    SmallestCall{"f64_to_f32_zero_sign_lost", 1, 1},
    SmallestCall{"f64_to_u32_ends_at_i32", 1, 5},
    SmallestCall{"f64_to_u32_limit_excluded", 1, 36},
    SmallestCall{"f64_to_u32_over_f32", 1, 4},
    SmallestCall{"f64_to_u32_writes_before_output", 1},
    SmallestCall{"max_pool2d_bf16_greatest_magnitude", 4},
    SmallestCall{"max_pool2d_bf16_infinity_clamped", 1},
    SmallestCall{"max_pool2d_bf16_nan_wins", 4},
    SmallestCall{"max_pool2d_bf16_planes_square", 4},
    SmallestCall{"max_pool2d_bf16_starts_at_zero", 1},
    SmallestCall{"max_pool2d_f16_column_of_8_bits", 257},
    SmallestCall{"max_pool2d_f16_patterns_as_integers", 4},
    SmallestCall{"max_pool2d_f16_starts_at_lowest_finite", 1},
    SmallestCall{"max_pool2d_f16_through_bf16", 1},
    SmallestCall{"max_pool2d_f16_wrong_for_one_pair", 4},
    SmallestCall{"max_pool2d_f32_last_column_missed", 4},
    SmallestCall{"max_pool2d_f32_nan_wins", 4},
    SmallestCall{"max_pool2d_f32_patterns_as_integers", 4},
    SmallestCall{"max_pool2d_f32_starts_at_first_of_tensor", 2},
    SmallestCall{"max_pool2d_f32_starts_at_zero", 1},
    SmallestCall{"max_pool2d_f32_stride_of_kernel", 3},
    SmallestCall{"max_pool2d_f32_subnormal_flushed", 1},
    SmallestCall{"max_pool2d_f64_last_row_missed", 4},
    SmallestCall{"max_pool2d_f64_nan_stays", 4},
    SmallestCall{"max_pool2d_f64_starts_at_lowest_finite", 1},
    SmallestCall{"max_pool2d_f64_through_f32", 1},
    SmallestCall{"u32_to_f32_halved", 1, 3},
    SmallestCall{"u32_to_f32_one_pattern", 1, 18},
    SmallestCall{"u32_to_f32_signed", 1, 1},
    SmallestCall{"u32_to_f32_truncates", 1, 3},
    SmallestCall{"u32_to_f32_two_parts", 1, 4},
    SmallestCall{"u32_to_f32_wrong_at_limit", 1, 24},
    SmallestCall{"u32_to_f64_one_pattern", 1, 18},
    SmallestCall{"u32_to_f64_over_f32", 1, 2},
    SmallestCall{"u32_to_f64_reads_ahead", 1},
    SmallestCall{"u32_to_f64_signed", 1, 1},
};

}  // namespace

void put_smallest_calls(std::vector<Mutant>& mutants) {
  for (Mutant& mutant : mutants) {
    const auto* row = std::ranges::find(kSmallest, mutant.name, &SmallestCall::name);
    if (row == kSmallest.end()) continue;
    mutant.least_elements = static_cast<std::uint64_t>(row->elements);
    if (row->set_bits != kUnknown) mutant.least_bits = static_cast<std::uint64_t>(row->set_bits);
  }
}

}  // namespace assay::mutants
