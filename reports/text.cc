#include "reports/text.h"

#include <fmt/format.h>

#include <cmath>

namespace assay {

std::string with_thousands(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", with_thousands(count), noun, count == 1 ? "" : "s");
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "unknown time";
  // The limits are where rounding to the shown digits would reach the next form.
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  if (seconds < 3599.5) {
    const auto whole = std::llround(seconds);
    return fmt::format("{} min {} s", whole / 60, whole % 60);
  }
  if (seconds > 1e12) return fmt::format("{:.3g} s", seconds);
  const auto minutes = std::llround(seconds / 60);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "infinity" : "-infinity";
  return fmt::format("{}", value);
}

}  // namespace assay
