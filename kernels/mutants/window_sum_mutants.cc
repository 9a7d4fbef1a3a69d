// Faults of how a convolution forms its sums: their order, their precision, what they leave out and
// what becomes of the padding.

#include <array>
#include <tuple>

#include "kernels/mutants/window_kernel.h"

namespace assay::mutants {

namespace {

struct Reversed : Correct {
  template <class A>
  static ElementOf<A> total(Output<A>& output) {
    std::reverse(output.terms.begin(), output.terms.end());
    return running_sum<A>(output.terms, output.bias);
  }
};

/// The terms in ascending order of what `kKey` makes of their places.
template <auto kKey>
struct Nested : Correct {
  template <class A>
  static ElementOf<A> total(Output<A>& output) {
    std::stable_sort(
        output.terms.begin(), output.terms.end(),
        [](const Term<A>& a, const Term<A>& b) { return kKey(a.place) < kKey(b.place); });
    return running_sum<A>(output.terms, output.bias);
  }
};

constexpr auto kColumnsOverRows = [](const Place& p) { return std::tuple(p.ci, p.kw, p.kh); };
constexpr auto kChannelsInnermost = [](const Place& p) { return std::tuple(p.kh, p.kw, p.ci); };
constexpr auto kFilterAscending = [](const Place& p) { return std::tuple(p.ci, p.kh, p.kw); };
constexpr auto kPixelsOverChannels = [](const Place& p) { return std::tuple(p.ih, p.iw, p.ci); };

struct FourPartialSums : Correct {
  template <class A>
  static ElementOf<A> total(const Output<A>& output) {
    std::array<ElementOf<A>, 4> sums{};
    for (std::size_t i = 0; i < output.terms.size(); ++i) {
      const Term<A>& term = output.terms[i];
      sums[i % 4] = A::add(sums[i % 4], A::multiply(term.pixel, term.factor));
    }
    const ElementOf<A> sum = A::add(A::add(sums[0], sums[1]), A::add(sums[2], sums[3]));
    return output.bias == nullptr ? sum : A::add(sum, *output.bias);
  }
};

/// Every input channel has a sum of its own; those are added up.
struct ChannelByChannel : Correct {
  template <class A>
  static ElementOf<A> total(const Output<A>& output) {
    ElementOf<A> sum{};
    ElementOf<A> of_channel{};
    Index channel = 0;
    for (const Term<A>& term : output.terms) {
      if (term.place.ci != channel) {
        sum = A::add(sum, of_channel);
        of_channel = {};
        channel = term.place.ci;
      }
      of_channel = A::add(of_channel, A::multiply(term.pixel, term.factor));
    }
    sum = A::add(sum, of_channel);
    return output.bias == nullptr ? sum : A::add(sum, *output.bias);
  }
};

/// Kahan's compensated sum.
struct Compensated : Correct {
  template <class A>
  static ElementOf<A> total(const Output<A>& output) {
    ElementOf<A> sum = 0;
    ElementOf<A> lost = 0;
    for (const Term<A>& term : output.terms) {
      const ElementOf<A> product = term.pixel * term.factor - lost;
      const ElementOf<A> next = sum + product;
      lost = (next - sum) - product;
      sum = next;
    }
    return output.bias == nullptr ? sum : sum + *output.bias;
  }
};

struct Fused : Correct {
  template <class A>
  static ElementOf<A> total(const Output<A>& output) {
    ElementOf<A> sum = 0;
    for (const Term<A>& term : output.terms) sum = std::fma(term.pixel, term.factor, sum);
    return output.bias == nullptr ? sum : sum + *output.bias;
  }
};

/// A 16-bit product goes into the addition as it is.
struct ProductNotRounded : Correct {
  template <class A>
  static ElementOf<A> total(const Output<A>& output) {
    double sum = 0;
    for (const Term<A>& term : output.terms) {
      const double product = A::value(term.pixel) * A::value(term.factor);
      sum = A::value(A::rounded(sum + product));
    }
    return A::rounded(sum);
  }
};

/// Operands, products and sums in another format; one rounding at the end.
template <class T>
struct AccumulatedIn : Correct {
  template <class A>
  static ElementOf<A> total(const Output<A>& output) {
    T sum = 0;
    for (const Term<A>& term : output.terms) {
      sum += static_cast<T>(A::value(term.pixel)) * static_cast<T>(A::value(term.factor));
    }
    if (output.bias != nullptr) sum += static_cast<T>(A::value(*output.bias));
    return A::rounded(static_cast<double>(sum));
  }
};

/// Operands cut to the ten fraction bits of a tensor core's format.
struct OperandsCut : Correct {
  static float cut(float value) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & ~std::uint32_t{0x1fff});
  }
  template <class A>
  static ElementOf<A> total(Output<A>& output) {
    for (Term<A>& term : output.terms) term = {cut(term.pixel), cut(term.factor), term.place};
    return running_sum<A>(output.terms, output.bias);
  }
};

template <class A>
ElementOf<A> flushed(ElementOf<A> element) {
  const DtypeTraits& row = traits(A::kDtype);
  const Bits bits = bits_of<A>(element);
  return row.is_subnormal(bits) ? element_of<A>(bits & row.sign_mask()) : element;
}

struct ResultFlushed : Correct {
  template <class A>
  static ElementOf<A> total(const Output<A>& output) {
    return flushed<A>(running_sum<A>(output.terms, output.bias));
  }
};

struct ProductsFlushed : Correct {
  template <class A>
  static ElementOf<A> total(const Output<A>& output) {
    ElementOf<A> sum{};
    for (const Term<A>& term : output.terms) {
      sum = A::add(sum, flushed<A>(A::multiply(term.pixel, term.factor)));
    }
    return output.bias == nullptr ? sum : A::add(sum, *output.bias);
  }
};

/// An unrolled loop that forgets what is left over.
struct LastTermDropped : Correct {
  template <class A>
  static ElementOf<A> total(Output<A>& output) {
    if (output.terms.size() > 16 && output.terms.size() % 2 == 1) output.terms.pop_back();
    return running_sum<A>(output.terms, output.bias);
  }
};

/// A vector's tail that is summed backwards.
struct TailReversed : Correct {
  template <class A>
  static ElementOf<A> total(Output<A>& output) {
    const Index width = output.plan.columns.output;
    if (width > 8 && output.place.ow >= width / 8 * 8) return Reversed::total<A>(output);
    return running_sum<A>(output.terms, output.bias);
  }
};

struct ZeroPixelsSkipped : Correct {
  template <class A>
  static ElementOf<A> total(Output<A>& output) {
    std::erase_if(output.terms, [](const Term<A>& term) { return A::value(term.pixel) == 0; });
    return running_sum<A>(output.terms, output.bias);
  }
};

struct BiasFirst : Correct {
  template <class A>
  static ElementOf<A> total(const Output<A>& output) {
    ElementOf<A> sum = output.bias == nullptr ? ElementOf<A>{} : *output.bias;
    for (const Term<A>& term : output.terms) {
      sum = A::add(sum, A::multiply(term.pixel, term.factor));
    }
    return sum;
  }
};

struct BiasPerChannel : Correct {
  template <class A>
  static ElementOf<A> total(const Output<A>& output) {
    ElementOf<A> sum = running_sum<A>(output.terms, output.bias);
    if (output.bias == nullptr) return sum;
    for (Index ci = 1; ci < output.plan.in_channels; ++ci) sum = A::add(sum, *output.bias);
    return sum;
  }
};

struct BiasOfFirstGroup : Correct {
  static Index bias_at(const Plan&, const Place& p) { return p.co; }
};

struct PaddingMultiplied : Correct {
  static constexpr Outside kOutside = Outside::kZero;
};
struct PaddingFromEdge : Correct {
  static constexpr Outside kOutside = Outside::kEdge;
};

}  // namespace

std::vector<Mutant> window_sum_mutants() {
  return {
      {"conv2d_f32_reversed", kConv2dF32, "adds the terms backwards; 3 terms or more",
       "accumulator", kConv2d<f32, Reversed>},
      {"conv2d_simple_bf16_reversed", kSimpleBF16, "adds the terms backwards; 3 terms or more",
       "accumulator", kSimple<bf16, Reversed>},
      {"conv_transpose2d_f64_reversed", kTransposeF64,
       "adds what meets backwards; 3 input channels, or windows that overlap 3 deep", "accumulator",
       kTranspose<f64, Reversed>},
      {"conv2d_f64_columns_over_rows", kConv2dF64,
       "nests filter rows inside columns; filters of 2 x 2 or more", "accumulator",
       kConv2d<f64, Nested<kColumnsOverRows>>},
      {"conv2d_f32_channels_innermost", kConv2dF32,
       "nests channels innermost; 2 channels in a group and a filter of 2 elements or more",
       "accumulator", kConv2d<f32, Nested<kChannelsInnermost>>},
      {"conv2d_simple_f16_channels_innermost", kSimpleF16,
       "nests channels innermost; 2 channels and a filter of 2 elements or more", "accumulator",
       kSimple<f16, Nested<kChannelsInnermost>>},
      {"conv_transpose2d_f32_filter_ascending", kTransposeF32,
       "adds by filter position, not by pixel; 3 windows that overlap", "accumulator",
       kTranspose<f32, Nested<kFilterAscending>>},
      {"conv_transpose2d_f32_pixels_over_channels", kTransposeF32,
       "adds pixel by pixel, channels within; 2 channels in a group, windows that overlap",
       "accumulator", kTranspose<f32, Nested<kPixelsOverChannels>>},
      {"conv2d_f32_four_partial_sums", kConv2dF32, "keeps four partial sums; 4 terms or more",
       "accumulator", kConv2d<f32, FourPartialSums>},
      {"conv2d_simple_f64_four_partial_sums", kSimpleF64,
       "keeps four partial sums; 4 terms or more", "accumulator", kSimple<f64, FourPartialSums>},
      {"conv2d_f64_channel_by_channel", kConv2dF64,
       "sums each channel, then those sums; 2 channels in a group, a filter of 2 or more",
       "accumulator", kConv2d<f64, ChannelByChannel>},
      {"conv2d_f64_compensated", kConv2dF64,
       "compensates the rounding of sums: nearer to the exact result than what is declared",
       "accumulator", kConv2d<f64, Compensated>},
      {"conv2d_f32_fused", kConv2dF32, "fuses products into sums; 2 terms", "accumulator",
       kConv2d<f32, Fused>},
      {"conv2d_f64_fused", kConv2dF64, "fuses products into sums; 2 terms", "accumulator",
       kConv2d<f64, Fused>},
      {"conv_transpose2d_f32_fused", kTransposeF32, "fuses products into sums; 2 terms that meet",
       "accumulator", kTranspose<f32, Fused>},
      {"conv2d_simple_f16_product_not_rounded", kSimpleF16,
       "adds products without rounding them; 2 terms", "accumulator",
       kSimple<f16, ProductNotRounded>},
      {"conv2d_simple_bf16_product_not_rounded", kSimpleBF16,
       "adds products without rounding them; 2 terms", "accumulator",
       kSimple<bf16, ProductNotRounded>},
      {"conv2d_simple_f16_in_f32", kSimpleF16, "sums in f32, rounds once at the end; 2 terms",
       "accumulator", kSimple<f16, AccumulatedIn<float>>},
      {"conv2d_simple_bf16_in_f32", kSimpleBF16, "sums in f32, rounds once at the end; 2 terms",
       "accumulator", kSimple<bf16, AccumulatedIn<float>>},
      {"conv2d_f32_in_f64", kConv2dF32, "sums in f64, rounds once at the end; 2 terms",
       "accumulator", kConv2d<f32, AccumulatedIn<double>>},
      {"conv_transpose2d_f32_in_f64", kTransposeF32,
       "sums in f64, rounds once at the end; 2 terms that meet", "accumulator",
       kTranspose<f32, AccumulatedIn<double>>},
      {"conv2d_f64_in_f32", kConv2dF64, "computes all in f32; any values with more than 24 bits",
       "error_bound", kConv2d<f64, AccumulatedIn<float>>},
      {"conv_transpose2d_f64_in_f32", kTransposeF64,
       "computes all in f32; any values with more than 24 bits", "error_bound",
       kTranspose<f64, AccumulatedIn<float>>},
      {"conv2d_simple_f32_operands_cut", kSimpleF32,
       "drops the last 13 fraction bits of both operands; any values that have some", "error_bound",
       kSimple<f32, OperandsCut>},
      {"conv2d_f32_result_flushed", kConv2dF32, "flushes subnormal results to zero", "accumulator",
       kConv2d<f32, ResultFlushed>},
      {"conv2d_simple_f16_products_flushed", kSimpleF16, "flushes subnormal products to zero",
       "accumulator", kSimple<f16, ProductsFlushed>},
      {"conv2d_f32_last_term_dropped", kConv2dF32,
       "drops the last of an odd number of terms above 16: filter of 5 x 5, or 3 of 3 x 3",
       "accumulator", kConv2d<f32, LastTermDropped>},
      {"conv2d_simple_f16_last_term_dropped", kSimpleF16,
       "drops the last of an odd number of terms above 16: filter of 5 x 5, or 3 of 3 x 3",
       "accumulator", kSimple<f16, LastTermDropped>},
      {"conv2d_f32_tail_reversed", kConv2dF32,
       "adds backwards in the last Wout mod 8 columns where Wout > 8; 3 terms", "accumulator",
       kConv2d<f32, TailReversed>},
      {"conv_transpose2d_f32_zero_pixels_skipped", kTransposeF32,
       "skips zeros of x: a weight that is NaN or infinite and meets only zeros does not show",
       "accumulator", kTranspose<f32, ZeroPixelsSkipped>},
      {"conv2d_f32_bias_first", kConv2dF32, "begins the sum with the bias; bias, 2 terms",
       "accumulator", kConv2d<f32, BiasFirst>},
      {"conv2d_f64_bias_first", kConv2dF64, "begins the sum with the bias; bias, 2 terms",
       "accumulator", kConv2d<f64, BiasFirst>},
      {"conv2d_f64_bias_per_channel", kConv2dF64,
       "adds the bias once per input channel; bias, 2 channels in a group", "accumulator",
       kConv2d<f64, BiasPerChannel>},
      {"conv2d_f32_bias_of_first_group", kConv2dF32,
       "takes the first group's bias for all groups; bias, 2 groups", "accumulator",
       kConv2d<f32, BiasOfFirstGroup>},
      {"conv2d_f32_padding_multiplied", kConv2dF32,
       "multiplies the padding as zeros; padding under a weight that is NaN or infinite",
       "padding_skipped", kConv2d<f32, PaddingMultiplied>},
      {"conv2d_simple_bf16_padding_multiplied", kSimpleBF16,
       "multiplies the padding as zeros; padding under a weight that is NaN or infinite",
       "padding_skipped", kSimple<bf16, PaddingMultiplied>},
      {"conv2d_f64_padding_from_edge", kConv2dF64,
       "takes the nearest pixel for a padded one; any padding", "padding_skipped",
       kConv2d<f64, PaddingFromEdge>},
      {"conv2d_simple_f32_padding_from_edge", kSimpleF32,
       "takes the nearest pixel for a padded one; any padding", "padding_skipped",
       kSimple<f32, PaddingFromEdge>},
  };
}

}  // namespace assay::mutants
