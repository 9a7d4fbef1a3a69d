// The products of each result, against the definition as loops over everything.
#include "oracles/sum/terms.h"

#include <map>
#include <tuple>

#include "contracts/testing/catch.h"

namespace assay::oracle {
namespace {

using Result = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

ConvolutionGeometry geometry(std::int64_t seed) {
  ConvolutionGeometry g;
  const auto next = [&](std::int64_t n) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return (seed >> 8) % n;
  };
  g.groups = 1 + next(3);
  g.batch = 1 + next(2);
  g.in_channels = g.groups * (1 + next(2));
  g.out_channels = g.groups * (1 + next(3));
  g.image = {1 + next(5), 1 + next(6)};
  g.kernel = {1 + next(3), 1 + next(4)};
  g.stride = {1 + next(3), 1 + next(2)};
  g.padding = {next(4), next(3)};
  g.dilation = {1 + next(2), 1 + next(3)};
  g.result = {1 + next(4), 1 + next(5)};
  return g;
}

TEST_CASE("a direct convolution adds up what its definition says, in its order") {
  for (std::int64_t seed = 0; seed < 60; ++seed) {
    const ConvolutionGeometry g = geometry(seed);
    const std::int64_t per_group = g.in_channels / g.groups;
    for (std::int64_t n = 0; n < g.batch; ++n) {
      for (std::int64_t co = 0; co < g.out_channels; ++co) {
        for (std::int64_t i = 0; i < g.result.rows; ++i) {
          for (std::int64_t j = 0; j < g.result.columns; ++j) {
            std::vector<Term> due;
            for (std::int64_t ci = 0; ci < g.in_channels; ++ci) {
              if (ci / per_group != co / (g.out_channels / g.groups)) continue;
              for (std::int64_t kh = 0; kh < g.kernel.rows; ++kh) {
                for (std::int64_t kw = 0; kw < g.kernel.columns; ++kw) {
                  const std::int64_t r = i * g.stride.rows + kh * g.dilation.rows - g.padding.rows;
                  const std::int64_t c =
                      j * g.stride.columns + kw * g.dilation.columns - g.padding.columns;
                  if (r < 0 || c < 0 || r >= g.image.rows || c >= g.image.columns) continue;
                  const std::int64_t x =
                      ((n * g.in_channels + ci) * g.image.rows + r) * g.image.columns + c;
                  const std::int64_t w =
                      ((co * per_group + ci % per_group) * g.kernel.rows + kh) * g.kernel.columns +
                      kw;
                  due.push_back({static_cast<std::size_t>(x), static_cast<std::size_t>(w)});
                }
              }
            }
            CAPTURE(seed, n, co, i, j);
            REQUIRE(convolution_terms(g, {n, co, i, j}) == due);
          }
        }
      }
    }
  }
}

TEST_CASE("a transposed convolution adds up what is scattered to a place, in that order") {
  for (std::int64_t seed = 100; seed < 160; ++seed) {
    const ConvolutionGeometry g = geometry(seed);
    const std::int64_t in_per_group = g.in_channels / g.groups;
    const std::int64_t out_per_group = g.out_channels / g.groups;
    std::map<Result, std::vector<Term>> scattered;
    for (std::int64_t n = 0; n < g.batch; ++n) {
      for (std::int64_t ci = 0; ci < g.in_channels; ++ci) {
        for (std::int64_t h = 0; h < g.image.rows; ++h) {
          for (std::int64_t w = 0; w < g.image.columns; ++w) {
            const std::int64_t x =
                ((n * g.in_channels + ci) * g.image.rows + h) * g.image.columns + w;
            for (std::int64_t c = 0; c < out_per_group; ++c) {
              for (std::int64_t kh = 0; kh < g.kernel.rows; ++kh) {
                for (std::int64_t kw = 0; kw < g.kernel.columns; ++kw) {
                  const std::int64_t weight =
                      ((ci * out_per_group + c) * g.kernel.rows + kh) * g.kernel.columns + kw;
                  scattered[{n, ci / in_per_group * out_per_group + c,
                             h * g.stride.rows - g.padding.rows + kh * g.dilation.rows,
                             w * g.stride.columns - g.padding.columns + kw * g.dilation.columns}]
                      .push_back({static_cast<std::size_t>(x), static_cast<std::size_t>(weight)});
                }
              }
            }
          }
        }
      }
    }
    for (std::int64_t n = 0; n < g.batch; ++n) {
      for (std::int64_t co = 0; co < g.out_channels; ++co) {
        for (std::int64_t i = 0; i < g.result.rows; ++i) {
          for (std::int64_t j = 0; j < g.result.columns; ++j) {
            CAPTURE(seed, n, co, i, j);
            const std::vector<Term> due = scattered[{n, co, i, j}];
            REQUIRE(transposed_convolution_terms(g, {n, co, i, j}) == due);
          }
        }
      }
    }
  }
}

TEST_CASE("a pooling window is a square of its channel") {
  ConvolutionGeometry g;
  g.batch = 2;
  g.in_channels = 3;
  g.image = {4, 5};
  g.kernel = {2, 2};
  g.stride = {1, 2};
  CHECK(pooling_window(g, {1, 2, 2, 1}) == std::vector<std::size_t>{112, 113, 117, 118});
}

}  // namespace
}  // namespace assay::oracle
