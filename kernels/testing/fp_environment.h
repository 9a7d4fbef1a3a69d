// A floating-point environment for one scope of a test.
#pragma once

#include <cfenv>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace assay::testing {

class FpEnvironment {
 public:
  /// `rounding`: as std::fesetround. `flush`: results and operands that are subnormal become zero,
  /// where the processor has such a mode.
  FpEnvironment(int rounding, bool flush) {
    std::fegetenv(&saved_);
    std::fesetround(rounding);
#if defined(__SSE2__)
    if (flush) _mm_setcsr(_mm_getcsr() | 0x8040u);  // FTZ and DAZ
#else
    static_cast<void>(flush);
#endif
  }
  ~FpEnvironment() {
    std::fesetenv(&saved_);
  }
  FpEnvironment(const FpEnvironment&) = delete;
  FpEnvironment& operator=(const FpEnvironment&) = delete;

  /// The control bits: rounding, flush modes and exception masks, without the sticky flags.
  static unsigned control() {
#if defined(__SSE2__)
    return _mm_getcsr() & ~0x3fu;
#else
    return static_cast<unsigned>(std::fegetround());
#endif
  }

 private:
  std::fenv_t saved_;
};

}  // namespace assay::testing
