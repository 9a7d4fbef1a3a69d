#include "kernels/registry.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "kernels/cast/cast.h"
#include "kernels/conv/conv.h"
#include "kernels/pool/pool.h"

namespace assay {

const KernelVariant* Kernel::variant(std::string_view name) const {
  for (const KernelVariant& candidate : variants) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

const Kernel* Registry::find(std::string_view entry_point) const {
  for (const Kernel& kernel : kernels_) {
    const bool alias = std::find(kernel.aliases.begin(), kernel.aliases.end(), entry_point) !=
                       kernel.aliases.end();
    if (kernel.entry_point == entry_point || alias) return &kernel;
  }
  return nullptr;
}

// Kernel families: one row each.
Registry built_in_registry() {
  std::vector<Kernel> all;
  for (std::vector<Kernel>& family : std::array{cast_kernels(), conv_kernels(), pool_kernels()}) {
    std::move(family.begin(), family.end(), std::back_inserter(all));
  }
  return Registry(std::move(all));
}

std::vector<std::string> available_targets() {
  const Registry registry = built_in_registry();
  std::vector<std::string> names;
  for (const KernelVariant& variant : registry.kernels().front().variants) {
    if (variant.name != "scalar") names.push_back(variant.name);
  }
  return names;
}

}  // namespace assay
