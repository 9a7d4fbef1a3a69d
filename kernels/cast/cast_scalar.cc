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
    return from_u32<Destination>(bits);
  } else if constexpr (std::is_same_v<Destination, u32>) {
    return to_u32<Source>(bits);
  } else if constexpr (Source::kWidth < Destination::kWidth) {
    return widen<Source, Destination>(bits);
  } else if constexpr (Source::kWidth > Destination::kWidth) {
    return narrow<Source, Destination>(bits);
  } else {
    return narrow<F32, Destination>(widen<Source, F32>(bits));
  }
}

template <class Source, class Destination>
void loop(const std::byte* in, std::byte* out, std::size_t n) {
  using In = typename Source::Word;
  using Out = typename Destination::Word;
  for (std::size_t i = 0; i < n; ++i) {
    In bits;
    std::memcpy(&bits, in + i * sizeof(In), sizeof(In));
    const Out result = convert<Source, Destination>(bits);
    std::memcpy(out + i * sizeof(Out), &result, sizeof(Out));
  }
}

#define ASSAY_DEFINE(source, destination, source_dtype, destination_dtype)         \
  KernelStatus source##_to_##destination(KernelCall& call) {                       \
    return run_cast(call, Dtype::source_dtype, Dtype::destination_dtype, "scalar", \
                    &loop<source, destination>);                                   \
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
