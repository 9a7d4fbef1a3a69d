// Owners for MPFR values and state. The only file that includes mpfr.h.
#pragma once

#include <cstdint>

#define MPFR_USE_INTMAX_T  // declares mpfr_set_uj and its kin
#include <mpfr.h>

namespace assay::oracle {

/// One MPFR number of fixed precision (in bits).
class MpfrReal {
 public:
  explicit MpfrReal(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  MpfrReal(const MpfrReal&) = delete;
  MpfrReal& operator=(const MpfrReal&) = delete;
  ~MpfrReal() { mpfr_clear(value_); }

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

/// Sets MPFR's exponent range for a scope. (The range is per thread in MPFR's default build.)
class ExponentRange {
 public:
  ExponentRange(mpfr_exp_t emin, mpfr_exp_t emax)
      : old_emin_(mpfr_get_emin()), old_emax_(mpfr_get_emax()) {
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
  }
  ExponentRange(const ExponentRange&) = delete;
  ExponentRange& operator=(const ExponentRange&) = delete;
  ~ExponentRange() {
    mpfr_set_emin(old_emin_);
    mpfr_set_emax(old_emax_);
  }

 private:
  mpfr_exp_t old_emin_;
  mpfr_exp_t old_emax_;
};

}  // namespace assay::oracle
