#include "oracles/sum/terms.h"

namespace assay::oracle {

namespace {

/// The row-major index of [a, b, c, d] in a tensor whose last three extents are given.
std::size_t index_of(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d,
                     std::int64_t extent_b, std::int64_t extent_c, std::int64_t extent_d) {
  return static_cast<std::size_t>(((a * extent_b + b) * extent_c + c) * extent_d + d);
}

}  // namespace

std::vector<Term> convolution_terms(const ConvolutionGeometry& g, const ResultIndex& at) {
  const std::int64_t per_group = g.in_channels / g.groups;
  const std::int64_t group = at.channel / (g.out_channels / g.groups);
  std::vector<Term> terms;
  for (std::int64_t c = 0; c < per_group; ++c) {
    for (std::int64_t kh = 0; kh < g.kernel.rows; ++kh) {
      const std::int64_t row = at.row * g.stride.rows - g.padding.rows + kh * g.dilation.rows;
      if (row < 0 || row >= g.image.rows) continue;
      for (std::int64_t kw = 0; kw < g.kernel.columns; ++kw) {
        const std::int64_t column =
            at.column * g.stride.columns - g.padding.columns + kw * g.dilation.columns;
        if (column < 0 || column >= g.image.columns) continue;
        terms.push_back(
            {index_of(at.image, group * per_group + c, row, column, g.in_channels, g.image.rows,
                      g.image.columns),
             index_of(at.channel, c, kh, kw, per_group, g.kernel.rows, g.kernel.columns)});
      }
    }
  }
  return terms;
}

std::vector<Term> transposed_convolution_terms(const ConvolutionGeometry& g,
                                               const ResultIndex& at) {
  const std::int64_t in_per_group = g.in_channels / g.groups;
  const std::int64_t out_per_group = g.out_channels / g.groups;
  const std::int64_t group = at.channel / out_per_group;
  // Which filter position takes an input position to the result's, or -1.
  const auto filter_position = [](std::int64_t result, std::int64_t input, std::int64_t stride,
                                  std::int64_t padding, std::int64_t dilation,
                                  std::int64_t extent) -> std::int64_t {
    const std::int64_t distance = result + padding - input * stride;
    if (distance < 0 || distance % dilation != 0) return -1;
    const std::int64_t position = distance / dilation;
    return position < extent ? position : -1;
  };
  std::vector<Term> terms;
  for (std::int64_t c = 0; c < in_per_group; ++c) {
    const std::int64_t ci = group * in_per_group + c;
    for (std::int64_t h = 0; h < g.image.rows; ++h) {
      const std::int64_t kh =
          filter_position(at.row, h, g.stride.rows, g.padding.rows, g.dilation.rows, g.kernel.rows);
      if (kh < 0) continue;
      for (std::int64_t w = 0; w < g.image.columns; ++w) {
        const std::int64_t kw = filter_position(at.column, w, g.stride.columns, g.padding.columns,
                                                g.dilation.columns, g.kernel.columns);
        if (kw < 0) continue;
        terms.push_back({index_of(at.image, ci, h, w, g.in_channels, g.image.rows, g.image.columns),
                         index_of(ci, at.channel % out_per_group, kh, kw, out_per_group,
                                  g.kernel.rows, g.kernel.columns)});
      }
    }
  }
  return terms;
}

std::vector<std::size_t> pooling_window(const ConvolutionGeometry& g, const ResultIndex& at) {
  std::vector<std::size_t> window;
  for (std::int64_t kh = 0; kh < g.kernel.rows; ++kh) {
    for (std::int64_t kw = 0; kw < g.kernel.columns; ++kw) {
      window.push_back(index_of(at.image, at.channel, at.row * g.stride.rows + kh,
                                at.column * g.stride.columns + kw, g.in_channels, g.image.rows,
                                g.image.columns));
    }
  }
  return window;
}

}  // namespace assay::oracle
