// The prose of a section.
#pragma once

#include <vector>

#include "contracts/fkc/markdown.h"
#include "contracts/fkc/node.h"
#include "contracts/fkc/sentences.h"
#include "contracts/fkc/text.h"

namespace assay::fkc {

/// The sentences of the blurb, of `precision.notes`, of the section's text, and of the comments in
/// its block, in this order. In the text, paragraphs end at blank lines, list items, headings and
/// tables; comments on lines that follow each other are one paragraph. Statements count through,
/// with a gap between paragraphs.
/// Quotations, keys in comments, and what stands under a heading or a lead-in that may deny it are
/// not plain. `root` is the tree of the section's block. Time is linear in the section.
std::vector<Sentence> prose_of(const Node& root, const Lines& lines, const Section& section);

}  // namespace assay::fkc
