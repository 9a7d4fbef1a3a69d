// Faults of what a convolution or a pooling does around its arithmetic: memory, old contents, state
// from call to call, the floating-point environment, threads and files. Some do on purpose what a
// sanitizer reports.

#include <atomic>
#include <cfenv>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "kernels/mutants/left_behind.h"
#include "kernels/mutants/window_pool.h"

namespace assay::mutants {

namespace {

constexpr Index kVectorBytes = 64;

template <class A>
constexpr Index kBytes = static_cast<Index>(sizeof(ElementOf<A>));

Index weight_elements(const Plan& plan) {
  return plan.groups * plan.in_channels * plan.out_channels * plan.filter;
}

void touch(const std::byte* from, Index bytes) {
  const volatile std::byte* at = from;
  for (Index i = 0; i < bytes; ++i) static_cast<void>(at[i]);
}

template <class A>
void reads_past_weight(const Plan& plan) {
  window_loop<A, Correct>(plan);
  if (weight_elements(plan) != 0) touch(plan.weight + weight_elements(plan) * kBytes<A>, kBytes<A>);
}

template <class A>
void reads_vector_past_x(const Plan& plan) {
  window_loop<A, Correct>(plan);
  if (plan.x_elements != 0) touch(plan.x + (plan.x_elements - 1) * kBytes<A>, kVectorBytes);
}

template <class A>
void reads_before_x(const Plan& plan) {
  window_loop<A, Correct>(plan);
  const bool padded = plan.rows.padding > 0 || plan.columns.padding > 0;
  if (padded && plan.x_elements != 0) touch(plan.x - kBytes<A>, kBytes<A>);
}

template <class A>
void writes_past_output(const Plan& plan) {
  window_loop<A, Correct>(plan);
  const auto last = element_at<ElementOf<A>>(plan.out, plan.out_elements - 1);
  const Bits inverted = ~bits_of<A>(last) & traits(A::kDtype).all_mask();
  put_element(plan.out, plan.out_elements, element_of<A>(inverted));
}

template <class Format>
void pool_reads_past_x(const pool::Plan& plan) {
  pool_loop<Format, CorrectPool>(plan);
  const Index end = plan.planes * plan.height * plan.width;
  const auto bytes = static_cast<Index>(sizeof(typename Format::Word));
  touch(plan.x + (end - 1) * bytes, kVectorBytes);
}

/// Changes the first element of x while it works, and leaves it so or puts it back.
template <class A, bool kRestores>
void scratches_x(const Plan& plan) {
  window_loop<A, Correct>(plan);
  if (plan.x_elements == 0) return;
  std::byte* scratch = const_cast<std::byte*>(plan.x);
  const auto first = element_at<ElementOf<A>>(plan.x, 0);
  put_element(scratch, 0, element_of<A>(bits_of<A>(first) ^ 1));
  std::atomic_signal_fence(std::memory_order_seq_cst);  // keeps both writes
  if (kRestores) put_element(scratch, 0, first);
}

/// Old contents go into the sums.
template <class A>
void adds_to_old_output(const Plan& plan) {
  using Element = ElementOf<A>;
  std::vector<std::byte> old(plan.out, plan.out + plan.out_elements * kBytes<A>);
  window_loop<A, Correct>(plan);
  for (Index i = 0; i < plan.out_elements; ++i) {
    const Element sum =
        A::add(element_at<Element>(old.data(), i), element_at<Element>(plan.out, i));
    put_element(plan.out, i, Correct::finished<A>(sum));
  }
}

/// Old contents that happen to be greater stay.
template <class Format>
void pool_keeps_greater_output(const pool::Plan& plan) {
  using Word = typename Format::Word;
  const Index elements = plan.planes * plan.out_height * plan.out_width;
  const auto bytes = elements * static_cast<Index>(sizeof(Word));
  const std::vector<std::byte> old(plan.out, plan.out + bytes);
  pool_loop<Format, CorrectPool>(plan);
  for (Index i = 0; i < elements; ++i) {
    const Word kept = element_at<Word>(old.data(), i);
    put_element(plan.out, i, greatest<Format>(element_at<Word>(plan.out, i), {kept}));
  }
}

/// Other sums where x does not start on a boundary of two cache lines.
struct TwoPartialSums : Correct {
  template <class A>
  static ElementOf<A> total(const Output<A>& output) {
    ElementOf<A> sums[2] = {};
    for (std::size_t i = 0; i < output.terms.size(); ++i) {
      const Term<A>& term = output.terms[i];
      sums[i % 2] = A::add(sums[i % 2], A::multiply(term.pixel, term.factor));
    }
    const ElementOf<A> sum = A::add(sums[0], sums[1]);
    return output.bias == nullptr ? sum : A::add(sum, *output.bias);
  }
};

template <class A>
void depends_on_alignment(const Plan& plan) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(plan.x) % 128 == 0;
  aligned ? window_loop<A, Correct>(plan) : window_loop<A, TwoPartialSums>(plan);
}

std::atomic<unsigned> calls{0};

template <class A>
void every_seventh_call(const Plan& plan) {
  const bool seventh = calls.fetch_add(1) % 7 == 6;
  seventh ? window_loop<A, TwoPartialSums>(plan) : window_loop<A, Correct>(plan);
}

template <class A>
void flips_over_ones(const Plan& plan) {
  const auto before = bits_of<A>(element_at<ElementOf<A>>(plan.out, 0));
  window_loop<A, Correct>(plan);
  const auto first = element_at<ElementOf<A>>(plan.out, 0);
  if (before != traits(A::kDtype).all_mask()) return;
  put_element(plan.out, 0, element_of<A>(bits_of<A>(first) ^ 1));
}

template <KernelFunction kKernel, int kMode>
KernelStatus leaves_rounding_mode(KernelCall& call) {
  const KernelStatus status = kKernel(call);
  if (status == KernelStatus::kOk) std::fesetround(kMode);
  return status;
}

/// In the first call of a process only.
template <KernelFunction kKernel, void (*kLeave)()>
KernelStatus leaves(KernelCall& call) {
  static std::atomic<bool> left{false};
  const KernelStatus status = kKernel(call);
  if (status == KernelStatus::kOk && !left.exchange(true)) kLeave();
  return status;
}

#if defined(__SSE2__)
constexpr unsigned kFlushToZero = 0x8000;  // of the control and status register

KernelStatus leaves_flush_mode(KernelCall& call) {
  const KernelStatus status = kConv2d<f32>(call);
  if (status == KernelStatus::kOk) _mm_setcsr(_mm_getcsr() | kFlushToZero);
  return status;
}
#endif

}  // namespace

std::vector<Mutant> window_memory_mutants() {
  using conv::check_conv2d;
  using conv::check_conv2d_simple;
  using conv::check_conv_transpose2d;
  using enum Dtype;
  std::vector<Mutant> all = {
      {"conv2d_f32_reads_past_weight", kConv2dF32, "reads one element past the end of the weight",
       "in_bounds", &convolve<&check_conv2d, kF32, &reads_past_weight<f32>>},
      {"conv_transpose2d_f64_reads_past_x", kTransposeF64,
       "reads 64 bytes from the last element of x on", "in_bounds",
       &convolve<&check_conv_transpose2d, kF64, &reads_vector_past_x<f64>>},
      {"conv2d_simple_f16_reads_before_x", kSimpleF16,
       "reads the element before the first one of x; padding of 1", "in_bounds",
       &convolve<&check_conv2d_simple, kF16, &reads_before_x<f16>>},
      {"conv2d_f64_writes_past_output", kConv2dF64, "writes one element past the end of its output",
       "in_bounds", &convolve<&check_conv2d, kF64, &writes_past_output<f64>>},
      {"max_pool2d_bf16_reads_past_x", kMaxPoolBF16, "reads 64 bytes from the last element of x on",
       "in_bounds", &max_pool<kBF16, &pool_reads_past_x<cast::BF16>>},
      {"conv2d_f32_scratches_x", kConv2dF32, "flips the last bit of x's first element for good",
       "inputs_unmodified", &convolve<&check_conv2d, kF32, &scratches_x<f32, false>>},
      {"conv_transpose2d_f32_scratches_and_restores_x", kTransposeF32,
       "flips the last bit of x's first element, then puts it back", "inputs_unmodified",
       &convolve<&check_conv_transpose2d, kF32, &scratches_x<f32, true>>},
      {"conv_transpose2d_f64_adds_to_old_output", kTransposeF64,
       "adds to what the output held; an old output other than zeros", "output_fully_written",
       &convolve<&check_conv_transpose2d, kF64, &adds_to_old_output<f64>>},
      {"conv2d_simple_bf16_adds_to_old_output", kSimpleBF16,
       "adds to what the output held; an old output other than zeros", "output_fully_written",
       &convolve<&check_conv2d_simple, kBF16, &adds_to_old_output<bf16>>},
      {"max_pool2d_f32_keeps_greater_output", kMaxPoolF32,
       "keeps what the output held where that is greater; old outputs 0x00.. over negative results",
       "output_fully_written", &max_pool<kF32, &pool_keeps_greater_output<cast::F32>>},
      {"conv2d_f32_depends_on_alignment", kConv2dF32,
       "keeps two partial sums where x is not at a multiple of 128 bytes; 3 terms", "bit_stable",
       &convolve<&check_conv2d, kF32, &depends_on_alignment<f32>>},
      {"conv_transpose2d_f64_every_seventh_call",
       kTransposeF64,
       "keeps two partial sums in every 7th call of the process; 3 terms that meet",
       "bit_stable",
       &convolve<&check_conv_transpose2d, kF64, &every_seventh_call<f64>>,
       {},
       true},
      {"conv2d_f64_flips_over_ones", kConv2dF64,
       "flips the last bit of the first result where the old output there had all bits set",
       "bit_stable", &convolve<&check_conv2d, kF64, &flips_over_ones<f64>>},
      {"conv2d_f64_leaves_rounding_mode", kConv2dF64, "leaves the rounding mode upward",
       "fp_environment_kept", &leaves_rounding_mode<kConv2d<f64>, FE_UPWARD>},
      {"max_pool2d_f16_leaves_rounding_mode", kMaxPoolF16, "leaves the rounding mode toward zero",
       "fp_environment_kept", &leaves_rounding_mode<kMaxPool<cast::F16>, FE_TOWARDZERO>},
      {"conv2d_f32_leaves_descriptor", kConv2dF32,
       "leaves a file open in the first call of a process", "resources_kept",
       &leaves<kConv2d<f32>, leave_a_descriptor>},
      {"max_pool2d_bf16_leaves_thread", kMaxPoolBF16,
       "leaves a thread waiting in the first call of a process", "resources_kept",
       &leaves<kMaxPool<cast::BF16>, leave_a_thread>},
  };
#if defined(__SSE2__)
  all.push_back({"conv2d_f32_leaves_flush_mode", kConv2dF32, "leaves flush-to-zero set",
                 "fp_environment_kept", &leaves_flush_mode});
#endif
  return all;
}

}  // namespace assay::mutants
