#include "audit/window/bitwise.h"

namespace assay::window {

Bitwise compare(const Job& job, const Found& found, std::size_t variant) {
  Bitwise bitwise;
  std::size_t least = 0;
  for (std::size_t i = 0; i < job.cases.size(); ++i) {
    const CaseDigest& mine = found.variants[variant].digests[i];
    const CaseDigest& reference = found.variants[0].digests[i];
    const Geometry& geometry = job.cases[i].geometry;
    const std::size_t results = elements(output_shape(geometry));
    bitwise.planned += results;
    if (!mine.ran || !reference.ran) continue;
    bitwise.probes += results;
    if (mine.bits == reference.bits) continue;
    const std::size_t size = input_elements(job.operation, geometry);
    if (bitwise.cases.empty() || size < least) {
      bitwise.first = static_cast<std::uint32_t>(i);
      least = size;
    }
    bitwise.cases.push_back(static_cast<std::uint32_t>(i));
    bitwise.differing += results;
  }
  return bitwise;
}

}  // namespace assay::window
