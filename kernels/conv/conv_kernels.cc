#include <iterator>
#include <span>

#include "kernels/conv/conv.h"
#include "kernels/conv/conv_call.h"

namespace assay {

namespace {

/// What the kernels of one operation have in common.
struct Operation {
  const char* name;
  std::size_t inputs;
  std::size_t optional_inputs;
  std::span<const ParameterRule> parameters;
};

constexpr Operation conv2d = {"conv2d", 3, 1, conv::kConv2dRules};
constexpr Operation conv_transpose2d = {"conv_transpose2d", 2, 0, conv::kConvTranspose2dRules};
constexpr Operation conv2d_simple = {"conv2d_simple", 2, 0, conv::kConv2dSimpleRules};

struct Row {
  Operation operation;
  Dtype dtype;
};

#define ASSAY_ROW(operation, format, dtype) Row{operation, Dtype::dtype},
constexpr Row kRows[] = {ASSAY_WIDE_CONVS(ASSAY_ROW) ASSAY_HALF_CONVS(ASSAY_ROW)};
#undef ASSAY_ROW

/// Scalar first. The look-up of the others touches process-wide state, so it is done once.
const std::vector<FamilyVariant>& all_variants() {
  static const std::vector<FamilyVariant> variants = [] {
    std::vector<FamilyVariant> all = {scalar_convs()};
    const std::vector<FamilyVariant> halves = half_simd_convs();
    // Both parts list the same targets.
    for (FamilyVariant& target : wide_simd_convs()) {
      const std::vector<KernelFunction>& half = halves[all.size() - 1].functions;
      target.functions.insert(target.functions.end(), half.begin(), half.end());
      all.push_back(std::move(target));
    }
    return all;
  }();
  return variants;
}

}  // namespace

std::vector<Kernel> conv_kernels() {
  const std::string prefix = "fuel_reference_backend::ops::";
  std::vector<Kernel> kernels;
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    const Operation& operation = kRows[i].operation;
    const Dtype dtype = kRows[i].dtype;
    const std::string name = prefix + operation.name;
    const std::string suffix = "_" + std::string(traits(dtype).name);
    Kernel kernel{.entry_point = name + suffix,
                  .inputs = std::vector<Dtype>(operation.inputs, dtype),
                  .outputs = {dtype},
                  .variants = {},
                  .optional_inputs = operation.optional_inputs,
                  .parameters = {},
                  .aliases = {name + "_f32" + suffix}};
    for (const ParameterRule& rule : operation.parameters) kernel.parameters.push_back(rule.name);
    for (const FamilyVariant& variant : all_variants()) {
      kernel.variants.push_back({variant.name, variant.functions[i]});
    }
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

}  // namespace assay
