// The loops of conv.h as they stand there.

#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/cast/format.h"
#include "kernels/conv/conv.h"
#include "kernels/conv/conv_call.h"
#include "kernels/conv/half.h"

namespace assay {

namespace conv {
namespace {

/// A wide format's arithmetic is the processor's.
template <class T>
struct Native {
  using Element = T;
  static Element multiply(Element a, Element b) { return a * b; }
  static Element add(Element a, Element b) { return a + b; }
  static Element canonical(Element a) {
    return a == a ? a : std::numeric_limits<Element>::quiet_NaN();
  }
};

template <class Format>
struct Half {
  using Element = std::uint16_t;
  static Element multiply(Element a, Element b) { return half_product<Format>(a, b); }
  static Element add(Element a, Element b) { return half_sum<Format>(a, b); }
  static Element canonical(Element a) {
    return Format::kTraits.is_nan(a) ? Element{Format::kInfinity | Format::kQuietBit} : a;
  }
};

// Arithmetic under the names that the tables of conv.h use.
using f32 = Native<float>;
using f64 = Native<double>;
using bf16 = Half<cast::BF16>;
using f16 = Half<cast::F16>;

template <class Element>
Element load(const std::byte* base, std::int64_t i) {
  Element element;
  std::memcpy(&element, base + i * static_cast<std::int64_t>(sizeof(Element)), sizeof(Element));
  return element;
}

template <class Element>
void store(std::byte* base, std::int64_t i, Element element) {
  std::memcpy(base + i * static_cast<std::int64_t>(sizeof(Element)), &element, sizeof(Element));
}

/// The sum of one output of one image and group. `x` and `weight`: elements before the group's
/// first input plane and before the output channel's first filter.
template <class Arithmetic>
typename Arithmetic::Element gathered_sum(const Plan& plan, std::int64_t x, std::int64_t weight,
                                          std::int64_t oh, std::int64_t ow) {
  using Element = typename Arithmetic::Element;
  const std::int64_t top = oh * plan.rows.stride - plan.rows.padding;
  const std::int64_t left = ow * plan.columns.stride - plan.columns.padding;
  Element sum{};
  for (std::int64_t ci = 0; ci < plan.in_channels; ++ci) {
    for (std::int64_t kh = 0; kh < plan.rows.kernel; ++kh) {
      const std::int64_t ih = top + kh;
      if (ih < 0 || ih >= plan.rows.input) continue;
      for (std::int64_t kw = 0; kw < plan.columns.kernel; ++kw) {
        const std::int64_t iw = left + kw;
        if (iw < 0 || iw >= plan.columns.input) continue;
        const Element pixel =
            load<Element>(plan.x, x + ci * plan.x_plane + ih * plan.columns.input + iw);
        const Element factor =
            load<Element>(plan.weight, weight + ci * plan.filter + kh * plan.columns.kernel + kw);
        sum = Arithmetic::add(sum, Arithmetic::multiply(pixel, factor));
      }
    }
  }
  return sum;
}

template <class Arithmetic>
void gather(const Plan& plan) {
  using Element = typename Arithmetic::Element;
  const std::int64_t channels = plan.groups * plan.out_channels;
  std::int64_t out = 0;
  for (std::int64_t n = 0; n < plan.batch; ++n) {
    for (std::int64_t co = 0; co < channels; ++co) {
      const std::int64_t group = co / plan.out_channels;
      const std::int64_t x = (n * plan.groups + group) * plan.in_channels * plan.x_plane;
      const std::int64_t weight = co * plan.weight_out_step;
      for (std::int64_t oh = 0; oh < plan.rows.output; ++oh) {
        for (std::int64_t ow = 0; ow < plan.columns.output; ++ow, ++out) {
          Element sum = gathered_sum<Arithmetic>(plan, x, weight, oh, ow);
          if (plan.bias != nullptr) sum = Arithmetic::add(sum, load<Element>(plan.bias, co));
          store(plan.out, out, Arithmetic::canonical(sum));
        }
      }
    }
  }
}

/// Scatters one pixel through one filter into one output plane, which starts at element `out`.
template <class Arithmetic>
void scatter_pixel(const Plan& plan, typename Arithmetic::Element pixel, std::int64_t h,
                   std::int64_t w, std::int64_t weight, std::int64_t out) {
  using Element = typename Arithmetic::Element;
  const std::int64_t top = h * plan.rows.stride - plan.rows.padding;
  const std::int64_t left = w * plan.columns.stride - plan.columns.padding;
  for (std::int64_t kh = 0; kh < plan.rows.kernel; ++kh) {
    const std::int64_t oh = top + kh * plan.rows.dilation;
    if (oh < 0 || oh >= plan.rows.output) continue;
    for (std::int64_t kw = 0; kw < plan.columns.kernel; ++kw) {
      const std::int64_t ow = left + kw * plan.columns.dilation;
      if (ow < 0 || ow >= plan.columns.output) continue;
      const std::int64_t at = out + oh * plan.columns.output + ow;
      const Element factor = load<Element>(plan.weight, weight + kh * plan.columns.kernel + kw);
      store(plan.out, at,
            Arithmetic::add(load<Element>(plan.out, at), Arithmetic::multiply(pixel, factor)));
    }
  }
}

template <class Arithmetic>
void scatter(const Plan& plan) {
  using Element = typename Arithmetic::Element;
  std::memset(plan.out, 0, static_cast<std::size_t>(plan.out_elements) * sizeof(Element));
  const std::int64_t channels = plan.groups * plan.in_channels;
  std::int64_t x = 0;
  for (std::int64_t n = 0; n < plan.batch; ++n) {
    for (std::int64_t ci = 0; ci < channels; ++ci) {
      const std::int64_t group = ci / plan.in_channels;
      const std::int64_t weight = ci * plan.weight_in_step;
      const std::int64_t out = (n * plan.groups + group) * plan.out_channels * plan.out_plane;
      for (std::int64_t h = 0; h < plan.rows.input; ++h) {
        for (std::int64_t w = 0; w < plan.columns.input; ++w, ++x) {
          const Element pixel = load<Element>(plan.x, x);
          for (std::int64_t co = 0; co < plan.out_channels; ++co) {
            scatter_pixel<Arithmetic>(plan, pixel, h, w, weight + co * plan.filter,
                                      out + co * plan.out_plane);
          }
        }
      }
    }
  }
  for (std::int64_t i = 0; i < plan.out_elements; ++i) {
    store(plan.out, i, Arithmetic::canonical(load<Element>(plan.out, i)));
  }
}

template <class Arithmetic>
void loop_conv2d(const Plan& plan) {
  gather<Arithmetic>(plan);
}
template <class Arithmetic>
void loop_conv2d_simple(const Plan& plan) {
  gather<Arithmetic>(plan);
}
template <class Arithmetic>
void loop_conv_transpose2d(const Plan& plan) {
  scatter<Arithmetic>(plan);
}

#define ASSAY_DEFINE(operation, format, dtype)                                               \
  KernelStatus operation##_##format(KernelCall& call) {                                      \
    return run(call, &check_##operation, Dtype::dtype, "scalar", &loop_##operation<format>); \
  }
ASSAY_WIDE_CONVS(ASSAY_DEFINE)
ASSAY_HALF_CONVS(ASSAY_DEFINE)
#undef ASSAY_DEFINE

}  // namespace
}  // namespace conv

FamilyVariant scalar_convs() {
#define ASSAY_POINTER(operation, format, dtype) &conv::operation##_##format,
  return {"scalar", {ASSAY_WIDE_CONVS(ASSAY_POINTER) ASSAY_HALF_CONVS(ASSAY_POINTER)}};
#undef ASSAY_POINTER
}

}  // namespace assay
