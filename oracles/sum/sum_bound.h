// The a-priori bound on the error of a sum formed in a floating format.
#pragma once

#include <cstddef>

#include "contracts/dtype.h"

namespace assay::oracle {

/// What `SumTruth` (sum_oracle.h) says of it.
struct SumBound {
  double error = 0;
  bool covers_every_order = false;  ///< no partial sum in any order can leave the finite range
};

/// Of `products` products whose magnitudes, with that of the bias where there is one, add up to at
/// most `magnitudes`. By MPFR, with every rounding upwards.
SumBound sum_bound(std::size_t products, bool with_bias, double magnitudes,
                   const DtypeTraits& format);

}  // namespace assay::oracle
