// Highway as this project uses it: what differs between versions 1.0.3 and 1.2, in one place. Only
// *_simd.cc and *-inl.h files include it, after <hwy/highway.h>, which they include themselves:
// that header must be seen once per target, this one once.
#pragma once

#include <cstdint>

#include <hwy/highway.h>

// Targets that only later versions know. A target that does not exist matches nothing.
#ifndef HWY_AVX3_ZEN4
#define HWY_AVX3_ZEN4 0
#endif
#ifndef HWY_AVX3_SPR
#define HWY_AVX3_SPR 0
#endif

/// Whether the current HWY_TARGET converts f16 by F16C instructions (vcvtps2ph, vcvtph2ps). The
/// targets are listed rather than compared, so that a target of a later version is left to the
/// integer code until someone has looked at it. Evaluated per target: not a constant.
#ifdef HWY_DISABLE_F16C
#define ASSAY_HWY_F16C 0
#else
#define ASSAY_HWY_F16C                                                               \
  (HWY_ARCH_X86 &&                                                                   \
   (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || \
    HWY_TARGET == HWY_AVX3_ZEN4 || HWY_TARGET == HWY_AVX3_SPR))
#endif

/// Whether the current HWY_TARGET has AVX-512's conversions (AVX512F and DQ), on
/// vectors of 512 bits. Evaluated per target, as above.
#define ASSAY_HWY_AVX512                                                   \
  (HWY_ARCH_X86 && (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || \
                    HWY_TARGET == HWY_AVX3_ZEN4 || HWY_TARGET == HWY_AVX3_SPR))

namespace assay {

/// Targets that emulate vectors with scalar code. Nothing dispatches to them.
inline constexpr std::int64_t kEmulatedTargets = HWY_SCALAR | HWY_EMU128;

}  // namespace assay
