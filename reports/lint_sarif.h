// What is wrong with documents as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange
// Format"), which code hosts and editors show at its place.
//
// A kind of fault is a rule. Columns count code points from 1, as `columnKind` says. Paths are as
// they were given, percent-encoded; absolute ones are `file:` URIs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contracts/fkc/document.h"

namespace assay {

/// `version`: of assay. Ends with a line end.
std::string lint_sarif(const std::vector<fkc::Document>& documents, std::string_view version);

}  // namespace assay
