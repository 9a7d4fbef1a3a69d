// The report for people: one page per contract file, and an index.
//
// A page goes from what matters most to what is looked up: verdict counts, refuted claims with
// their counterexamples, what is undecided or in error, a table of kernels and variants, then each
// kernel's claims with their evidence. Variants that gave the same result of a claim share a row,
// which names all of them.
#pragma once

#include <string>
#include <vector>

#include "contracts/run_record.h"
#include "reports/rendered_file.h"

namespace assay {

/// `index.md`, then one page per contract file: "cast.md" for "contracts/reference/cast.fkc.md"
/// (pages.h has the names).
std::vector<RenderedFile> render_markdown(const RunRecord& record);

}  // namespace assay
