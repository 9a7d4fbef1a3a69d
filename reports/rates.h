// A variant's throughput: measured times, against the work that the contract's formulas give.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/run_record.h"

namespace assay {

/// Units of 10^9 a second, of an amount that took `seconds`; nothing where either is not known: not
/// a number, not finite, or not above 0.
std::optional<double> giga_per_second(double amount, double seconds);

/// One timed call of one variant, as tables show it: "12.3 us", "1.23", or "-" where it is not
/// known.
struct RateRow {
  std::string call;
  std::string variant;
  std::string time;
  std::string gflops_per_second;
  std::string gbytes_per_second;
  std::string speedup;
  double calls_per_second = 0;  ///< 0 where not known
};

/// A row for each call and variant, calls in the order of first mention.
std::vector<RateRow> rate_rows(const KernelRecord& kernel);

/// What a reader must know of these rows; `variant` is what speedups are over.
std::string rates_note(std::string_view variant);

/// A kernel's table for Markdown with its heading, one row per call and variant; an empty text
/// where no variant was timed.
std::string md_rates(const KernelRecord& kernel);

}  // namespace assay
