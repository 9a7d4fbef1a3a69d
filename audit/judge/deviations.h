// Where along the input axis a kernel's results differ from the correctly rounded ones, and where
// they break claims.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "audit/judge/input_axis.h"
#include "contracts/run_record.h"

namespace assay {

/// Of one chunk, which has under 2^32 probes. Trivially copyable, and all zero where nothing
/// deviates: workers write it to shared memory, and only where something does.
struct Deviations {
  /// The largest ULP error of the results at a place that are not the correctly rounded ones.
  std::array<double, kMostPlaces> errors{};
  std::array<bool, kMostPlaces> measured{};  ///< some of them have an error: not all are NaNs
  std::array<std::uint32_t, kMostPlaces> deviating{};  ///< results that `errors` is about, and NaNs
  /// Results that break a declared claim: of positive and of negative inputs.
  std::array<std::array<std::uint32_t, 2>, kMostPlaces> violations{};

  void add_error(std::size_t place, double error);
  void add_violation(std::size_t place, bool negative) { ++violations[place][negative ? 1 : 0]; }
};

/// Of all chunks of a variant. Empty until something deviates.
class DeviationTotals {
 public:
  void add(const Deviations& chunk);

  /// The largest ULP error by place: of correctly rounded results (`correct`) where the kernel
  /// gives them. No value stands for a place where the error of some results is smaller than the
  /// largest of the correct ones, whose inputs may be among those that give something else; nor
  /// where all that deviates is NaN.
  Profile worst_errors(const InputAxis& axis, const std::array<double, kMostPlaces>& correct) const;

  /// Where results break claims, by the sign of the input; no rows where none does.
  Profile violations(const InputAxis& axis) const;

 private:
  struct Place {
    double error = 0;
    bool measured = false;
    std::uint64_t deviating = 0;
    std::array<std::uint64_t, 2> violations{};
  };
  std::vector<Place> places_;
};

}  // namespace assay
