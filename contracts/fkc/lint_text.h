// What is wrong with documents, as text for people.
#pragma once

#include <string>
#include <vector>

#include "contracts/fkc/document.h"

namespace assay::fkc {

/// Every diagnostic in the order of the documents, then one line with their number. Ends with a
/// line end.
std::string lint_text(const std::vector<Document>& documents);

}  // namespace assay::fkc
