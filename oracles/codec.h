// Between bit patterns and MPFR numbers. Internal to the oracles: no MPFR type leaves the folder.
#pragma once

#include <vector>

#include "contracts/dtype.h"
#include "oracles/mpfr_real.h"

namespace assay::oracle {

/// Enough precision for any value of any format of `kDtypes`.
inline constexpr mpfr_prec_t kDecodePrecision = 64;

/// Sets `out` (precision >= kDecodePrecision) to the value of `bits`, exactly: a number, a signed
/// zero or a signed infinity. `bits` must not be a NaN.
void decode(Bits bits, Dtype dtype, MpfrReal& out);

/// MPFR's exponent range for a floating format, for a scope. MPFR's significand lies in [1/2, 1),
/// hence the offsets by one; the least exponent is that of the least subnormal.
inline ExponentRange exponents_of(const DtypeTraits& format) {
  return {format.min_exponent - format.precision + 2, format.max_exponent + 1};
}

/// Rounds real numbers to one floating format: once, to nearest even, with the format's subnormals
/// and overflow to infinity. Keeps its scratch space between calls.
class Encoder {
 public:
  explicit Encoder(Dtype dtype);

  Bits nearest_even(const MpfrReal& real);

  /// The exact sum of these numbers, rounded once. Where one is a NaN or infinities of both signs
  /// meet, the quiet NaN without sign and payload.
  Bits nearest_even_sum(const std::vector<mpfr_ptr>& numbers);

 private:
  Bits finish(int ternary);
  Bits pack() const;

  const DtypeTraits& format_;
  MpfrReal rounded_;
  mutable MpfrReal scaled_;
};

}  // namespace assay::oracle
