// A row of the table of benchmarks: one figure, and what it is to be.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace assay::benchmarks {

/// What a figure is held against.
struct Target {
  enum class Kind : std::uint8_t { kAtLeast, kAtMost, kNone };
  Kind kind = Kind::kNone;  ///< kNone: shown only
  double value = 0;

  bool met(double figure) const {
    return kind == Kind::kNone || (kind == Kind::kAtLeast ? figure >= value : figure <= value);
  }
};
constexpr Target at_least(double value) {
  return {Target::Kind::kAtLeast, value};
}
constexpr Target at_most(double value) {
  return {Target::Kind::kAtMost, value};
}

/// One measurement: the figure, and absolute ones to be read beside it, by name and unit
/// ("checked, G/s").
struct Sample {
  double figure = 0;
  std::vector<std::pair<std::string, double>> beside = {};
};

/// Thrown by `measure` where this machine has not what a row is about.
class Skipped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Row {
  std::string name;  ///< "sweep.f32_f16.unchecked": what --only matches
  std::string what;  ///< in words
  std::string unit;  ///< of the figure; empty for a ratio
  Target target;
  int repetitions = 1;  ///< of which the medians are shown
  /// Measures once: what is compared is run in turns. Throws where a result is wrong, so that no
  /// time of work that was not done is shown.
  std::function<Sample()> measure;
  /// What the row measures less of than its name says, and how; empty if nothing.
  std::string reduced = {};
};

using Rows = std::vector<Row>;

/// A row with its medians.
struct Measured {
  const Row* row = nullptr;
  Sample median;
  double least = 0;  ///< of the figures
  double most = 0;
  std::string skipped;  ///< why it was not measured; empty if it was
  std::string failed;   ///< what went wrong; empty if nothing did

  bool missed() const {
    return !failed.empty() || (skipped.empty() && !row->target.met(median.figure));
  }
};

}  // namespace assay::benchmarks
