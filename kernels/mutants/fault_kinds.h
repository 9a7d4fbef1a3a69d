// The kinds of faults that public reports of numeric kernels tell of, and which planted faults are
// of each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/mutants/mutants.h"

namespace assay {

struct FaultKind {
  std::string_view what;     ///< "double rounding through a middle format"
  std::string_view mutants;  ///< patterns of their names (fnmatch), a blank between
};

std::span<const FaultKind> fault_kinds();

/// Whether the planted fault is of this kind; most are of more than one.
bool is_of(const FaultKind& kind, const Mutant& mutant);

}  // namespace assay
