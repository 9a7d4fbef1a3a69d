// Faults of which elements a convolution brings together, and where it puts the results.

#include "kernels/mutants/window_kernel.h"

namespace assay::mutants {

namespace {

// Groups, channels, images.

struct WeightOfFirstGroup : Correct {
  static Index weight_at(const Plan& plan, Place p) {
    p.group = 0;
    return Correct::weight_at(plan, p);
  }
};

struct InputOfFirstGroup : Correct {
  static Index x_at(const Plan& plan, Place p) {
    p.group = 0;
    return Correct::x_at(plan, p);
  }
};

/// The results' channels in the order of a shuffle: the groups take turns.
struct OutputsInterleaved : Correct {
  static Index out_at(const Plan& plan, const Place& p) {
    const Index channel = p.co * plan.groups + p.group;
    return ((p.n * plan.groups * plan.out_channels + channel) * plan.rows.output + p.oh) *
               plan.columns.output +
           p.ow;
  }
};

/// The depthwise path: each channel has one filter, whatever the multiplier.
struct DepthwiseWithoutMultiplier : Correct {
  static Index weight_at(const Plan& plan, Place p) {
    if (plan.in_channels == 1 && plan.groups > 1) p.co = 0;
    return Correct::weight_at(plan, p);
  }
};

/// The transposed weight with the output channels leading, as conv2d has it.
struct OutputChannelsLead : Correct {
  static Index weight_at(const Plan& plan, const Place& p) {
    const Index filter = plan.groups * plan.in_channels * p.co + p.group * plan.in_channels + p.ci;
    return filter * plan.filter + p.kh * plan.columns.kernel + p.kw;
  }
};

struct FirstImageOnly : Correct {
  static Index x_at(const Plan& plan, Place p) {
    p.n = 0;
    return Correct::x_at(plan, p);
  }
};

struct LastImageUnwritten : Correct {
  template <class A>
  static Written written(const Output<A>& output) {
    const bool last = output.plan.batch > 1 && output.place.n + 1 == output.plan.batch;
    return last ? Written::kNothing : Written::kSum;
  }
};

// The filter.

struct FilterFlipped : Correct {
  static Index weight_at(const Plan& plan, Place p) {
    p.kh = plan.rows.kernel - 1 - p.kh;
    p.kw = plan.columns.kernel - 1 - p.kw;
    return Correct::weight_at(plan, p);
  }
};

struct FilterByColumns : Correct {
  static Index weight_at(const Plan& plan, const Place& p) {
    Place first = p;
    first.kh = first.kw = 0;
    return Correct::weight_at(plan, first) + p.kw * plan.rows.kernel + p.kh;
  }
};

// Strides, paddings, dilations. The loops look at x's extents, so another step reads nothing
// outside.

struct StridesSwapped : Correct {
  static Plan bent(Plan plan) {
    std::swap(plan.rows.stride, plan.columns.stride);
    return plan;
  }
};

struct PaddingsSwapped : Correct {
  static Plan bent(Plan plan) {
    std::swap(plan.rows.padding, plan.columns.padding);
    return plan;
  }
};

struct DilationsSwapped : Correct {
  static Plan bent(Plan plan) {
    std::swap(plan.rows.dilation, plan.columns.dilation);
    return plan;
  }
};

struct DilationIgnored : Correct {
  static Plan bent(Plan plan) {
    plan.rows.dilation = plan.columns.dilation = 1;
    return plan;
  }
};

// Columns at the end of a row.

template <Written kInstead>
struct LastColumnLeft : Correct {
  template <class A>
  static Written written(const Output<A>& output) {
    const Index width = output.plan.columns.output;
    const bool left = width % 2 == 1 && width > 1 && output.place.ow + 1 == width;
    return left ? kInstead : Written::kSum;
  }
};

/// How many columns output_padding adds to a transposed result.
Index added_columns(const Axis& axis) {
  return axis.output - ((axis.input - 1) * axis.stride - 2 * axis.padding +
                        axis.dilation * (axis.kernel - 1) + 1);
}

template <Written kInstead>
struct AddedColumnsLeft : Correct {
  template <class A>
  static Written written(const Output<A>& output) {
    const Axis& axis = output.plan.columns;
    const bool added = output.place.ow >= axis.output - added_columns(axis);
    return added ? kInstead : Written::kSum;
  }
};

/// output_padding at the start of the rows instead of their end.
struct AddedColumnsFirst : Correct {
  static Plan bent(Plan plan) {
    plan.columns.padding -= added_columns(plan.columns);
    return plan;
  }
};

/// Positions beyond the stride's last full step are taken for results that nothing reaches.
struct OutputRowsRounded : Correct {
  template <class A>
  static Written written(const Output<A>& output) {
    const Axis& axis = output.plan.rows;
    const bool beyond = output.place.oh >= axis.output / axis.stride * axis.stride;
    return beyond ? Written::kZero : Written::kSum;
  }
};

// Indices that are too narrow. They wrap to lesser ones, so nothing outside is read.

template <class Narrow>
struct NarrowColumn : Correct {
  static Index x_at(const Plan& plan, Place p) {
    p.iw = static_cast<Narrow>(p.iw);
    return Correct::x_at(plan, p);
  }
};

struct NarrowBytes : Correct {
  static Index x_at(const Plan& plan, const Place& p) {
    const Index bytes = Correct::x_at(plan, p) * static_cast<Index>(sizeof(double));
    return static_cast<std::uint16_t>(bytes) / static_cast<Index>(sizeof(double));
  }
};

}  // namespace

std::vector<Mutant> window_geometry_mutants() {
  return {
      {"conv2d_f32_weight_of_first_group", kConv2dF32,
       "uses the first group's filters for all groups; 2 groups", "accumulator",
       kConv2d<f32, WeightOfFirstGroup>},
      {"conv2d_f64_input_of_first_group", kConv2dF64,
       "reads the first group's channels for all groups; 2 groups", "accumulator",
       kConv2d<f64, InputOfFirstGroup>},
      {"conv_transpose2d_f64_weight_of_first_group", kTransposeF64,
       "uses the first group's filters for all groups; 2 groups", "accumulator",
       kTranspose<f64, WeightOfFirstGroup>},
      {"conv_transpose2d_f32_outputs_interleaved", kTransposeF32,
       "interleaves the groups' results; 2 groups with 2 output channels each", "accumulator",
       kTranspose<f32, OutputsInterleaved>},
      {"conv2d_f32_depthwise_without_multiplier", kConv2dF32,
       "uses one filter per group; groups == Cin > 1 with 2 output channels each", "accumulator",
       kConv2d<f32, DepthwiseWithoutMultiplier>},
      {"conv_transpose2d_f32_output_channels_lead", kTransposeF32,
       "reads the weight as [Cout/groups, Cin, ...]; Cin > 1 and Cout/groups > 1", "accumulator",
       kTranspose<f32, OutputChannelsLead>},
      {"conv2d_f64_first_image_only", kConv2dF64, "reads image 0 for every image; batch of 2",
       "accumulator", kConv2d<f64, FirstImageOnly>},
      {"conv_transpose2d_f32_first_image_only", kTransposeF32,
       "reads image 0 for every image; batch of 2", "accumulator", kTranspose<f32, FirstImageOnly>},
      {"conv2d_simple_f16_last_image_unwritten", kSimpleF16,
       "leaves the last image's results unwritten; batch of 2", "output_fully_written",
       kSimple<f16, LastImageUnwritten>},
      {"conv2d_f32_filter_flipped", kConv2dF32,
       "turns the filter by 180 degrees; filters of 2 elements or more", "accumulator",
       kConv2d<f32, FilterFlipped>},
      {"conv_transpose2d_f64_filter_flipped", kTransposeF64,
       "turns the filter by 180 degrees; filters of 2 elements or more", "accumulator",
       kTranspose<f64, FilterFlipped>},
      {"conv2d_simple_bf16_filter_by_columns", kSimpleBF16,
       "reads the filter column by column; filters of 2 x 2 or more", "accumulator",
       kSimple<bf16, FilterByColumns>},
      {"conv2d_f32_strides_swapped", kConv2dF32,
       "takes stride_h along columns and stride_w along rows; unequal strides", "accumulator",
       kConv2d<f32, StridesSwapped>},
      {"conv_transpose2d_f64_strides_swapped", kTransposeF64,
       "takes stride_h along columns and stride_w along rows; unequal strides", "accumulator",
       kTranspose<f64, StridesSwapped>},
      {"conv2d_f64_paddings_swapped", kConv2dF64,
       "takes padding_h along columns and padding_w along rows; unequal paddings", "accumulator",
       kConv2d<f64, PaddingsSwapped>},
      {"conv_transpose2d_f32_paddings_swapped", kTransposeF32,
       "takes padding_h along columns and padding_w along rows; unequal paddings", "accumulator",
       kTranspose<f32, PaddingsSwapped>},
      {"conv_transpose2d_f32_dilations_swapped", kTransposeF32,
       "takes dilation_h along columns and dilation_w along rows; unequal dilations, "
       "filters of 2 elements or more",
       "accumulator", kTranspose<f32, DilationsSwapped>},
      {"conv_transpose2d_f64_dilation_ignored", kTransposeF64,
       "spreads the filter without dilation; dilation of 2, filters of 2 elements or more",
       "accumulator", kTranspose<f64, DilationIgnored>},
      {"conv2d_f32_last_column_unwritten", kConv2dF32,
       "leaves the last column unwritten where Wout is odd and above 1", "output_fully_written",
       kConv2d<f32, LastColumnLeft<Written::kNothing>>},
      {"conv2d_f32_last_column_zero", kConv2dF32,
       "writes +0 to the last column where Wout is odd and above 1", "accumulator",
       kConv2d<f32, LastColumnLeft<Written::kZero>>},
      {"conv2d_simple_f16_last_column_zero", kSimpleF16,
       "writes +0 to the last column where Wout is odd and above 1", "accumulator",
       kSimple<f16, LastColumnLeft<Written::kZero>>},
      {"conv_transpose2d_f32_added_columns_unwritten", kTransposeF32,
       "leaves the columns that output_padding_w adds unwritten; output_padding_w of 1",
       "output_fully_written", kTranspose<f32, AddedColumnsLeft<Written::kNothing>>},
      {"conv_transpose2d_f64_added_columns_zero", kTransposeF64,
       "writes +0 to the columns that output_padding_w adds; output_padding_w and padding_w of 1 "
       "(without padding they are zeros anyway)",
       "accumulator", kTranspose<f64, AddedColumnsLeft<Written::kZero>>},
      {"conv_transpose2d_f32_added_columns_first", kTransposeF32,
       "puts the columns that output_padding_w adds first, not last; output_padding_w of 1",
       "accumulator", kTranspose<f32, AddedColumnsFirst>},
      {"conv_transpose2d_f32_output_rows_rounded", kTransposeF32,
       "writes +0 to the last Hout mod stride_h rows; stride_h of 2 and an odd Hout", "accumulator",
       kTranspose<f32, OutputRowsRounded>},
      {"conv2d_f32_column_of_8_bits", kConv2dF32,
       "wraps columns of x past 255; images wider than 256", "accumulator",
       kConv2d<f32, NarrowColumn<std::uint8_t>>},
      {"conv_transpose2d_f32_column_of_8_bits", kTransposeF32,
       "wraps columns of x past 255; images wider than 256", "accumulator",
       kTranspose<f32, NarrowColumn<std::uint8_t>>},
      {"conv2d_f64_byte_offset_of_16_bits", kConv2dF64,
       "wraps byte offsets in x past 65535; x of more than 8192 elements (3 images of 8 x 20 x 20)",
       "accumulator", kConv2d<f64, NarrowBytes>},
  };
}

}  // namespace assay::mutants
