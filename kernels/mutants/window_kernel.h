// How faulty convolutions are put together: plain loops, with the argument checks of the real
// kernels, and a hook at each step for a fault to take hold.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/conv/conv_call.h"
#include "kernels/conv/half.h"
#include "kernels/mutants/mutant_kernel.h"

namespace assay::mutants {

inline constexpr const char* kConv2dF32 = "fuel_reference_backend::ops::conv2d_f32";
inline constexpr const char* kConv2dF64 = "fuel_reference_backend::ops::conv2d_f64";
inline constexpr const char* kTransposeF32 = "fuel_reference_backend::ops::conv_transpose2d_f32";
inline constexpr const char* kTransposeF64 = "fuel_reference_backend::ops::conv_transpose2d_f64";
inline constexpr const char* kSimpleF32 = "fuel_reference_backend::ops::conv2d_simple_f32";
inline constexpr const char* kSimpleF64 = "fuel_reference_backend::ops::conv2d_simple_f64";
inline constexpr const char* kSimpleBF16 = "fuel_reference_backend::ops::conv2d_simple_bf16";
inline constexpr const char* kSimpleF16 = "fuel_reference_backend::ops::conv2d_simple_f16";

using conv::Axis;
using conv::Direction;
using conv::Plan;
using Index = std::int64_t;

/// Arithmetic of one format: every operation is rounded to it.
template <class T, Dtype kType>
struct Wide {
  using Element = T;
  static constexpr Dtype kDtype = kType;
  static T multiply(T a, T b) { return a * b; }
  static T add(T a, T b) { return a + b; }
  static double value(T a) { return a; }
  static T rounded(double a) { return static_cast<T>(a); }
};
template <class Format>
struct Half {
  using Element = std::uint16_t;
  static constexpr Dtype kDtype = Format::kTraits.dtype;
  static Element multiply(Element a, Element b) { return conv::half_product<Format>(a, b); }
  static Element add(Element a, Element b) { return conv::half_sum<Format>(a, b); }
  static double value(Element a) { return conv::half_value<Format>(a); }
  static Element rounded(double a) {
    return cast::narrow<cast::F64, Format>(std::bit_cast<std::uint64_t>(a));
  }
};

using f32 = Wide<float, Dtype::kF32>;
using f64 = Wide<double, Dtype::kF64>;
using f16 = Half<cast::F16>;
using bf16 = Half<cast::BF16>;

template <class A>
using ElementOf = typename A::Element;

template <class A>
Bits bits_of(ElementOf<A> element) {
  return std::bit_cast<WordOf<A::kDtype>>(element);
}
template <class A>
ElementOf<A> element_of(Bits bits) {
  return std::bit_cast<ElementOf<A>>(static_cast<WordOf<A::kDtype>>(bits));
}

template <class Element>
Element element_at(const std::byte* base, Index i) {
  return load<Element>(base, static_cast<std::size_t>(i));
}
template <class Element>
void put_element(std::byte* base, Index i, Element element) {
  store(base, static_cast<std::size_t>(i), element);
}

/// One meeting of a kernel position with an input position, for one output. Channels count within
/// the group.
struct Place {
  Index n = 0;
  Index group = 0;
  Index co = 0;
  Index oh = 0;
  Index ow = 0;
  Index ci = 0;
  Index kh = 0;
  Index kw = 0;
  Index ih = 0;
  Index iw = 0;
};

/// One product of a sum.
template <class A>
struct Term {
  ElementOf<A> pixel;
  ElementOf<A> factor;
  Place place;
};

/// All that goes into one output: the terms in the contract's order, and the bias or null.
template <class A>
struct Output {
  const Plan& plan;
  Place place;  ///< n, group, co, oh, ow
  std::vector<Term<A>> terms;
  const ElementOf<A>* bias;
};

/// The running sum, and the bias last.
template <class A>
ElementOf<A> running_sum(const std::vector<Term<A>>& terms, const ElementOf<A>* bias) {
  ElementOf<A> sum{};
  for (const Term<A>& term : terms) sum = A::add(sum, A::multiply(term.pixel, term.factor));
  return bias == nullptr ? sum : A::add(sum, *bias);
}

enum class Outside : std::uint8_t { kSkipped, kZero, kEdge };
enum class Written : std::uint8_t { kSum, kZero, kNothing };

/// The kernel as it should be. A fault derives from this and hides one member.
struct Correct {
  /// The plan that the loops follow; those check every input position against x's extents.
  static Plan bent(const Plan& plan) { return plan; }

  /// What an input position in the padding is taken for.
  static constexpr Outside kOutside = Outside::kSkipped;

  // Indices of elements.
  static Index x_at(const Plan& plan, const Place& p) {
    const Index channel = (p.n * plan.groups + p.group) * plan.in_channels + p.ci;
    return channel * plan.x_plane + p.ih * plan.columns.input + p.iw;
  }
  static Index weight_at(const Plan& plan, const Place& p) {
    const bool gather = plan.direction == Direction::kGather;
    const Index out_channel = gather ? p.group * plan.out_channels + p.co : p.co;
    const Index in_channel = gather ? p.ci : p.group * plan.in_channels + p.ci;
    return out_channel * plan.weight_out_step + in_channel * plan.weight_in_step +
           p.kh * plan.columns.kernel + p.kw;
  }
  static Index bias_at(const Plan& plan, const Place& p) {
    return p.group * plan.out_channels + p.co;
  }
  static Index out_at(const Plan& plan, const Place& p) {
    const Index channel = (p.n * plan.groups + p.group) * plan.out_channels + p.co;
    return channel * plan.out_plane + p.oh * plan.columns.output + p.ow;
  }

  template <class A>
  static Written written(const Output<A>&) {
    return Written::kSum;
  }
  template <class A>
  static ElementOf<A> total(const Output<A>& output) {
    return running_sum<A>(output.terms, output.bias);
  }
  /// What is stored for a total: NaNs become the canonical one.
  template <class A>
  static ElementOf<A> finished(ElementOf<A> total) {
    const DtypeTraits& row = traits(A::kDtype);
    return std::isnan(A::value(total)) ? element_of<A>(row.infinity() | row.quiet_bit()) : total;
  }
};

/// Whether kernel position `k` brings an input position to output `o`; sets that, which may lie
/// outside of x.
inline bool meets(const Axis& axis, Direction direction, Index o, Index k, Index& input) {
  if (direction == Direction::kGather) {
    input = o * axis.stride - axis.padding + k * axis.dilation;
    return true;
  }
  const Index distance = o + axis.padding - k * axis.dilation;
  input = distance / axis.stride;
  return distance % axis.stride == 0;
}

/// The terms of one output. A transposed sum takes its inputs in ascending order, so its kernel
/// positions descend.
template <class A, class Fault>
void collect_terms(Output<A>& output) {
  using Element = ElementOf<A>;
  const Plan& plan = output.plan;
  const bool ascending = plan.direction == Direction::kGather;
  Place p = output.place;
  for (p.ci = 0; p.ci < plan.in_channels; ++p.ci) {
    for (Index h = 0; h < plan.rows.kernel; ++h) {
      p.kh = ascending ? h : plan.rows.kernel - 1 - h;
      Index ih = 0;
      if (!meets(plan.rows, plan.direction, p.oh, p.kh, ih)) continue;
      for (Index w = 0; w < plan.columns.kernel; ++w) {
        p.kw = ascending ? w : plan.columns.kernel - 1 - w;
        Index iw = 0;
        if (!meets(plan.columns, plan.direction, p.ow, p.kw, iw)) continue;
        p.ih = std::clamp<Index>(ih, 0, std::max<Index>(plan.rows.input - 1, 0));
        p.iw = std::clamp<Index>(iw, 0, std::max<Index>(plan.columns.input - 1, 0));
        const bool outside = p.ih != ih || p.iw != iw || plan.x_elements == 0;
        if (outside && Fault::kOutside == Outside::kSkipped) continue;
        const bool zero = plan.x_elements == 0 || (outside && Fault::kOutside == Outside::kZero);
        const Element pixel = zero ? Element{} : element_at<Element>(plan.x, Fault::x_at(plan, p));
        output.terms.push_back(
            {pixel, element_at<Element>(plan.weight, Fault::weight_at(plan, p)), p});
      }
    }
  }
}

template <class A, class Fault>
void write_output(const Plan& plan, const Place& place) {
  using Element = ElementOf<A>;
  Element bias{};
  const bool biased = plan.bias != nullptr;
  if (biased) bias = element_at<Element>(plan.bias, Fault::bias_at(plan, place));
  Output<A> output{plan, place, {}, biased ? &bias : nullptr};
  collect_terms<A, Fault>(output);
  const Written written = Fault::template written<A>(output);
  if (written == Written::kNothing) return;
  const Element total = written == Written::kZero ? Element{} : Fault::template total<A>(output);
  put_element(plan.out, Fault::out_at(plan, place), Fault::template finished<A>(total));
}

template <class A, class Fault>
void window_loop(const Plan& given) {
  const Plan plan = Fault::bent(given);
  Place p;
  for (p.n = 0; p.n < plan.batch; ++p.n)
    for (p.group = 0; p.group < plan.groups; ++p.group)
      for (p.co = 0; p.co < plan.out_channels; ++p.co)
        for (p.oh = 0; p.oh < plan.rows.output; ++p.oh)
          for (p.ow = 0; p.ow < plan.columns.output; ++p.ow) write_output<A, Fault>(plan, p);
}

/// A kernel of a check, a dtype and a loop.
template <conv::Check kCheck, Dtype kDtype, conv::Loop kLoop>
KernelStatus convolve(KernelCall& call) {
  return conv::run(call, kCheck, kDtype, kMutant, kLoop);
}

template <class A, class Fault = Correct>
inline constexpr KernelFunction kConv2d =
    &convolve<&conv::check_conv2d, A::kDtype, &window_loop<A, Fault>>;
template <class A, class Fault = Correct>
inline constexpr KernelFunction kTranspose =
    &convolve<&conv::check_conv_transpose2d, A::kDtype, &window_loop<A, Fault>>;
template <class A, class Fault = Correct>
inline constexpr KernelFunction kSimple =
    &convolve<&conv::check_conv2d_simple, A::kDtype, &window_loop<A, Fault>>;

/// The mutants of convolutions and pooling, one file each.
std::vector<Mutant> window_sum_mutants();
std::vector<Mutant> window_geometry_mutants();
std::vector<Mutant> window_pool_mutants();
std::vector<Mutant> window_memory_mutants();
std::vector<Mutant> window_call_mutants();
std::vector<Mutant> window_tensor_mutants();

}  // namespace assay::mutants
