// A number rounded to odd, as MPFR's. Internal to the oracles: no MPFR type leaves the folder.
#pragma once

#include "oracles/mpfr_real.h"
#include "oracles/sum/superaccumulator.h"

namespace assay::oracle {

/// Precision of what a WideReal becomes.
inline constexpr mpfr_prec_t kWidePrecision = 128;

/// Sets `to` to the number, exactly. Both have kWidePrecision at least.
inline void set(MpfrReal& to, const WideReal& real, MpfrReal& scratch) {
  mpfr_set_uj_2exp(to.get(), real.high, real.exponent + 64, MPFR_RNDN);
  mpfr_set_uj_2exp(scratch.get(), real.low, real.exponent, MPFR_RNDN);
  mpfr_add(to.get(), to.get(), scratch.get(), MPFR_RNDN);
  mpfr_setsign(to.get(), to.get(), real.negative ? 1 : 0, MPFR_RNDN);
}

}  // namespace assay::oracle
