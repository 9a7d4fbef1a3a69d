// What was read of documents and what is wrong with them, schema `assay-lint/1`
// (assay-lint-1.schema.json beside this).
//
// Lines and columns count from 1, columns in bytes; a fault without a place has neither. Of each
// kernel without errors there are its bindings and the hashes of its revision, one in each of the
// format's two readings. Bytes that are not UTF-8 become U+FFFD.
#pragma once

#include <string>
#include <vector>

#include "contracts/fkc/document.h"

namespace assay {

/// `strict`: how the documents were read. Ends with a line end.
std::string lint_json(const std::vector<fkc::Document>& documents, bool strict);

}  // namespace assay
