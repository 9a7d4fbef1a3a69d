#include "reports/rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "reports/markdown_text.h"

namespace assay {

namespace {

bool is_known(double value) {
  return std::isfinite(value) && value > 0;
}

/// Three digits, or all of the integer part: "0.0123", "12.3", "1234".
std::string digits(double value) {
  return value < 999.5 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

std::string digits(const std::optional<double>& value) {
  return value ? digits(*value) : "-";
}

/// The time of one call, in the unit that leaves it at 1 or more: "12.3 us".
std::string call_time(double seconds) {
  if (!is_known(seconds)) return "-";
  struct Unit {
    double seconds;
    std::string_view name;
  };
  constexpr std::array<Unit, 3> kUnits = {{{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}}};
  for (const Unit& unit : kUnits) {
    if (seconds >= unit.seconds)
      return fmt::format("{} {}", digits(seconds / unit.seconds), unit.name);
  }
  return fmt::format("{} ns", digits(seconds * 1e9));
}

/// The calls that any variant was timed on, in the order of first mention.
std::vector<std::string> calls_of(const KernelRecord& kernel) {
  std::vector<std::string> calls;
  for (const VariantRecord& variant : kernel.variants) {
    for (const RateRecord& rate : variant.rates) {
      if (std::ranges::find(calls, rate.what) == calls.end()) calls.push_back(rate.what);
    }
  }
  return calls;
}

}  // namespace

std::optional<double> giga_per_second(double amount, double seconds) {
  if (!is_known(seconds)) return std::nullopt;
  const double rate = amount / seconds / 1e9;
  return is_known(rate) ? std::optional(rate) : std::nullopt;
}

std::vector<RateRow> rate_rows(const KernelRecord& kernel) {
  std::vector<RateRow> rows;
  for (const std::string& call : calls_of(kernel)) {
    for (const VariantRecord& variant : kernel.variants) {
      for (const RateRecord& rate : variant.rates) {
        if (rate.what != call) continue;
        rows.push_back({call, variant.name, call_time(rate.seconds),
                        digits(giga_per_second(rate.flops, rate.seconds)),
                        digits(giga_per_second(rate.bytes, rate.seconds)),
                        is_known(rate.speedup) ? digits(rate.speedup) : "-",
                        is_known(rate.seconds) ? 1 / rate.seconds : 0});
      }
    }
  }
  return rows;
}

std::string rates_note(std::string_view variant) {
  return fmt::format(
      "The time of a call is measured. The operations and bytes of a call are not: they are what "
      "the contract's formulas cost.flops and cost.bytes_moved give for its shapes. A speedup is "
      "over {}.",
      variant);
}

std::string md_rates(const KernelRecord& kernel) {
  std::string rows;
  for (const RateRow& row : rate_rows(kernel)) {
    rows += md_row({md_text(row.call), md_text(row.variant), row.time, row.gflops_per_second,
                    row.gbytes_per_second, row.speedup});
  }
  if (rows.empty()) return "";
  return fmt::format("#### Throughput\n\n{}\n\n{}{}\n",
                     md_text(rates_note(kernel.variants.front().name)),
                     md_head({"call", "variant", "time", "GFLOP/s", "GB/s", "speedup"}), rows);
}

}  // namespace assay
