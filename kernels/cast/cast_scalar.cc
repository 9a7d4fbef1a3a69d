#include <algorithm>
#include <cstring>

#include "kernels/cast/cast.h"
#include "kernels/cast/cast_call.h"
#include "kernels/cast/convert.h"

namespace assay {

namespace cast {
namespace {

// Formats under the names that ASSAY_CASTS uses.
using f64 = F64;
using f32 = F32;
using f16 = F16;
using bf16 = BF16;
struct u32 {
  using Word = std::uint32_t;
};

/// The conversion of a pair, chosen by what the formats are.
template <class Source, class Destination>
constexpr typename Destination::Word convert(typename Source::Word bits) {
  if constexpr (std::is_same_v<Source, u32>) {
    if constexpr (std::is_same_v<Destination, f64>) return f64_from_u32(bits);
    if constexpr (std::is_same_v<Destination, f32>) return f32_from_u32(bits);
  } else if constexpr (std::is_same_v<Destination, u32> && std::is_same_v<Source, f32>) {
    return truncate_f32(bits);
  } else if constexpr (std::is_same_v<Destination, u32>) {
    return truncate_f64(bits);
  } else if constexpr (Source::kWidth < Destination::kWidth) {
    return widen<Source, Destination>(bits);
  } else if constexpr (Source::kWidth > Destination::kWidth) {
    return narrow<Source, Destination>(bits);
  } else {
    return narrow<F32, Destination>(widen<Source, F32>(bits));
  }
}

template <class Word>
Word load(const std::byte* base, std::size_t i) {
  Word bits;
  std::memcpy(&bits, base + i * sizeof(Word), sizeof(Word));
  return bits;
}

template <class Word>
void store(std::byte* base, std::size_t i, Word bits) {
  std::memcpy(base + i * sizeof(Word), &bits, sizeof(Word));
}

template <class Source, class Destination>
void loop(const std::byte* in, std::byte* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = load<typename Source::Word>(in, i);
    store(out, i, convert<Source, Destination>(bits));
  }
}

/// A loop that compilers vectorise: the results that need a branch are rare in most data, so a
/// block is converted by `common` as if there were none, and those that `rare` names are then put
/// right.
template <class Source, class Destination, auto kRare, auto kCommon>
void blocked_loop(const std::byte* in, std::byte* out, std::size_t n) {
  using In = typename Source::Word;
  constexpr std::size_t kBlock = 256;
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, n);
    std::uint32_t any_rare = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const In bits = load<In>(in, i);
      any_rare |= static_cast<std::uint32_t>(kRare(bits));
      store(out, i, kCommon(bits));
    }
    if (any_rare == 0) continue;
    for (std::size_t i = begin; i < end; ++i) {
      const In bits = load<In>(in, i);
      if (kRare(bits) != 0) store(out, i, convert<Source, Destination>(bits));
    }
  }
}

/// The loop of a pair. Narrowing from f64 to 16 bits does better in the simple one: plain x86-64
/// has no vector comparison of 64-bit lanes.
template <class Source, class Destination>
constexpr CastLoop loop_of() {
  if constexpr (std::is_same_v<Source, f32> && std::is_same_v<Destination, f16>) {
    return &blocked_loop<Source, Destination, narrows_gradually<Source, Destination>,
                         narrow_to_normal<Source, Destination>>;
  } else if constexpr (std::is_same_v<Source, f64> && std::is_same_v<Destination, f32>) {
    return &blocked_loop<Source, Destination, f64_narrows_gradually_to_f32, f32_from_normal_f64>;
  } else if constexpr (std::is_same_v<Source, f32> && std::is_same_v<Destination, f64>) {
    return &blocked_loop<Source, Destination, widens_specially<Source, Destination>,
                         widen_finite<Source, Destination>>;
  } else {
    return &loop<Source, Destination>;
  }
}

#define ASSAY_DEFINE(source, destination, source_dtype, destination_dtype)         \
  KernelStatus source##_to_##destination(KernelCall& call) {                       \
    return run_cast(call, Dtype::source_dtype, Dtype::destination_dtype, "scalar", \
                    loop_of<source, destination>());                               \
  }
ASSAY_CASTS(ASSAY_DEFINE)
#undef ASSAY_DEFINE

}  // namespace
}  // namespace cast

CastVariants scalar_casts() {
#define ASSAY_POINTER(source, destination, source_dtype, destination_dtype) \
  &cast::source##_to_##destination,
  return {"scalar", {ASSAY_CASTS(ASSAY_POINTER)}};
#undef ASSAY_POINTER
}

}  // namespace assay
