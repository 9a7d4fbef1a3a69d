// A model of the convolutions for tests, written from the words of conv.h without the kernels'
// code: plain loops over coordinates, and arithmetic of its own for the 16-bit formats.
#pragma once

#include <bit>
#include <cmath>
#include <limits>

#include "kernels/conv/testing/geometry.h"

namespace assay::testing {

/// A format's value of a pattern, by its definition. NaN for any NaN.
inline double model_value(Bits bits, Dtype dtype) {
  const DtypeTraits& row = traits(dtype);
  if (row.is_nan(bits)) return std::numeric_limits<double>::quiet_NaN();
  const double sign = row.is_negative(bits) ? -1 : 1;
  if (row.is_infinite(bits)) return sign * std::numeric_limits<double>::infinity();
  const int field = static_cast<int>((bits & row.magnitude_mask()) >> row.fraction_bits());
  const double fraction = static_cast<double>(bits & row.fraction_mask());
  const double hidden = field == 0 ? 0 : std::ldexp(1.0, row.fraction_bits());
  return sign * std::ldexp(fraction + hidden,
                           std::max(field - row.bias(), row.min_exponent) - row.fraction_bits());
}

/// The pattern nearest to `value`, ties to even; NaN as the canonical one.
inline Bits model_round(double value, Dtype dtype) {
  const DtypeTraits& row = traits(dtype);
  if (std::isnan(value)) return row.infinity() | row.quiet_bit();
  const Bits sign = std::signbit(value) ? row.sign_mask() : 0;
  if (std::isinf(value)) return sign | row.infinity();
  if (value == 0) return sign;
  const int step = std::max(std::ilogb(value), row.min_exponent) - row.fraction_bits();
  const double steps = std::nearbyint(std::ldexp(std::fabs(value), -step));  // exact, then rounded
  // Patterns count the steps of their own power of two, from its first on; a carry goes on
  // counting.
  const Bits power = static_cast<Bits>(step + row.fraction_bits() - row.min_exponent)
                     << row.fraction_bits();
  return sign | std::min(power + static_cast<Bits>(steps), row.infinity());
}

/// a + b as an f64 that rounds to every 16-bit format as the exact sum does: rounded to odd.
inline double model_sum(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double of_b = sum - a;
  const double error = (a - (sum - of_b)) + (b - of_b);  // exact (Knuth)
  if (error == 0 || (std::bit_cast<std::uint64_t>(sum) & 1) != 0) return sum;
  return std::nextafter(sum, error > 0 ? std::numeric_limits<double>::infinity()
                                       : -std::numeric_limits<double>::infinity());
}

template <class T>
T value_of(Bits bits) {
  if constexpr (sizeof(T) == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if constexpr (sizeof(T) == 8) return std::bit_cast<double>(bits);
}

template <class T>
Bits bits_of(T value) {
  if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(value);
  if constexpr (sizeof(T) == 8) return std::bit_cast<std::uint64_t>(value);
}

inline Bits model_add(Bits a, Bits b, Dtype dtype) {
  if (dtype == Dtype::kF32) return bits_of(value_of<float>(a) + value_of<float>(b));
  if (dtype == Dtype::kF64) return bits_of(value_of<double>(a) + value_of<double>(b));
  return model_round(model_sum(model_value(a, dtype), model_value(b, dtype)), dtype);
}

inline Bits model_multiply(Bits a, Bits b, Dtype dtype) {
  if (dtype == Dtype::kF32) return bits_of(value_of<float>(a) * value_of<float>(b));
  if (dtype == Dtype::kF64) return bits_of(value_of<double>(a) * value_of<double>(b));
  return model_round(model_value(a, dtype) * model_value(b, dtype), dtype);
}

inline std::size_t at(const Dense& tensor, std::int64_t a, std::int64_t b, std::int64_t c,
                      std::int64_t d) {
  const std::vector<std::int64_t>& s = tensor.shape();
  return static_cast<std::size_t>(((a * s[1] + b) * s[2] + c) * s[3] + d);
}

inline void model_canonical_nans(Dense& out) {
  const DtypeTraits& row = traits(out.dtype());
  for (std::size_t i = 0; i < out.elements(); ++i) {
    if (row.is_nan(out.get(i))) out.set(i, row.infinity() | row.quiet_bit());
  }
}

inline Dense model_conv2d(const Convolution& call, const Geometry& g) {
  Dense out = call.out;
  const Dense& x = call.inputs[0];
  const Dense& weight = call.inputs[1];
  const Dtype type = out.dtype();
  for (std::int64_t n = 0; n < out.shape()[0]; ++n)
    for (std::int64_t co = 0; co < out.shape()[1]; ++co)
      for (std::int64_t oh = 0; oh < out.shape()[2]; ++oh)
        for (std::int64_t ow = 0; ow < out.shape()[3]; ++ow) {
          Bits sum = 0;
          for (std::int64_t ci = 0; ci < g.in_channels; ++ci)
            for (std::int64_t kh = 0; kh < g.kernel.h; ++kh)
              for (std::int64_t kw = 0; kw < g.kernel.w; ++kw) {
                const std::int64_t ih = oh * g.stride.h + kh - g.padding.h;
                const std::int64_t iw = ow * g.stride.w + kw - g.padding.w;
                if (ih < 0 || iw < 0 || ih >= g.image.h || iw >= g.image.w) continue;
                const std::int64_t channel = co / g.out_channels * g.in_channels + ci;
                const Bits product = model_multiply(x.get(at(x, n, channel, ih, iw)),
                                                    weight.get(at(weight, co, ci, kh, kw)), type);
                sum = model_add(sum, product, type);
              }
          if (call.inputs.size() == 3) {
            sum = model_add(sum, call.inputs[2].get(static_cast<std::size_t>(co)), type);
          }
          out.set(at(out, n, co, oh, ow), sum);
        }
  model_canonical_nans(out);
  return out;
}

inline Dense model_conv_transpose2d(const Convolution& call, const Geometry& g) {
  Dense out = call.out;
  const Dense& x = call.inputs[0];
  const Dense& weight = call.inputs[1];
  const Dtype type = out.dtype();
  for (std::int64_t n = 0; n < x.shape()[0]; ++n)
    for (std::int64_t ci = 0; ci < x.shape()[1]; ++ci)
      for (std::int64_t h = 0; h < g.image.h; ++h)
        for (std::int64_t w = 0; w < g.image.w; ++w)
          for (std::int64_t co = 0; co < g.out_channels; ++co)
            for (std::int64_t kh = 0; kh < g.kernel.h; ++kh)
              for (std::int64_t kw = 0; kw < g.kernel.w; ++kw) {
                const std::int64_t oh = h * g.stride.h - g.padding.h + kh * g.dilation.h;
                const std::int64_t ow = w * g.stride.w - g.padding.w + kw * g.dilation.w;
                if (oh < 0 || ow < 0 || oh >= out.shape()[2] || ow >= out.shape()[3]) continue;
                const std::int64_t channel = ci / g.in_channels * g.out_channels + co;
                const std::size_t o = at(out, n, channel, oh, ow);
                const Bits product = model_multiply(x.get(at(x, n, ci, h, w)),
                                                    weight.get(at(weight, ci, co, kh, kw)), type);
                out.set(o, model_add(out.get(o), product, type));
              }
  model_canonical_nans(out);
  return out;
}

}  // namespace assay::testing
