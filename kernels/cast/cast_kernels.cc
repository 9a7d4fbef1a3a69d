#include "kernels/cast/cast.h"

namespace assay {

namespace {

struct Row {
  const char* entry_point;
  Dtype source;
  Dtype destination;
};

#define ASSAY_ROW(source, destination, source_dtype, destination_dtype)                      \
  Row{"fuel_reference_backend::ops::cast_" #source "_to_" #destination, Dtype::source_dtype, \
      Dtype::destination_dtype},
constexpr std::array<Row, kCastCount> kRows = {{ASSAY_CASTS(ASSAY_ROW)}};
#undef ASSAY_ROW

/// Scalar first. The look-up of the others touches process-wide state, so it is done once.
const std::vector<CastVariants>& all_variants() {
  static const std::vector<CastVariants> variants = [] {
    std::vector<CastVariants> all = {scalar_casts()};
    for (CastVariants& target : simd_casts()) all.push_back(std::move(target));
    return all;
  }();
  return variants;
}

}  // namespace

std::vector<Kernel> cast_kernels() {
  std::vector<Kernel> kernels;
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    Kernel kernel{.entry_point = kRows[i].entry_point,
                  .inputs = {kRows[i].source},
                  .outputs = {kRows[i].destination},
                  .variants = {}};
    for (const CastVariants& target : all_variants()) {
      kernel.variants.push_back({target.name, target.functions[i]});
    }
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

}  // namespace assay
