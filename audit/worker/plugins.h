// Shared libraries of kernels, looked at from a safe distance.
#pragma once

#include <string>
#include <vector>

#include "audit/worker/file_digest.h"
#include "kernels/registry.h"

namespace assay {

/// A library of kernels as it was read.
struct KernelLibrary {
  FileDigest file;
  /// What was loaded with it, by name of file: what it depends on, as far as this program has not
  /// loaded it too. What it loads later, in its kernels' calls, is not among them.
  std::vector<FileDigest> dependencies;
  std::vector<Kernel> kernels;

  /// The file of these that has not the contents any more that it had; empty if all have.
  /// `thoroughly`: as for is_as_it_was.
  std::string changed_file(bool thoroughly) const;
};

/// Reads a library (kernels/abi/assay_kernels.h), with its kernels as rows that load it where they
/// are called. It is loaded and read in a process of its own, which may crash, hang or end; what
/// its start-up code did to the floating-point environment is noted with each kernel. Throws
/// UsageError, which names the library, when it cannot be used. From then on a process that loads
/// it, and finds other contents in it or its dependencies, gets a PluginError for its call.
KernelLibrary read_library(const std::string& path);

/// Its kernels.
std::vector<Kernel> plugin_kernels(const std::string& path);

/// Libraries in their order. Throws UsageError as above, and when two have the same entry point.
std::vector<KernelLibrary> read_libraries(const std::vector<std::string>& paths);

/// The kernels of these libraries, in their order, before those that are built in: a library's
/// kernel takes the place of a built-in one with the same entry point.
Registry registry_with(const std::vector<KernelLibrary>& libraries);

/// Both. Throws as read_libraries.
Registry registry_with_plugins(const std::vector<std::string>& paths);

}  // namespace assay
