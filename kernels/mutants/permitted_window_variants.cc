// Convolutions and poolings that the reference contracts permit: other loops with the same order of
// additions for each result, and other results where nothing is promised (what NaN it is, what a
// window of NaNs gives, the sign where zeros of both signs compete).

#include <cstring>
#include <system_error>
#include <thread>

#include "kernels/mutants/window_pool.h"

namespace assay {

namespace mutants {
namespace {

template <Bits kNan>
struct OtherNan : Correct {
  template <class A>
  static ElementOf<A> finished(ElementOf<A> total) {
    return std::isnan(A::value(total)) ? element_of<A>(kNan) : total;
  }
};

/// The NaN of the first operand that is one, its sign with it.
struct OperandsNan : Correct {
  template <class A>
  static ElementOf<A> total(const Output<A>& output) {
    const auto sum = running_sum<A>(output.terms, output.bias);
    if (!std::isnan(A::value(sum))) return sum;
    for (const Term<A>& term : output.terms) {
      for (const auto operand : {term.pixel, term.factor}) {
        if (std::isnan(A::value(operand))) {
          return element_of<A>(bits_of<A>(operand) | traits(A::kDtype).quiet_bit());
        }
      }
    }
    return sum;
  }
  template <class A>
  static ElementOf<A> finished(ElementOf<A> total) {
    return total;
  }
};

/// Clears the output first and then leaves out what no input reaches.
struct ReachedOnly : Correct {
  template <class A>
  static Written written(const Output<A>& output) {
    return output.terms.empty() ? Written::kNothing : Written::kSum;
  }
};

template <class A>
void cleared_first(const Plan& plan) {
  std::memset(plan.out, 0, static_cast<std::size_t>(plan.out_elements) * sizeof(ElementOf<A>));
  window_loop<A, ReachedOnly>(plan);
}

/// One filter element after the other goes over all results of a plane, which hold the sums.
template <class A>
void filter_outermost(const Plan& plan) {
  using Element = ElementOf<A>;
  std::memset(plan.out, 0, static_cast<std::size_t>(plan.out_elements) * sizeof(Element));
  const auto over_plane = [&](Place p, auto&& change) {
    for (p.oh = 0; p.oh < plan.rows.output; ++p.oh) {
      for (p.ow = 0; p.ow < plan.columns.output; ++p.ow) {
        const Index at = Correct::out_at(plan, p);
        put_element(plan.out, at, change(p, element_at<Element>(plan.out, at)));
      }
    }
  };
  const auto add_term = [&](Place p, Element sum) {
    meets(plan.rows, plan.direction, p.oh, p.kh, p.ih);
    meets(plan.columns, plan.direction, p.ow, p.kw, p.iw);
    const bool inside =
        p.ih >= 0 && p.ih < plan.rows.input && p.iw >= 0 && p.iw < plan.columns.input;
    if (!inside) return sum;
    return A::add(sum, A::multiply(element_at<Element>(plan.x, Correct::x_at(plan, p)),
                                   element_at<Element>(plan.weight, Correct::weight_at(plan, p))));
  };
  const auto finish = [&](const Place& p, Element sum) {
    if (plan.bias == nullptr) return Correct::finished<A>(sum);
    const auto bias = element_at<Element>(plan.bias, Correct::bias_at(plan, p));
    return Correct::finished<A>(A::add(sum, bias));
  };
  Place p;
  for (p.n = 0; p.n < plan.batch; ++p.n) {
    for (p.group = 0; p.group < plan.groups; ++p.group) {
      for (p.co = 0; p.co < plan.out_channels; ++p.co) {
        for (p.ci = 0; p.ci < plan.in_channels; ++p.ci)
          for (p.kh = 0; p.kh < plan.rows.kernel; ++p.kh)
            for (p.kw = 0; p.kw < plan.columns.kernel; ++p.kw) over_plane(p, add_term);
        over_plane(p, finish);
      }
    }
  }
}

/// The last result first.
template <class A>
void last_first(const Plan& plan) {
  Place p;
  for (p.n = plan.batch; p.n-- > 0;)
    for (p.group = plan.groups; p.group-- > 0;)
      for (p.co = plan.out_channels; p.co-- > 0;)
        for (p.oh = plan.rows.output; p.oh-- > 0;)
          for (p.ow = plan.columns.output; p.ow-- > 0;) write_output<A, Correct>(plan, p);
}

/// Reads x from a copy of its own.
template <class A>
void over_a_copy(const Plan& given) {
  const std::vector<std::byte> copy(
      given.x, given.x + static_cast<std::size_t>(given.x_elements) * sizeof(ElementOf<A>));
  Plan plan = given;
  plan.x = copy.data();
  window_loop<A, Correct>(plan);
}

/// Halves the output channels of each group between two threads; alone where no second one can be
/// had.
template <class A>
void two_threads(const Plan& plan) {
  const auto channels = [&plan](Index from, Index to) {
    Place p;
    for (p.n = 0; p.n < plan.batch; ++p.n)
      for (p.group = 0; p.group < plan.groups; ++p.group)
        for (p.co = from; p.co < to; ++p.co)
          for (p.oh = 0; p.oh < plan.rows.output; ++p.oh)
            for (p.ow = 0; p.ow < plan.columns.output; ++p.ow) write_output<A, Correct>(plan, p);
  };
  const Index half = plan.out_channels / 2;
  std::thread other;
  try {
    if (half > 0) other = std::thread(channels, 0, half);
  } catch (const std::system_error&) {
    channels(0, half);
  }
  channels(half, plan.out_channels);
  if (other.joinable()) other.join();
}

/// Has another status and message for a dilation that it does not walk.
KernelStatus refuses_dilation_early(KernelCall& call) {
  for (const KernelParameter& parameter : call.parameters) {
    const bool known = parameter.name != nullptr &&
                       std::strncmp(parameter.name, "dilation_", std::strlen("dilation_")) == 0;
    if (known && parameter.value != 1) {
      return refuse(call, KernelStatus::kFailed, "dilated convolutions are not implemented");
    }
  }
  return kConv2d<f64>(call);
}

// Pooling.

template <class Format>
bool all_nan(const Window<Format>& window) {
  for (const auto bits : window.elements) {
    if (!Format::kTraits.is_nan(bits)) return false;
  }
  return true;
}

/// What a window of nothing but NaNs gives.
template <Bits kResult>
struct OfNans : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    return all_nan(window) ? typename Format::Word{kResult} : CorrectPool::chosen<Format>(window);
  }
};

struct LastNan : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    return all_nan(window) ? window.elements.back() : CorrectPool::chosen<Format>(window);
  }
};

enum class Zero : std::uint8_t { kFirst, kLast, kNegative };

/// Which zero a window gives whose greatest elements are zeros.
template <Zero kZero>
struct ZeroChosen : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    const auto best = CorrectPool::chosen<Format>(window);
    if (!Format::kTraits.is_zero(best)) return best;
    auto chosen = best;
    bool found = false;
    for (const auto bits : window.elements) {
      if (!Format::kTraits.is_zero(bits)) continue;
      const bool taken = kZero == Zero::kLast || (kZero == Zero::kFirst && !found) ||
                         (kZero == Zero::kNegative && Format::kTraits.is_negative(bits));
      if (taken) chosen = bits;
      found = true;
    }
    return chosen;
  }
};

}  // namespace
}  // namespace mutants

std::vector<Mutant> permitted_window_variants() {
  using namespace mutants;
  using cast::BF16;
  using cast::F16;
  using cast::F32;
  using cast::F64;
  using conv::check_conv2d;
  using conv::check_conv_transpose2d;
  return {
      {"conv2d_f32_nan_with_payload", kConv2dF32, "gives 0x7fc00123 for every NaN", "",
       kConv2d<f32, OtherNan<0x7fc00123>>},
      {"conv2d_f64_nan_negative", kConv2dF64, "gives the negative quiet NaN for every NaN", "",
       kConv2d<f64, OtherNan<0xfff8000000000000>>},
      {"conv_transpose2d_f64_nan_with_payload", kTransposeF64,
       "gives 0xfff8000000000001 for every NaN", "", kTranspose<f64, OtherNan<0xfff8000000000001>>},
      {"conv2d_simple_f16_nan_negative", kSimpleF16,
       "gives a negative NaN with a payload for every NaN", "", kSimple<f16, OtherNan<0xfe01>>},
      {"conv_transpose2d_f32_operands_nan", kTransposeF32,
       "gives the first NaN among the operands, with its sign and payload", "",
       kTranspose<f32, OperandsNan>},
      {"conv2d_f64_refuses_dilation_early", kConv2dF64,
       "refuses a dilation other than 1 first of all, and as kFailed", "", &refuses_dilation_early},
      {"conv2d_f32_filter_outermost", kConv2dF32,
       "goes over all results with one filter element after the other: the same order in each", "",
       &convolve<&check_conv2d, Dtype::kF32, &filter_outermost<f32>>},
      {"conv2d_f32_last_result_first", kConv2dF32, "computes the last result first", "",
       &convolve<&check_conv2d, Dtype::kF32, &last_first<f32>>},
      {"conv_transpose2d_f64_over_a_copy", kTransposeF64, "reads x from a copy of its own", "",
       &convolve<&check_conv_transpose2d, Dtype::kF64, &over_a_copy<f64>>},
      {"conv2d_simple_bf16_two_threads", kSimpleBF16,
       "halves the output channels between two threads", "",
       &convolve<&conv::check_conv2d_simple, Dtype::kBF16, &two_threads<bf16>>},
      {"conv2d_simple_f64_last_result_first", kSimpleF64, "computes the last result first", "",
       &convolve<&conv::check_conv2d_simple, Dtype::kF64, &last_first<f64>>},
      {"conv_transpose2d_f32_gathered", kTransposeF32,
       "gathers each result in the order in which the scattering adds", "", kTranspose<f32>},
      {"conv_transpose2d_f64_cleared_first", kTransposeF64,
       "clears the output by memset, then leaves alone what no input reaches", "",
       &convolve<&check_conv_transpose2d, Dtype::kF64, &cleared_first<f64>>},
      {"max_pool2d_f32_nans_to_minus_infinity", kMaxPoolF32, "gives -infinity for a window of NaNs",
       "", kMaxPool<F32, OfNans<0xff800000>>},
      {"max_pool2d_f16_nans_to_another", kMaxPoolF16, "gives 0x7e55 for a window of NaNs", "",
       kMaxPool<F16, OfNans<0x7e55>>},
      {"max_pool2d_bf16_nans_to_negative", kMaxPoolBF16,
       "gives the negative quiet NaN for a window of NaNs", "", kMaxPool<BF16, OfNans<0xffc0>>},
      {"max_pool2d_f64_last_nan", kMaxPoolF64, "gives the last NaN of a window of NaNs", "",
       kMaxPool<F64, LastNan>},
      {"max_pool2d_f32_first_zero", kMaxPoolF32,
       "gives the first of a window's zeros where zeros are the greatest", "",
       kMaxPool<F32, ZeroChosen<Zero::kFirst>>},
      {"max_pool2d_f64_last_zero", kMaxPoolF64,
       "gives the last of a window's zeros where zeros are the greatest", "",
       kMaxPool<F64, ZeroChosen<Zero::kLast>>},
      {"max_pool2d_bf16_negative_zero", kMaxPoolBF16,
       "gives -0 where zeros of both signs are the greatest", "",
       kMaxPool<BF16, ZeroChosen<Zero::kNegative>>},
      {"max_pool2d_f16_plain", kMaxPoolF16, "gives +0 where zeros of both signs are the greatest",
       "", kMaxPool<F16>},
  };
}

}  // namespace assay
