// How faulty poolings are put together: plain loops, with the argument checks of the real kernel,
// and a hook at each step for a fault to take hold.
#pragma once

#include <vector>

#include "kernels/mutants/window_kernel.h"
#include "kernels/pool/order.h"
#include "kernels/pool/pool_call.h"

namespace assay::mutants {

inline constexpr const char* kMaxPoolF32 = "fuel_reference_backend::ops::max_pool2d_f32";
inline constexpr const char* kMaxPoolF64 = "fuel_reference_backend::ops::max_pool2d_f64";
inline constexpr const char* kMaxPoolBF16 = "fuel_reference_backend::ops::max_pool2d_bf16";
inline constexpr const char* kMaxPoolF16 = "fuel_reference_backend::ops::max_pool2d_f16";

/// One element of one output's window.
struct WindowPlace {
  Index plane = 0;
  Index oh = 0;
  Index ow = 0;
  Index kh = 0;
  Index kw = 0;
};

/// One output's window, row by row, and the first element of the whole tensor.
template <class Format>
struct Window {
  std::vector<typename Format::Word> elements;
  typename Format::Word first_of_tensor;
};

/// The first of the greatest elements from `best` on.
template <class Format>
typename Format::Word greatest(typename Format::Word best,
                               const std::vector<typename Format::Word>& elements) {
  for (const auto bits : elements) {
    if (pool::order_key<Format>(bits) > pool::order_key<Format>(best)) best = bits;
  }
  return best;
}

/// The kernel as it should be. A fault derives from this and hides one member.
struct CorrectPool {
  static bool looked_at(const pool::Plan&, const WindowPlace&) { return true; }
  static Index x_at(const pool::Plan& plan, const WindowPlace& p) {
    return (p.plane * plan.height + p.oh * plan.stride + p.kh) * plan.width + p.ow * plan.stride +
           p.kw;
  }
  template <class Format>
  static typename Format::Word chosen(const Window<Format>& window) {
    return greatest<Format>(window.elements.front(), window.elements);
  }
};

template <class Format, class Fault>
void pool_loop(const pool::Plan& plan) {
  using Word = typename Format::Word;
  Index out = 0;
  WindowPlace p;
  for (p.plane = 0; p.plane < plan.planes; ++p.plane) {
    for (p.oh = 0; p.oh < plan.out_height; ++p.oh) {
      for (p.ow = 0; p.ow < plan.out_width; ++p.ow, ++out) {
        Window<Format> window{{}, element_at<Word>(plan.x, 0)};
        for (p.kh = 0; p.kh < plan.kernel; ++p.kh) {
          for (p.kw = 0; p.kw < plan.kernel; ++p.kw) {
            if (!Fault::looked_at(plan, p)) continue;
            window.elements.push_back(element_at<Word>(plan.x, Fault::x_at(plan, p)));
          }
        }
        put_element(plan.out, out, Fault::template chosen<Format>(window));
      }
    }
  }
}

/// A kernel of a dtype and a loop.
template <Dtype kDtype, pool::Loop kLoop>
KernelStatus max_pool(KernelCall& call) {
  return pool::run(call, kDtype, kMutant, kLoop);
}

template <class Format, class Fault = CorrectPool>
inline constexpr KernelFunction kMaxPool =
    &max_pool<Format::kTraits.dtype, &pool_loop<Format, Fault>>;

}  // namespace assay::mutants
