// max_pool2d on vectors: lanes are neighbouring outputs of a row. Each keeps the greatest element
// of its window so far, and that element's key (order.h).

#include "kernels/pool/pool.h"

#include <cstring>

#include "kernels/pool/order.h"
#include "kernels/pool/pool_call.h"

// AVX3_DL is only generated on request.
#ifndef HWY_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pool/pool_simd.cc"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay::pool {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Format>
using Tag = hn::ScalableTag<typename Format::Word>;

template <class Word>
HWY_INLINE std::int64_t byte_offset(std::int64_t i) {
  return i * static_cast<std::int64_t>(sizeof(Word));
}

/// The vector that begins with element `at` of x.
template <class D>
HWY_INLINE hn::Vec<D> load_vector(D d, const Plan& plan, std::int64_t at) {
  using Word = hn::TFromD<D>;
  return hn::LoadU(d, reinterpret_cast<const Word*>(plan.x + byte_offset<Word>(at)));
}

/// `outputs` lanes of every `stride`-th element from `at` on; the other lanes hold anything.
/// Nothing outside x is read.
template <class D>
HWY_INLINE hn::Vec<D> load_strided(D d, const Plan& plan, std::int64_t at, std::int64_t outputs) {
  using Word = hn::TFromD<D>;
  const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t readable = plan.planes * plan.height * plan.width - at;
  if (plan.stride == 1 && lanes <= readable) return load_vector(d, plan, at);
#if HWY_TARGET != HWY_SCALAR  // whose one lane has no other
  if (plan.stride == 2 && 2 * lanes <= readable) {
    const auto lower = load_vector(d, plan, at);
    const auto upper = load_vector(d, plan, at + lanes);
    return hn::ConcatEven(d, upper, lower);
  }
#endif
  HWY_ALIGN Word words[hn::MaxLanes(D())] = {};
  for (std::int64_t i = 0; i < outputs; ++i) {
    std::memcpy(&words[i], plan.x + byte_offset<Word>(at + i * plan.stride), sizeof(Word));
  }
  return hn::Load(d, words);
}

/// As order_key().
template <class Format, class D>
HWY_INLINE hn::Vec<hn::RebindToSigned<D>> order_keys(D d, hn::Vec<D> bits) {
  using Key = hn::TFromD<hn::RebindToSigned<D>>;
  const hn::RebindToSigned<D> di;
  const auto magnitude = hn::And(bits, hn::Set(d, Format::kMagnitudeMask));
  const auto is_nan =
      hn::Gt(hn::BitCast(di, magnitude), hn::Set(di, static_cast<Key>(Format::kInfinity)));
  const auto inverted = hn::Xor(bits, hn::Set(d, Format::kMagnitudeMask));
  const auto negative = hn::Lt(hn::BitCast(di, bits), hn::Zero(di));
  const auto key = hn::IfThenElse(negative, hn::BitCast(di, inverted), hn::BitCast(di, bits));
  return hn::IfThenElse(is_nan, hn::BitCast(di, hn::Set(d, Format::kSignMask)), key);
}

/// The windows of up to a vector of outputs, the first window's first element being `corner`.
template <class Format>
HWY_INLINE void windows(const Plan& plan, std::int64_t corner, std::int64_t outputs,
                        std::byte* out) {
  using Word = typename Format::Word;
  const Tag<Format> d;
  const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(d));
  auto best = load_strided(d, plan, corner, outputs);
  auto best_key = order_keys<Format>(d, best);
  for (std::int64_t kh = 0; kh < plan.kernel; ++kh) {
    for (std::int64_t kw = 0; kw < plan.kernel; ++kw) {
      const auto bits = load_strided(d, plan, corner + kh * plan.width + kw, outputs);
      const auto key = order_keys<Format>(d, bits);
      const auto greater = hn::Gt(key, best_key);
      best = hn::IfThenElse(hn::RebindMask(d, greater), bits, best);
      best_key = hn::IfThenElse(greater, key, best_key);
    }
  }
  if (outputs == lanes) {
    hn::StoreU(best, d, reinterpret_cast<Word*>(out));
    return;
  }
  HWY_ALIGN Word words[hn::MaxLanes(Tag<Format>())];
  hn::Store(best, d, words);
  std::memcpy(out, words, static_cast<std::size_t>(outputs) * sizeof(Word));
}

template <class Format>
void loop(const Plan& plan) {
  using Word = typename Format::Word;
  const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(Tag<Format>()));
  std::byte* out = plan.out;
  for (std::int64_t p = 0; p < plan.planes; ++p) {
    for (std::int64_t oh = 0; oh < plan.out_height; ++oh) {
      const std::int64_t row = (p * plan.height + oh * plan.stride) * plan.width;
      for (std::int64_t ow = 0; ow < plan.out_width; ow += lanes) {
        const std::int64_t outputs = HWY_MIN(lanes, plan.out_width - ow);
        windows<Format>(plan, row + ow * plan.stride, outputs, out);
        out += byte_offset<Word>(outputs);
      }
    }
  }
}

// The name comes from the target's own code, so that a wrong dispatch shows.
#define ASSAY_DEFINE(format, dtype)                                             \
  KernelStatus max_pool2d_##format(KernelCall& call) {                          \
    return run(call, Dtype::dtype, hwy::TargetName(HWY_TARGET), &loop<format>); \
  }
ASSAY_MAX_POOLS(ASSAY_DEFINE)
#undef ASSAY_DEFINE

}  // namespace HWY_NAMESPACE
}  // namespace assay::pool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "kernels/simd_targets.h"

namespace assay {

namespace pool {
namespace {

#define ASSAY_EXPORT(format, dtype) HWY_EXPORT(max_pool2d_##format);
ASSAY_MAX_POOLS(ASSAY_EXPORT)
#undef ASSAY_EXPORT

/// The functions of the target that Highway's dispatch state names at the moment.
std::vector<KernelFunction> chosen_functions() {
#define ASSAY_POINTER(format, dtype) &HWY_DYNAMIC_DISPATCH(max_pool2d_##format),
  return {ASSAY_MAX_POOLS(ASSAY_POINTER)};
#undef ASSAY_POINTER
}

}  // namespace
}  // namespace pool

std::vector<FamilyVariant> simd_pools() {
  std::vector<FamilyVariant> all;
  for_each_simd_target([&](const char* name) { all.push_back({name, pool::chosen_functions()}); });
  return all;
}

}  // namespace assay

#endif  // HWY_ONCE
