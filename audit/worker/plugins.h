// Shared libraries of kernels, looked at from a safe distance.
#pragma once

#include <string>
#include <vector>

#include "kernels/registry.h"

namespace assay {

/// The kernels of a library (kernels/abi/assay_kernels.h), as rows that load it where they are
/// called. It is loaded and read in a process of its own, which may crash, hang or end; what its
/// start-up code did to the floating-point environment is noted with each kernel. Throws
/// UsageError, which names the library, when it cannot be used.
std::vector<Kernel> plugin_kernels(const std::string& path);

/// The kernels of these libraries, in their order, before those that are built in: a library's
/// kernel takes the place of a built-in one with the same entry point. Throws UsageError as above,
/// and when two libraries have the same entry point.
Registry registry_with_plugins(const std::vector<std::string>& paths);

}  // namespace assay
