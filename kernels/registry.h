// The link registry: entry point to kernel, as an explicit table.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/kernel.h"

namespace assay {

class Registry {
 public:
  explicit Registry(std::vector<Kernel> kernels) : kernels_(std::move(kernels)) {}

  /// The kernel whose entry point, or one of whose aliases, this is, or nullptr.
  const Kernel* find(std::string_view entry_point) const;

  const std::vector<Kernel>& kernels() const { return kernels_; }

 private:
  std::vector<Kernel> kernels_;
};

/// The kernels that assay ships, each with the variants that this compiler built and this CPU runs.
/// Targets that only emulate vectors (Highway's SCALAR and EMU128) are left out: nothing dispatches
/// to them.
Registry built_in_registry();

/// Names of the instruction-set variants available here, narrow to wide, without "scalar".
std::vector<std::string> available_targets();

}  // namespace assay
