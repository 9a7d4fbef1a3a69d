// A hand-made run record with fixed times, host and numbers, for tests of the writers.
#pragma once

#include "contracts/run_record.h"

namespace assay::testing {

/// Every verdict and strength, a counterexample shared by two variants, exclusions, a histogram,
/// a kernel that could not be run, and two contract files whose pages would have one name.
RunRecord sample_record();

/// One kernel of a contract whose author tries to break the reports: Markdown, HTML, terminal and
/// shell metacharacters, newlines and bytes that are not UTF-8 in every text.
RunRecord hostile_record();

}  // namespace assay::testing
