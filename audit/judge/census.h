// The census of a probe space: how many probes lie in each cell, and how far the correctly rounded
// results lie from the exact values. It depends on the space and the cast, not on any kernel; what
// a kernel returns differently is counted apart (sweep.h) and the two are combined in the verdict.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "audit/judge/cells.h"
#include "contracts/measure.h"

namespace assay {

inline constexpr std::size_t kErrorRows = kErrorEdges.size();

/// The largest error at each place of the input axis; -1 where none was measured.
using PlaceErrors = std::array<double, kMostPlaces>;
constexpr PlaceErrors no_errors() {
  PlaceErrors errors{};
  for (double& error : errors) error = -1;
  return errors;
}

/// A trivially copyable record: workers write it to shared memory.
struct Census {
  std::array<std::uint64_t, kMaxCells> cell_probes{};
  /// ULP errors of correctly rounded results, for probes in scope of a rounding claim.
  std::array<std::uint64_t, kErrorRows> error_rows{};
  double max_error = -1;  ///< the largest of them; -1 when there was none
  Bits max_error_input = 0;
  PlaceErrors place_errors = no_errors();

  /// Probes inside a `domain_exact` part whose exact value the output format does not hold, and the
  /// simplest of those seen: the claim is then false of any kernel.
  std::uint64_t inexact_in_exact_domain = 0;
  Bits inexact_input = 0;

  void add_inexact(Bits input, std::uint64_t count) {
    if (inexact_in_exact_domain == 0 || simpler(input, inexact_input)) inexact_input = input;
    inexact_in_exact_domain += count;
  }

  void add_error(double error, Bits input, std::size_t place, std::uint64_t count) {
    error_rows[error_row(error)] += count;
    note_largest(error, input, place);
  }

  void note_largest(double error, Bits input, std::size_t place) {
    place_errors[place] = std::fmax(place_errors[place], error);
    if (error > max_error || (error == max_error && simpler(input, max_error_input))) {
      max_error = error;
      max_error_input = input;
    }
  }

  void merge(const Census& other);

  /// True when `a` is the simpler pattern to show: fewer set bits, then the smaller number.
  static bool simpler(Bits a, Bits b);
};

/// Counts the consecutive patterns first … first + n - 1 of the cast's source, all of one sign, by
/// arithmetic instead of one by one: within a binade the dropped bits run through consecutive
/// values, so the patterns with an error up to a given size can be counted in closed form.
void count_stretch(const CellMap& cells, Bits first, std::uint64_t n, Census& census);

/// Counts one pattern, whose correctly rounded result is `expected`, `count` times.
void count_one(const CellMap& cells, Bits bits, Bits expected, std::uint64_t count, Census& census);

}  // namespace assay
