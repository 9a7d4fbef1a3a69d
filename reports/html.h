// The report for browsers: one self-contained page per contract file, and an index. No network, no
// script; light and dark, narrow and wide, on paper.
//
// A page goes from what matters most to what is looked up: verdict counts, what is refuted, the
// weakest evidence; then each kernel's matrix of claims and variants, pictures, and the evidence of
// each claim. Variants that gave the same result of a claim share a row, which names all of them.
#pragma once

#include <vector>

#include "contracts/run_record.h"
#include "reports/rendered_file.h"

namespace assay {

/// `index.html`, then one page per contract file, named as `pages_of` says.
std::vector<RenderedFile> render_html(const RunRecord& record);

}  // namespace assay
