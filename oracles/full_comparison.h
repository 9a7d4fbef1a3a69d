// The whole comparison of a fast oracle with MPFR.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "oracles/cast_exact.h"

namespace assay::oracle {

/// What compares equal to MPFR, or not: writes the n expected results of `in` to `out`.
using FastCast = std::function<void(const void* in, void* out, std::size_t n)>;

struct Comparison {
  std::uint64_t inputs = 0;  ///< results of the fast oracle that were compared
  std::uint64_t mpfr = 0;    ///< of them, or of their mirror images, rounded by MPFR
  std::uint64_t differences = 0;
  Bits first_difference = 0;  ///< an input, where there are any
};

/// Compares `fast` over every bit pattern of a source of 32 bits or fewer; of an f64 source at
/// every rounding boundary, one pattern below and one above it, in both signs, and over all special
/// values.
///
/// Rounding is monotone. So where MPFR gives two inputs of one sign the same result, that is the
/// exact result of every input between them, and MPFR is not asked about these. What `fast` gives
/// is looked at for every input. Of f64 sources with a floating destination, MPFR rounds the
/// positive inputs, and the results for the negative ones are those with the sign changed: rounding
/// to nearest even is odd. NaNs, which are not ordered, are asked about one by one.
///
/// `threads` at once; `progress` is called now and then, from any of them, one at a time, with the
/// number of inputs that are done.
Comparison compare_in_full(CastOperation operation, const FastCast& fast, unsigned threads,
                           const std::function<void(std::uint64_t)>& progress = {});

/// The same for increasing inputs of one sign, none of them NaN.
Comparison compare_sorted(ExactCast& exact, CastOperation operation, const FastCast& fast,
                          const std::vector<Bits>& inputs);

}  // namespace assay::oracle
