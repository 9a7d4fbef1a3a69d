// Golden files: what a writer made of a fixed record, as it was last looked at and accepted.
//
// To accept new output: ASSAY_UPDATE_GOLDEN=1 ./reports_test, then read the difference in the
// version control before it is committed. Records in such tests have fixed times, hosts and
// numbers: nothing is masked afterwards.
#pragma once

#include <string>

namespace assay::testing {

/// Compares `actual` with the file `name` in reports/golden/ and fails the running test case where
/// they differ, naming the first line that does. With ASSAY_UPDATE_GOLDEN=1 in the environment it
/// writes the file instead.
void check_golden(const std::string& name, const std::string& actual);

}  // namespace assay::testing
