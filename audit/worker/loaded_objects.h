// The shared objects in this process.
#pragma once

#include <string>
#include <vector>

namespace assay {

/// Paths of all shared objects that are loaded, in the order of their loading, without the program
/// itself and what the kernel puts into every process.
std::vector<std::string> loaded_objects();

}  // namespace assay
