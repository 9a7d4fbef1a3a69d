#include "oracles/sum/compensated_dot.h"

#include <bit>
#include <cmath>
#include <limits>

#include "oracles/instruction_level.h"
#include "oracles/sum/dot_lanes.h"
#include "oracles/sum/narrow.h"

namespace assay::oracle {

namespace {

constexpr double kRoundoff = 0x1p-53;
constexpr double kLeast = std::numeric_limits<double>::denorm_min();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

const DotTable& table() {
  static const DotTable* const best = [] {
    switch (best_instruction_level()) {
#if defined(ASSAY_X86_64_LEVELS)
      case InstructionLevel::kX86_64V4:
        return &x86_64_v4::kDot;
      case InstructionLevel::kX86_64V3:
        return &x86_64_v3::kDot;
#endif
      default:
        return &baseline::kDot;
    }
  }();
  return *best;
}

/// a + b = sum + error, exactly, where `sum` is a + b as rounded (Knuth's transformation, as in the
/// lanes, which may share no code).
double error_of_sum(double a, double b, double sum) {
  const double b_part = sum - a;
  return (a - (sum - b_part)) + (b - b_part);
}

/// As proved in the header.
BoundedSum bounded(const DotParts& parts, std::size_t n, bool exact_products) {
  BoundedSum sum;
  const auto products = static_cast<double>(n);
  sum.bound = 2 * (2 * products + 31) * kRoundoff * parts.error_magnitudes;
  // Where the factors make less than the least subnormal of them.
  if (parts.error_magnitudes != 0) sum.bound += kLeast;
  if (!exact_products) sum.bound += 8 * products * kLeast;
  sum.high = parts.sum + parts.errors;
  sum.low = error_of_sum(parts.sum, parts.errors, sum.high);
  return sum;
}

bool is_known(const BoundedSum& sum) {
  return std::isfinite(sum.high) && std::isfinite(sum.low) && std::isfinite(sum.bound);
}

/// More than `low` can be off by, so that high + (low ± slack), whose inner sum is rounded,
/// encloses the number: that rounding moves it by at most u (|low| + slack) + eta.
double slack(const BoundedSum& sum) {
  return 2 * (sum.bound + kRoundoff * std::fabs(sum.low)) + 2 * kLeast;
}

/// The sum of two numbers rounded upwards; exact where it is.
double sum_upwards(double a, double b) {
  const double sum = a + b;
  return error_of_sum(a, b, sum) > 0 ? std::nextafter(sum, kInfinity) : sum;
}

}  // namespace

BoundedSum compensated_dot(const double* a, const double* b, std::size_t n, bool exact_products) {
  const DotLanes lanes = exact_products ? table().exact_products : table().dot;
  return bounded(lanes(a, b, n), n, exact_products);
}

BoundedSum compensated_magnitudes(const double* a, const double* b, std::size_t n,
                                  bool exact_products) {
  const DotLanes lanes = exact_products ? table().exact_magnitudes : table().magnitudes;
  return bounded(lanes(a, b, n), n, exact_products);
}

std::optional<double> nearest_double(const BoundedSum& sum) {
  if (!is_known(sum)) return std::nullopt;
  if (sum.bound == 0) return sum.high == 0 ? 0 : sum.high;
  // Rounding is monotone: what both ends round to, all between them does.
  const double least = sum.high + (sum.low - slack(sum));
  const double most = sum.high + (sum.low + slack(sum));
  if (least != most || std::isinf(least)) return std::nullopt;
  return least;
}

std::optional<Bits> nearest_even(const BoundedSum& sum, Dtype dtype) {
  const Narrow narrow(dtype);
  if (dtype == Dtype::kF64 || (is_known(sum) && sum.bound == 0 && sum.low == 0)) {
    const std::optional<double> nearest = nearest_double(sum);
    if (!nearest) return std::nullopt;
    return narrow.bits(narrow(*nearest));
  }
  if (!is_known(sum)) return std::nullopt;
  // The outer sums are rounded as well: a step further encloses the number.
  const double least = std::nextafter(sum.high + (sum.low - slack(sum)), -kInfinity);
  const double most = std::nextafter(sum.high + (sum.low + slack(sum)), kInfinity);
  // On both sides of 0 it may be 0, or round to a zero of either sign.
  if (!(least > 0 || most < 0) || narrow(least) != narrow(most)) return std::nullopt;
  return narrow.bits(narrow(least));
}

std::optional<double> upward_double(const BoundedSum& sum) {
  if (!is_known(sum)) return std::nullopt;
  if (sum.bound == 0) return sum_upwards(sum.high, sum.low);
  const double least = sum_upwards(sum.high, sum.low - slack(sum));
  const double most = sum_upwards(sum.high, sum.low + slack(sum));
  if (least != most || std::isinf(least)) return std::nullopt;
  return least;
}

}  // namespace assay::oracle
