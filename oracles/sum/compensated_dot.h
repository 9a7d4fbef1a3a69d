// Sums of products by compensated summation, in vectors, with a bound on what may still be missing.
//
// The products and the additions are error-free transformations: each gives its rounded result and
// the exact error of it (Dekker 1971, Knuth 1969; see Ogita, Rump and Oishi, Accurate sum and dot
// product, SIAM J. Sci. Comput. 26(6), 2005). The errors are summed in turn, with roundings that
// are not looked at: what these can amount to is the bound.
//
// Proof of the bound. Let e_1 ... e_m be all the errors that were met, m <= 2 n + 31 for n
// products, and u = 2^-53. The exact sum is S + (e_1 + ... + e_m) with S the last rounded one, if
// no transformation lost anything. Summed in any order with m - 1 roundings, the e_i give C with |C
// - (e_1 + ... + e_m)| <= gamma (|e_1| + ... + |e_m|), gamma = m u / (1 - m u) (Higham, Accuracy
// and Stability of Numerical Algorithms, 2nd ed., section 4.2). The sum of the |e_i| is formed in
// the same way, as E, so it is at most E / (1 - gamma). With m <= 2^30, gamma / (1 - gamma) is
// below 1.1 m u, and 2 m u E, as rounded, is above what is needed. Additions lose nothing, also
// where subnormal; a product's transformation may, where a part of it falls below the least
// subnormal eta: at most 5 eta for Dekker's (same paper, section 3), less with a fused
// multiply-add; so 8 n eta are added. An overflow anywhere leaves an infinity or a NaN in S, C or
// E; there is then no bound.
#pragma once

#include <cstddef>
#include <optional>

#include "contracts/dtype.h"

namespace assay::oracle {

/// A real number in high + low ± bound, where high is high + low rounded to nearest. Any of them
/// may be infinite or NaN: then nothing is known.
struct BoundedSum {
  double high = 0;
  double low = 0;
  double bound = 0;
};

/// How many products a sum may have.
inline constexpr std::size_t kMostCompensated = std::size_t{1} << 28;

/// The sum of a[i] * b[i], or of their magnitudes, i < n <= kMostCompensated. `exact_products`
/// promises that every product is a binary64 number: true of operands that come from formats of 16
/// or 32 bits. Needs rounding to nearest with subnormals (rounding_scope.h).
BoundedSum compensated_dot(const double* a, const double* b, std::size_t n, bool exact_products);
BoundedSum compensated_magnitudes(const double* a, const double* b, std::size_t n,
                                  bool exact_products);

/// The number rounded to a format, to nearest even, where the bound leaves one answer. An exact
/// zero is +0.
std::optional<Bits> nearest_even(const BoundedSum& sum, Dtype dtype);

/// The same to binary64, and upwards.
std::optional<double> nearest_double(const BoundedSum& sum);
std::optional<double> upward_double(const BoundedSum& sum);

}  // namespace assay::oracle
