// How a kernel family hands its variants to its table of kernels.
#pragma once

#include <string>
#include <vector>

#include "kernels/kernel.h"

namespace assay {

/// One variant of every kernel of a family (or of a part of it), in the family's order.
struct FamilyVariant {
  std::string name;  ///< as KernelVariant::name
  std::vector<KernelFunction> functions;
};

}  // namespace assay
