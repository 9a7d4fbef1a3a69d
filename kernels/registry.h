// The link registry: entry point to kernel, as an explicit table.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "kernels/kernel.h"

namespace assay {

/// What contracts call the table of built-in entry points (`provider.link_registry`).
inline constexpr std::string_view kLinkRegistry = "fuel_reference_backend::fkc::ENTRY_POINTS";

/// The operations whose entry points in that table are all built in.
inline constexpr std::array<std::string_view, 3> kLinkedOperations = {"Cast", "Conv2D",
                                                                      "ConvTranspose2D"};

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
