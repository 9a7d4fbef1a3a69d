#include <cstring>

#include "kernels/pool/order.h"
#include "kernels/pool/pool.h"
#include "kernels/pool/pool_call.h"

namespace assay {

namespace pool {
namespace {

template <class Word>
Word load(const std::byte* base, std::int64_t i) {
  Word bits;
  std::memcpy(&bits, base + i * static_cast<std::int64_t>(sizeof(Word)), sizeof(Word));
  return bits;
}

/// The greatest element of the window whose first element is `corner`.
template <class Format>
typename Format::Word greatest(const Plan& plan, std::int64_t corner) {
  using Word = typename Format::Word;
  Word best = load<Word>(plan.x, corner);
  for (std::int64_t kh = 0; kh < plan.kernel; ++kh) {
    for (std::int64_t kw = 0; kw < plan.kernel; ++kw) {
      const Word bits = load<Word>(plan.x, corner + kh * plan.width + kw);
      if (order_key<Format>(bits) > order_key<Format>(best)) best = bits;
    }
  }
  return best;
}

template <class Format>
void loop(const Plan& plan) {
  std::byte* out = plan.out;
  for (std::int64_t p = 0; p < plan.planes; ++p) {
    for (std::int64_t oh = 0; oh < plan.out_height; ++oh) {
      const std::int64_t row = (p * plan.height + oh * plan.stride) * plan.width;
      for (std::int64_t ow = 0; ow < plan.out_width; ++ow) {
        const auto best = greatest<Format>(plan, row + ow * plan.stride);
        std::memcpy(out, &best, sizeof(best));
        out += sizeof(best);
      }
    }
  }
}

#define ASSAY_DEFINE(format, dtype)                          \
  KernelStatus max_pool2d_##format(KernelCall& call) {       \
    return run(call, Dtype::dtype, "scalar", &loop<format>); \
  }
ASSAY_MAX_POOLS(ASSAY_DEFINE)
#undef ASSAY_DEFINE

}  // namespace
}  // namespace pool

FamilyVariant scalar_pools() {
#define ASSAY_POINTER(format, dtype) &pool::max_pool2d_##format,
  return {"scalar", {ASSAY_MAX_POOLS(ASSAY_POINTER)}};
#undef ASSAY_POINTER
}

}  // namespace assay
