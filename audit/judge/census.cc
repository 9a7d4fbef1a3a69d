#include "audit/judge/census.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "oracles/cast_measure.h"

namespace assay {

namespace {

/// How a binade's results lose bits: the lowest `dropped` bits of the significand are rounded away.
struct Rounded {
  bool nearest = true;  ///< else toward zero
  int dropped = 0;

  /// Error, in units of 2^-dropped, of a remainder.
  std::uint64_t error(std::uint64_t remainder) const {
    const std::uint64_t period = std::uint64_t{1} << dropped;
    return nearest ? std::min(remainder, period - remainder) : remainder;
  }

  /// How many significands in [0, end) have an error of at most `limit` units.
  std::uint64_t up_to(std::uint64_t end, std::uint64_t limit) const {
    const std::uint64_t period = std::uint64_t{1} << dropped;
    const std::uint64_t whole = end >> dropped;
    const std::uint64_t rest = end & (period - 1);
    if (!nearest) return whole * std::min(limit + 1, period) + std::min(rest, limit + 1);
    if (limit >= period / 2) return end;
    const std::uint64_t upper = period - limit;  // remainders from here on round up, within limit
    return whole * (2 * limit + 1) + std::min(rest, limit + 1) + (rest > upper ? rest - upper : 0);
  }
};

/// Patterns first … first + n - 1 of one binade whose significands are `significand` and onward.
void count_binade(const Rounded& how, std::uint64_t significand, std::uint64_t n, Bits first,
                  std::size_t place, bool exact_domain, Census& census) {
  const std::uint64_t last = significand + n - 1;
  if (exact_domain && how.dropped > 0) {
    const int period_bits = std::min(how.dropped, 63);
    const std::uint64_t mask = (std::uint64_t{1} << period_bits) - 1;
    const std::uint64_t exact = (last >> period_bits) - ((significand - 1) >> period_bits) +
                                (significand == 0 ? 1 + (~std::uint64_t{0} >> period_bits) : 0);
    if (exact < n) census.add_inexact(first + ((significand & mask) == 0 ? 1 : 0), n - exact);
  }
  // Beyond this the whole significand is under 1/32 of the spacing (significands have 53 bits).
  constexpr int kTiny = 58;
  if (how.dropped >= kTiny) {
    const double error = std::ldexp(static_cast<double>(last), -how.dropped);
    census.add_error(error, first + n - 1, place, n);
    return;
  }
  if (how.dropped == 0) {
    census.add_error(0, first, place, n);
    return;
  }
  std::uint64_t below = 0;
  for (std::size_t row = 0; row < kErrorRows && kErrorEdges[row] <= 1; ++row) {
    const auto edge32 = static_cast<std::uint64_t>(kErrorEdges[row] * 32);
    const std::uint64_t limit = (edge32 << how.dropped) >> 5;
    const std::uint64_t up_to = how.up_to(last + 1, limit) - how.up_to(significand, limit);
    census.error_rows[row] += up_to - below;
    below = up_to;
  }
  // The largest error lies at the peak of a period, if the stretch holds one, or at an end.
  const std::uint64_t period = std::uint64_t{1} << how.dropped;
  const std::uint64_t peak = how.nearest ? period / 2 : period - 1;
  const std::uint64_t to_peak = (peak - significand) & (period - 1);
  std::uint64_t worst = to_peak < n ? significand + to_peak : last;
  if (to_peak >= n && how.error(significand & (period - 1)) > how.error(last & (period - 1))) {
    worst = significand;
  }
  const double error =
      std::ldexp(static_cast<double>(how.error(worst & (period - 1))), -how.dropped);
  const Bits input = first + (worst - significand);
  census.note_largest(error, input, place);
}

/// The errors of a stretch of patterns of one sign, all in scope of rounding.
void count_errors(const CellMap& cells, Bits first, std::uint64_t n, bool exact_domain,
                  Census& census) {
  const oracle::CastOperation& operation = cells.operation();
  const InputAxis& axis = cells.axis();
  const DtypeTraits& from = traits(operation.from);
  const DtypeTraits& to = traits(operation.to);
  if (operation.rounding == Rounding::kExact) {
    census.add_error(0, first, axis.place_of(first), n);
    for (std::size_t place = axis.place_of(first); place <= axis.place_of(first + n - 1); ++place) {
      census.note_largest(0, first, place);
    }
    return;
  }
  const Bits sign = from.is_floating() ? first & from.sign_mask() : 0;
  Bits magnitude = first & ~sign;
  Rounded how;
  how.nearest = operation.rounding == Rounding::kNearestEven;
  while (n > 0) {
    std::uint64_t here = 0;         // patterns left in this binade
    std::uint64_t significand = 0;  // of the first of them
    if (from.is_floating()) {
      const Bits fraction = magnitude & from.fraction_mask();
      const auto field = static_cast<int>(magnitude >> from.fraction_bits());
      const int unit = std::max(field, 1) - from.bias() - from.fraction_bits();
      // Subnormals of one bit length make a binade; the destination may hold it as normal numbers.
      const int length = field == 0 ? static_cast<int>(std::bit_width(fraction)) : from.precision;
      here = field == 0 ? (fraction == 0 ? 1 : (Bits{1} << length) - fraction)
                        : from.min_normal() - fraction;
      significand = field == 0 ? fraction : fraction | from.min_normal();
      const int leading = unit + std::max(length, 1) - 1;
      const int spacing =
          to.is_floating() ? std::max(leading, to.min_exponent) - to.fraction_bits() : 0;
      how.dropped = std::max(0, spacing - unit);
    } else {
      const int length = static_cast<int>(std::bit_width(magnitude));
      here = (Bits{1} << length) - magnitude;
      significand = magnitude;
      how.dropped = std::max(0, length - to.precision);
    }
    here = std::min(here, n);
    const Bits here_first = magnitude | sign;
    count_binade(how, significand, here, here_first, axis.place_of(here_first), exact_domain,
                 census);
    magnitude += here;
    n -= here;
  }
}

/// Inputs of this cell are said to be converted exactly, and have no result at all that is exact:
/// beyond the finite range, or infinite where the destination has no infinity.
bool never_exact(const Cell& cell, const DtypeTraits& to) {
  if (!cell.exact_domain || cell.caller_error || cell.nothing_due) return false;
  return cell.kind == CellClass::kOverflow ||
         (cell.kind == CellClass::kInfinite && !to.is_floating());
}

}  // namespace

bool Census::simpler(Bits a, Bits b) {
  const int set_a = std::popcount(a);
  const int set_b = std::popcount(b);
  return set_a != set_b ? set_a < set_b : a < b;
}

void Census::merge(const Census& other) {
  for (std::size_t i = 0; i < cell_probes.size(); ++i) cell_probes[i] += other.cell_probes[i];
  for (std::size_t i = 0; i < error_rows.size(); ++i) error_rows[i] += other.error_rows[i];
  if (other.inexact_in_exact_domain > 0) {
    add_inexact(other.inexact_input, other.inexact_in_exact_domain);
  }
  for (std::size_t i = 0; i < place_errors.size(); ++i) {
    place_errors[i] = std::fmax(place_errors[i], other.place_errors[i]);
  }
  if (other.max_error > max_error || (other.max_error == max_error && other.max_error >= 0 &&
                                      simpler(other.max_error_input, max_error_input))) {
    max_error = other.max_error;
    max_error_input = other.max_error_input;
  }
}

void count_stretch(const CellMap& map, Bits first, std::uint64_t n, Census& census) {
  const Dtype from = map.operation().from;
  const bool backwards = traits(from).is_floating() && traits(from).is_negative(first);
  const std::vector<Cell>& cells = map.cells();
  while (n > 0) {
    const std::size_t cell = map.index(first);
    const std::int64_t key = order_key(first, from);
    std::uint64_t here = n;
    if (backwards) {
      here =
          static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(cells[cell].first_key) + 1;
    } else if (cell + 1 < cells.size()) {
      here =
          static_cast<std::uint64_t>(cells[cell + 1].first_key) - static_cast<std::uint64_t>(key);
    }
    here = std::min(here, n);
    census.cell_probes[cell] += here;
    if (in_scope(ClaimKind::kRounding, cells[cell])) {
      count_errors(map, first, here, cells[cell].exact_domain, census);
    } else if (never_exact(cells[cell], traits(map.operation().to))) {
      census.add_inexact(first, here);
    }
    first += here;
    n -= here;
  }
}

void count_one(const CellMap& cells, Bits bits, Bits expected, std::uint64_t count,
               Census& census) {
  const std::size_t cell = cells.index(bits);
  census.cell_probes[cell] += count;
  if (in_scope(ClaimKind::kRounding, cells.cells()[cell])) {
    const double error = oracle::fast_ulp_error(bits, expected, cells.operation());
    census.add_error(error, bits, cells.axis().place_of(bits), count);
    if (error > 0 && cells.cells()[cell].exact_domain) census.add_inexact(bits, count);
  } else if (never_exact(cells.cells()[cell], traits(cells.operation().to))) {
    census.add_inexact(bits, count);
  }
}

}  // namespace assay
