// An audit as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"), from which code
// hosts and editors show what is broken at the contract's line.
//
// A result is one promise of one kernel with one verdict, gathered over the variants: `refuted` has
// the level error, `error` warning, `undecided` note. A kernel that was not run, and an audit that
// did not come to its end, are results too, of level warning. What is upheld or only measured is no
// result. A rule is a row of the claims' table, or one of those two.
//
// `executionSuccessful` is false where something could not be run to its end: the audit, a kernel,
// or a claim, which is then in error. Each reason is a notification, since an empty list of results
// would else read as a pass. There is no exit code: the record does not have it.
//
// Places have no columns. Those of the record count bytes, those of SARIF characters, and the
// record does not have the line.
//
// `partialFingerprints` name the promise: document, kernel, claim and verdict, no line and no
// variant. A result is the same one wherever its contract's lines move to and whatever the machine;
// a claim once set aside as undecided comes back as new when it is refuted.
#pragma once

#include <string>
#include <vector>

#include "contracts/run_record.h"
#include "reports/rendered_file.h"

namespace assay {

/// Ends with a line end. Control characters in the words of a contract are shown as `\u{1b}`.
std::string sarif_report(const RunRecord& record);

/// The one file `report.sarif`.
std::vector<RenderedFile> render_sarif(const RunRecord& record);

}  // namespace assay
