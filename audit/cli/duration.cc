#include "audit/cli/duration.h"

#include <charconv>
#include <cmath>

#include "audit/options.h"

namespace assay::cli {

std::chrono::duration<double> duration_from(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const std::string unit(rest, end);
  const double seconds = unit.empty() || unit == "s"    ? 1
                         : unit == "m" || unit == "min" ? 60
                         : unit == "h"                  ? 3600
                                                        : 0;
  const double total = number * seconds;
  // A year is longer than any audit and still far from the clock's limits.
  if (error != std::errc() || !(total > 0) || total > 366.0 * 24 * 3600) {
    throw UsageError("a time is a positive number with s, min or h behind it, as 90s; not '" +
                     text + "'");
  }
  return std::chrono::duration<double>(total);
}

}  // namespace assay::cli
