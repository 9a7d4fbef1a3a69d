// A variant's throughput: measured times, against the work that the contract's formulas give.
#pragma once

#include <optional>
#include <string>

#include "contracts/run_record.h"

namespace assay {

/// Units of 10^9 a second, of an amount that took `seconds`; nothing where either is not known: not
/// a number, not finite, or not above 0.
std::optional<double> giga_per_second(double amount, double seconds);

/// A kernel's table for Markdown with its heading, one row per call and variant; an empty text
/// where no variant was timed.
std::string md_rates(const KernelRecord& kernel);

}  // namespace assay
