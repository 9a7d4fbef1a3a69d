// An audit as JUnit XML, which CI systems show as tests. There is no standard of it; this keeps to
// the schema of Apache Ant's JUnit task (the strictest in use) and to that of Jenkins' xUnit
// plugin.
//
// A test case is one claim of one variant. Its class name is "PAGE.KERNEL", where PAGE is the
// contract's page among the reports ("cast"); its name is "CLAIM [VARIANT]". Neither has a declared
// value or a line in it, so that a test keeps its history. Of two claims with one id the second is
// "CLAIM #2 [VARIANT]".
//
// | verdict | test |
// | --- | --- |
// | upheld | passed |
// | refuted | failure, with the counterexample and the command that repeats it |
// | error | error, with the reason and the command |
// | undecided | error, with the reason and the command |
// | undecided `bitwise`, not owed (rollup.h) | skipped, with the reason |
// | unclaimed | skipped: what is only measured has not passed anything |
//
// A kernel that was not run is one test in error. The first suite, "assay", has one test, which is
// in error where the audit did not come to its end or ran no kernel at all. So there is a failure
// or an error wherever the exit status of the audit is not 0: tests that are left out or skipped
// are green in most systems.
//
// A suite is a kernel. Its time is the processor time of all variants in seconds; that of single
// claims is not known, since they share their probes, and given as 0. The host is not recorded and
// so "localhost", as Ant's schema asks. `system-out` lists each claim's verdict, strength and
// probes.
#pragma once

#include <string>
#include <vector>

#include "contracts/run_record.h"
#include "reports/rendered_file.h"

namespace assay {

/// Ends with a line end. Control characters in the words of a contract are shown as `\u{1b}`, bytes
/// that are not UTF-8 as `\xff`.
std::string junit_report(const RunRecord& record);

/// The one file `junit.xml`.
std::vector<RenderedFile> render_junit(const RunRecord& record);

}  // namespace assay
