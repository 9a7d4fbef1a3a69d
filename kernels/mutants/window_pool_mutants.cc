// Faults of a maximum pooling: where the search starts, how it compares, what it looks at.

#include "kernels/mutants/window_pool.h"

namespace assay::mutants {

namespace {

struct StartsAtZero : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    return greatest<Format>(0, window.elements);
  }
};

struct StartsAtLowestFinite : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    const auto lowest = static_cast<typename Format::Word>(Format::kTraits.sign_mask() |
                                                           Format::kTraits.max_finite());
    return greatest<Format>(lowest, window.elements);
  }
};

struct StartsAtFirstOfTensor : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    return greatest<Format>(window.first_of_tensor, window.elements);
  }
};

struct NanWins : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    for (const auto bits : window.elements) {
      if (Format::kTraits.is_nan(bits)) return bits;
    }
    return CorrectPool::chosen<Format>(window);
  }
};

/// The plain `element > best ? element : best`: nothing is greater than a NaN.
struct NanStays : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    const auto first = window.elements.front();
    return Format::kTraits.is_nan(first) ? first : CorrectPool::chosen<Format>(window);
  }
};

/// Patterns as two's complement numbers: among negative elements the least one wins.
struct PatternsAsIntegers : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    using Signed = std::make_signed_t<typename Format::Word>;
    auto best = window.elements.front();
    for (const auto bits : window.elements) {
      const bool greater = static_cast<Signed>(bits) > static_cast<Signed>(best);
      const bool better = greater || Format::kTraits.is_nan(best);
      if (better && !Format::kTraits.is_nan(bits)) best = bits;
    }
    return best;
  }
};

struct GreatestMagnitude : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    auto best = window.elements.front();
    for (const auto bits : window.elements) {
      if (Format::kTraits.is_nan(bits)) continue;
      const bool greater = (bits & Format::kMagnitudeMask) > (best & Format::kMagnitudeMask);
      if (greater || Format::kTraits.is_nan(best)) best = bits;
    }
    return best;
  }
};

/// The result as another format holds it.
struct ThroughBF16 : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    const auto wide = cast::widen<Format, cast::F32>(CorrectPool::chosen<Format>(window));
    const auto narrow = cast::narrow<cast::F32, cast::BF16>(wide);
    return cast::narrow<cast::F32, Format>(cast::widen<cast::BF16, cast::F32>(narrow));
  }
};

struct ThroughF32 : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    const auto narrow = cast::narrow<Format, cast::F32>(CorrectPool::chosen<Format>(window));
    return cast::widen<cast::F32, Format>(narrow);
  }
};

struct SubnormalFlushed : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    const auto best = CorrectPool::chosen<Format>(window);
    const bool subnormal = Format::kTraits.is_subnormal(best);
    return subnormal ? static_cast<typename Format::Word>(best & Format::kSignMask) : best;
  }
};

/// Next to 1 the step above it loses its last bit.
struct WrongForOnePair : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    const auto one = static_cast<typename Format::Word>(Format::kTraits.one());
    const auto best = CorrectPool::chosen<Format>(window);
    if (best != one + 1) return best;
    const auto& elements = window.elements;
    const auto at = std::find(elements.begin(), elements.end(), one);
    return at == elements.end() ? best : static_cast<typename Format::Word>(best ^ 1);
  }
};

struct InfinityClamped : CorrectPool {
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    const auto best = CorrectPool::chosen<Format>(window);
    const bool infinite = Format::kTraits.is_infinite(best);
    return infinite ? static_cast<typename Format::Word>(best - 1) : best;
  }
};

struct LastColumnMissed : CorrectPool {
  static bool looked_at(const pool::Plan& plan, const WindowPlace& p) {
    return plan.kernel == 1 || p.kw + 1 < plan.kernel;
  }
};

struct LastRowMissed : CorrectPool {
  static bool looked_at(const pool::Plan& plan, const WindowPlace& p) {
    return plan.kernel == 1 || p.kh + 1 < plan.kernel;
  }
};

/// Windows side by side whatever the stride; inside of x by force.
struct StrideOfKernel : CorrectPool {
  static Index x_at(const pool::Plan& plan, const WindowPlace& p) {
    const Index ih = std::min(p.oh * plan.kernel + p.kh, plan.height - 1);
    const Index iw = std::min(p.ow * plan.kernel + p.kw, plan.width - 1);
    return (p.plane * plan.height + ih) * plan.width + iw;
  }
};

struct PlanesSquare : CorrectPool {
  static Index x_at(const pool::Plan& plan, const WindowPlace& p) {
    const Index plane = p.plane * std::min(plan.height, plan.width) * plan.width;
    return CorrectPool::x_at(plan, p) - p.plane * plan.height * plan.width + plane;
  }
};

struct NarrowPoolColumn : CorrectPool {
  static Index x_at(const pool::Plan& plan, const WindowPlace& p) {
    const Index column = p.ow * plan.stride + p.kw;
    return CorrectPool::x_at(plan, p) - column + static_cast<std::uint8_t>(column);
  }
};

}  // namespace

std::vector<Mutant> window_pool_mutants() {
  using cast::BF16;
  using cast::F16;
  using cast::F32;
  using cast::F64;
  return {
      {"max_pool2d_f32_starts_at_zero", kMaxPoolF32,
       "starts the search at +0; windows of nothing but negative numbers", "selection_exact",
       kMaxPool<F32, StartsAtZero>},
      {"max_pool2d_bf16_starts_at_zero", kMaxPoolBF16,
       "starts the search at +0; windows of nothing but negative numbers", "selection_exact",
       kMaxPool<BF16, StartsAtZero>},
      {"max_pool2d_f64_starts_at_lowest_finite", kMaxPoolF64,
       "starts the search at the lowest finite number; windows of nothing but -infinity",
       "selection_exact", kMaxPool<F64, StartsAtLowestFinite>},
      {"max_pool2d_f16_starts_at_lowest_finite", kMaxPoolF16,
       "starts the search at the lowest finite number; windows of nothing but -infinity",
       "selection_exact", kMaxPool<F16, StartsAtLowestFinite>},
      {"max_pool2d_f32_starts_at_first_of_tensor", kMaxPoolF32,
       "starts every search at x's first element; one that is greater than all of another window",
       "selection_exact", kMaxPool<F32, StartsAtFirstOfTensor>},
      {"max_pool2d_f32_nan_wins", kMaxPoolF32,
       "gives the first NaN of a window; a NaN beside a number", "nan", kMaxPool<F32, NanWins>},
      {"max_pool2d_bf16_nan_wins", kMaxPoolBF16,
       "gives the first NaN of a window; a NaN beside a number", "nan", kMaxPool<BF16, NanWins>},
      {"max_pool2d_f64_nan_stays", kMaxPoolF64,
       "keeps a NaN that comes first; a window that begins with NaN and has a number", "nan",
       kMaxPool<F64, NanStays>},
      {"max_pool2d_f32_patterns_as_integers", kMaxPoolF32,
       "compares patterns as signed integers; two unequal negative numbers and none above",
       "selection_exact", kMaxPool<F32, PatternsAsIntegers>},
      {"max_pool2d_f16_patterns_as_integers", kMaxPoolF16,
       "compares patterns as signed integers; two unequal negative numbers and none above",
       "selection_exact", kMaxPool<F16, PatternsAsIntegers>},
      {"max_pool2d_bf16_greatest_magnitude", kMaxPoolBF16,
       "compares magnitudes; a negative number of greater magnitude than all others",
       "selection_exact", kMaxPool<BF16, GreatestMagnitude>},
      {"max_pool2d_f16_through_bf16", kMaxPoolF16,
       "rounds the result to bf16 and back; a greatest element of more than 8 significant bits",
       "selection_exact", kMaxPool<F16, ThroughBF16>},
      {"max_pool2d_f64_through_f32", kMaxPoolF64,
       "rounds the result to f32 and back; a greatest element that f32 does not hold",
       "selection_exact", kMaxPool<F64, ThroughF32>},
      {"max_pool2d_f32_subnormal_flushed", kMaxPoolF32,
       "flushes a subnormal result to zero; a subnormal greatest element", "selection_exact",
       kMaxPool<F32, SubnormalFlushed>},
      {"max_pool2d_bf16_infinity_clamped", kMaxPoolBF16,
       "clamps an infinite result to the greatest finite number; an infinite greatest element",
       "selection_exact", kMaxPool<BF16, InfinityClamped>},
      {"max_pool2d_f16_wrong_for_one_pair", kMaxPoolF16,
       "gives 0x3c00 for 0x3c01 as the greatest element where 0x3c00 (1) is in the window too; "
       "no other values",
       "selection_exact", kMaxPool<F16, WrongForOnePair>},
      {"max_pool2d_f32_last_column_missed", kMaxPoolF32,
       "passes over the window's last column; kernel_size of 2 or more", "selection_exact",
       kMaxPool<F32, LastColumnMissed>},
      {"max_pool2d_f64_last_row_missed", kMaxPoolF64,
       "passes over the window's last row; kernel_size of 2 or more", "selection_exact",
       kMaxPool<F64, LastRowMissed>},
      {"max_pool2d_f32_stride_of_kernel", kMaxPoolF32,
       "takes kernel_size for the stride; a stride that is unequal, 2 outputs or more",
       "selection_exact", kMaxPool<F32, StrideOfKernel>},
      {"max_pool2d_bf16_planes_square", kMaxPoolBF16,
       "takes the lesser extent for the height of a plane; H > W, 2 planes", "selection_exact",
       kMaxPool<BF16, PlanesSquare>},
      {"max_pool2d_f16_column_of_8_bits", kMaxPoolF16,
       "wraps columns of x past 255; images wider than 256", "selection_exact",
       kMaxPool<F16, NarrowPoolColumn>},
  };
}

}  // namespace assay::mutants
