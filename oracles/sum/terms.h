// Which products make up which element of a two-dimensional convolution's result, and in which
// order.
#pragma once

#include <cstdint>
#include <vector>

namespace assay::oracle {

/// A pair (rows, columns).
struct Pair {
  std::int64_t rows = 0;
  std::int64_t columns = 0;

  bool operator==(const Pair&) const = default;
};

/// A convolution over images in the order NCHW. All extents are 0 or more; strides, dilations and
/// `groups` are positive; `groups` divides both channel counts. Whoever makes one checks that, and
/// that the tensors' sizes do not overflow.
struct ConvolutionGeometry {
  std::int64_t batch = 1;
  std::int64_t in_channels = 1;
  std::int64_t out_channels = 1;
  std::int64_t groups = 1;
  Pair image{1, 1};   ///< of the input
  Pair kernel{1, 1};  ///< of the filter
  Pair result{1, 1};  ///< of the output, by the contract's shape rule
  Pair stride{1, 1};
  Pair padding{0, 0};
  Pair dilation{1, 1};

  bool operator==(const ConvolutionGeometry&) const = default;
};

/// One product: indices of its factors in the dense row-major operands.
struct Term {
  std::size_t x = 0;
  std::size_t weight = 0;

  bool operator==(const Term&) const = default;
};

/// Where a result lies.
struct ResultIndex {
  std::int64_t image = 0;
  std::int64_t channel = 0;
  std::int64_t row = 0;
  std::int64_t column = 0;
};

/// The products of one result of a direct convolution, `x` being [N, Cin, H, W] and `weight`
/// [Cout, Cin / groups, Kh, Kw], in the order of the loops over input channel, filter row and
/// filter column:
///
///   out[n, co, i, j] = sum x[n, ci, i sh - ph + kh dh, j sw - pw + kw dw] weight[co, ci', kh, kw]
///
/// with ci the ci'-th channel of the group that co belongs to. Positions outside of the image have
/// no term.
std::vector<Term> convolution_terms(const ConvolutionGeometry& geometry, const ResultIndex& at);

/// The products of one result of a transposed convolution, `weight` being [Cin, Cout / groups, Kh,
/// Kw], in the order in which they are scattered: by input channel, input row, input column, filter
/// row and filter column:
///
///   out[n, co, h sh - ph + kh dh, w sw - pw + kw dw] += x[n, ci, h, w] weight[ci, co', kh, kw]
///
/// with co the co'-th channel of the group that ci belongs to.
std::vector<Term> transposed_convolution_terms(const ConvolutionGeometry& geometry,
                                               const ResultIndex& at);

/// The elements of one window of a pooling without padding over `x` [N, C, H, W], row by row.
/// `geometry.in_channels` is C; `out_channels` and `groups` have no part.
std::vector<std::size_t> pooling_window(const ConvolutionGeometry& geometry, const ResultIndex& at);

}  // namespace assay::oracle
