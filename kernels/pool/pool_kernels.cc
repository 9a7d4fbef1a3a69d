#include <iterator>

#include "kernels/pool/pool.h"
#include "kernels/pool/pool_call.h"

namespace assay {

namespace {

#define ASSAY_ROW(format, dtype) Dtype::dtype,
constexpr Dtype kRows[] = {ASSAY_MAX_POOLS(ASSAY_ROW)};
#undef ASSAY_ROW

/// Scalar first. The look-up of the others touches process-wide state, so it is done once.
const std::vector<FamilyVariant>& all_variants() {
  static const std::vector<FamilyVariant> variants = [] {
    std::vector<FamilyVariant> all = {scalar_pools()};
    for (FamilyVariant& target : simd_pools()) all.push_back(std::move(target));
    return all;
  }();
  return variants;
}

}  // namespace

std::vector<Kernel> pool_kernels() {
  const std::string name = "fuel_reference_backend::ops::max_pool2d";
  std::vector<Kernel> kernels;
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    const std::string suffix = "_" + std::string(traits(kRows[i]).name);
    Kernel kernel{.entry_point = name + suffix,
                  .inputs = {kRows[i]},
                  .outputs = {kRows[i]},
                  .variants = {},
                  .parameters = {pool::kRules[0].name, pool::kRules[1].name},
                  .aliases = {name + "_f32" + suffix}};
    for (const FamilyVariant& variant : all_variants()) {
      kernel.variants.push_back({variant.name, variant.functions[i]});
    }
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

}  // namespace assay
