// Kernels of shared libraries that export the C table of assay_kernels.h.
//
// Loading a library runs its start-up code, so these functions belong into processes whose end does
// no harm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/kernel.h"

namespace assay {

/// Limits of a library's table, as assay_kernels.h states them.
inline constexpr std::size_t kMostPluginRows = 1024;
inline constexpr std::size_t kMostPluginOperands = 8;
inline constexpr std::size_t kMostEntryPointBytes = 255;
inline constexpr std::size_t kMostVariantBytes = 63;

/// A library that cannot be used; the text says why and names the row of its table.
class PluginError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One row of a library's table.
struct PluginRow {
  std::string entry_point;
  std::string variant;
  std::vector<Dtype> inputs;
  std::vector<Dtype> outputs;
  bool threads = false;   ///< has threads of its own
  bool in_place = false;  ///< takes an input's memory as output
};

/// Loads the library into this process and reads its table, checking all that can be checked.
/// `path` is taken as a path, never searched for. Throws PluginError.
std::vector<PluginRow> read_plugin(const std::string& path);

/// From now on `fault` is asked whenever this process, or a child of it, has loaded the library of
/// this path for a call: where it returns a text, the library is not the one that was meant.
void watch_plugin(const std::string& path, std::function<std::string()> fault);

/// Calls row `index` of the library, loading it first if this process has not yet. The
/// floating-point environment that loading leaves behind is put back. A library that cannot be
/// loaded gives kFailed and a message; one that is not the one that was meant, a PluginError: what
/// it would answer is nobody's result. Thread-safe.
KernelStatus call_plugin(const std::string& path, std::uint32_t index, KernelCall& call);

}  // namespace assay
