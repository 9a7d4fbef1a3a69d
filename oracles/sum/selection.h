// The maximum of a window: which results are right.
#pragma once

#include <cstdint>
#include <span>

#include "contracts/dtype.h"

namespace assay::oracle {

/// What may come out of a window of a maximum pooling in which a number beats a NaN. Where the rule
/// leaves more than one answer, all of them are.
struct Selection {
  bool only_nans = false;   ///< nothing but NaNs in the window: a NaN, or -infinity (where the
                            ///< scan starts), is right
  bool both_zeros = false;  ///< zeros of both signs are the maximum: either is right
  Bits maximum = 0;         ///< the greatest number; +0 where `both_zeros`; unless `only_nans`
};

/// The maximum of a window of at least one element of a floating format.
Selection select_maximum(std::span<const Bits> window, Dtype dtype);

/// Whether `got` is right.
bool is_right(const Selection& selection, Bits got, Dtype dtype);

}  // namespace assay::oracle
