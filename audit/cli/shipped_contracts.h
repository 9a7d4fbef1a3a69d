// The contracts that come with the program.
#pragma once

#include <string>
#include <vector>

namespace assay::cli {

/// The folder of the reference contracts: of an installation (`../share/assay/contracts` beside the
/// program's folder), or of the sources that the program was built in (`contracts/reference` in a
/// folder above it). Empty where there is none.
std::string shipped_contracts_folder();

/// `given`, or where that is empty the folder of the reference contracts. Throws UsageError where
/// there is none.
std::vector<std::string> contracts_or_shipped(const std::vector<std::string>& given);

/// Throws UsageError unless there is a file or folder of this name: a token may name anything, and
/// a pipe would be waited for.
void require_contract(const std::string& path);

}  // namespace assay::cli
