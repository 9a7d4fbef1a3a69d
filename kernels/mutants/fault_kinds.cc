#include "kernels/mutants/fault_kinds.h"

#include <fnmatch.h>

#include <array>
#include <sstream>

namespace assay {

namespace {

constexpr std::array kKinds = {
    FaultKind{"double rounding through a middle format",
              "f64_to_*_over_f32 u32_to_f32_two_parts u32_to_f64_over_f32"},
    FaultKind{"sticky or low bits dropped before rounding",
              "*_high_word *_bit_ignored *_sticky* *_bit_*_ignored u32_to_f32_halved"},
    FaultKind{"wrong rule for ties", "*_ties_* f64_to_f32_one_tie"},
    FaultKind{"truncation where rounding is due, or the reverse",
              "*_truncates f32_to_u32_nearest f32_to_u32_ceiling"},
    FaultKind{"carry into the exponent lost", "*_carry_lost"},
    FaultKind{"NaN becomes infinity or a number",
              "*_nan_to_infinity *_signalling_to_infinity *_bias_for_nan *_no_infinity"},
    FaultKind{"bits of NaN differ from path to path", "*_nan_beside_scalar"},
    FaultKind{"subnormals flushed or scaled wrongly",
              "*_flushes *_flushed *_reads_zero *_subnormals_*"},
    FaultKind{"overflow and saturation",
              "*_overflow_* *_saturates *_infinity_clamped *_no_infinity"},
    FaultKind{"precision in excess, a rounding left out",
              "*_product_not_rounded *_in_f32 *_in_f64 *_compensated"},
    FaultKind{"unsigned integers as signed, or rounded twice",
              "u32_to_*_signed u32_to_f32_two_parts u32_to_f32_halved u32_to_f64_over_f32 "
              "u32_to_*_truncates u32_to_f*_one_pattern u32_to_f32_wrong_at_limit"},
    FaultKind{"from floating point to integers", "*_to_u32_*"},
    FaultKind{"tails and remainders",
              "*_wrong_tail *_tail_* *_last_term_dropped *_last_column_* *_leaves_last "
              "*_lane_rounds *_rows_rounded"},
    FaultKind{"reads and writes out of bounds",
              "*_reads_past_* *_writes_past_* *_reads_before_* *_writes_before_* *_reads_ahead"},
    FaultKind{"results that depend on layout, batch, place or neighbours",
              "*_sees_neighbour *_ignores_strides *_ignores_byte_offset *_first_image_only "
              "*_depends_on_alignment *_lane_rounds *_tail_truncates *_last_image_*"},
    FaultKind{"results that depend on the instructions that run", "*_beside_scalar"},
    FaultKind{"results that change from call to call",
              "*_every_seventh_call *_reads_old_output *_adds_to_old_output *_flips_over_ones "
              "*_keeps_greater_output *_unwritten *_three_unwritten *_leaves_last"},
    FaultKind{"contraction by the compiler", "*_fused"},
    FaultKind{"order and format of sums",
              "*_reversed *_partial_sums *_innermost *_over_rows *_channel_by_channel "
              "*_filter_ascending *_pixels_over_channels *_compensated *_in_f32 *_in_f64 "
              "*_bias_first *_bias_per_channel *_operands_cut *_product_not_rounded"},
    FaultKind{"flush modes left set", "*_leaves_flush_mode"},
    FaultKind{"rounding modes left set", "*_leaves_rounding_mode"},
    FaultKind{"NaN in selections", "max_pool2d_*_nan_*"},
    FaultKind{"what a search for the greatest starts with", "*_starts_at_*"},
    FaultKind{"geometry of poolings",
              "max_pool2d_*_missed max_pool2d_*_stride_of_kernel max_pool2d_*_planes_square"},
    FaultKind{"signed zeros", "*_zero_sign_lost"},
    FaultKind{"groups and channels of convolutions",
              "*_first_group *_outputs_interleaved *_without_multiplier *_output_channels_lead "
              "*_channels_innermost"},
    FaultKind{"padding under NaN and infinity",
              "*_padding_* *_zero_pixels_skipped conv2d_*_paddings_swapped"},
    FaultKind{"transposed convolutions, and parameters of convolutions",
              "conv_transpose2d_*_added_columns_* conv_transpose2d_*_swapped "
              "*_dilation_ignored *_filter_flipped *_by_columns *_strides_swapped "
              "*_column_zero conv_transpose2d_*_rows_rounded"},
    FaultKind{"invalid arguments taken",
              "*_takes_* *_refuses_* *_shape_rounded_up *_ignores_strides *_ignores_byte_offset"},
    FaultKind{"indices that overflow", "*_of_8_bits *_of_16_bits"},
    FaultKind{
        "ends of the range, special values",
        "*_infinity_clamped *_starts_at_lowest_finite *_subnormal_flushed *_patterns_as_integers "
        "*_greatest_magnitude max_pool2d_*_through_*"},
    FaultKind{"one wrong result among all", "*_one_pattern *_one_tie *_one_pair *_wrong_at_limit"},
    FaultKind{"inputs changed", "*_scratches_* *_quiets_its_input *_scratches"},
    FaultKind{"threads and files left behind", "*_leaves_descriptor *_leaves_thread"},
};

}  // namespace

std::span<const FaultKind> fault_kinds() {
  return kKinds;
}

bool is_of(const FaultKind& kind, const Mutant& mutant) {
  std::istringstream patterns{std::string(kind.mutants)};
  for (std::string pattern; patterns >> pattern;) {
    if (fnmatch(pattern.c_str(), mutant.name.c_str(), 0) == 0) return true;
  }
  return false;
}

}  // namespace assay
