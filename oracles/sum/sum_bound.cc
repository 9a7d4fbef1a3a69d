#include "oracles/sum/sum_bound.h"

#include <cmath>

#include "oracles/codec.h"

namespace assay::oracle {

SumBound sum_bound(std::size_t products, bool with_bias, double magnitudes,
                   const DtypeTraits& format) {
  thread_local MpfrReal sum(kDecodePrecision);
  thread_local MpfrReal error(kDecodePrecision);
  thread_local MpfrReal limit(kDecodePrecision);
  thread_local MpfrReal scratch(kDecodePrecision);
  mpfr_set_d(sum.get(), magnitudes, MPFR_RNDU);
  // m u is exact, and so is 1 - m u in 64 bits for any m that fits in memory; 1 + m u need not be,
  // where it stands before a term with a factor of 2 to spare.
  const double steps =
      std::ldexp(static_cast<double>(products + (with_bias ? 1 : 0)), -format.precision);
  mpfr_set_d(error.get(), steps, MPFR_RNDU);
  if (steps < 0.5) {
    mpfr_ui_sub(scratch.get(), 1, error.get(), MPFR_RNDD);
    mpfr_div(error.get(), error.get(), scratch.get(), MPFR_RNDU);
  }
  mpfr_mul(error.get(), error.get(), sum.get(), MPFR_RNDU);
  mpfr_add(limit.get(), error.get(), sum.get(), MPFR_RNDU);  // the largest a partial sum can be
  mpfr_set_ui_2exp(scratch.get(), products, format.min_exponent - format.fraction_bits(),
                   MPFR_RNDU);
  mpfr_mul_d(scratch.get(), scratch.get(), 1 + steps, MPFR_RNDU);
  mpfr_add(error.get(), error.get(), scratch.get(), MPFR_RNDU);
  mpfr_add(limit.get(), limit.get(), scratch.get(), MPFR_RNDU);
  decode(format.max_finite(), format.dtype, scratch);
  const bool covers = mpfr_lessequal_p(limit.get(), scratch.get()) != 0;
  return {mpfr_get_d(error.get(), MPFR_RNDU), covers};
}

}  // namespace assay::oracle
