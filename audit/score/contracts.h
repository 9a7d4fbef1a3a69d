// The contracts that ship with the project, against which mutants are audited.
#pragma once

#include <string>
#include <vector>

#include "contracts/fkc/document.h"
#include "kernels/mutants/mutants.h"
#include "kernels/registry.h"

namespace assay::score {

/// Read once. Throws std::runtime_error where they are missing or have errors.
const std::vector<fkc::Document>& shipped_contracts();

/// The name by which these contracts call the kernel that is registered. Throws std::runtime_error
/// where none does.
std::string kernel_of(const Registry& registry);

/// A registry that has the mutant as the last variant, "mutant", of the kernel that it stands in
/// for: the only one, or beside the scalar one.
Registry registry_of(const Mutant& mutant);

}  // namespace assay::score
