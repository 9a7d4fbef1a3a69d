// Floating-point arithmetic as the oracles need it, whatever mode a kernel has left behind.
#pragma once

#include <cfenv>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace assay::oracle {

/// Rounding to nearest, with subnormals, for a scope. Without SSE2 it costs some hundred cycles.
class RoundingScope {
 public:
#if defined(__SSE2__)
  RoundingScope() : saved_(_mm_getcsr()) {
    if (saved_ != kDefault) _mm_setcsr(kDefault);
  }
  ~RoundingScope() {
    _mm_setcsr(saved_);
  }
#else
  RoundingScope() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~RoundingScope() {
    std::fesetenv(&saved_);
  }
#endif
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
#if defined(__SSE2__)
  // All exceptions masked, no flag raised (Intel SDM, volume 1, section 10.2.3).
  static constexpr unsigned kDefault = 0x1f80;
  unsigned saved_;
#else
  std::fenv_t saved_;
#endif
};

}  // namespace assay::oracle
