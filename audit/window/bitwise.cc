#include "audit/window/bitwise.h"

#include "audit/judge/reference_variant.h"

namespace assay::window {

Bitwise compare(const Job& job, const Found& found, std::size_t variant,
                std::size_t reference_variant) {
  Bitwise bitwise;
  std::size_t least = 0;
  for (std::size_t i = 0; i < job.cases.size(); ++i) {
    const CaseDigest& mine = found.variants[variant].digests[i];
    const CaseDigest& reference = found.variants[reference_variant].digests[i];
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

std::size_t bitwise_reference(const Job& job, const Found& found) {
  const auto deviations = [&](std::size_t variant) {
    std::uint64_t total = 0;
    for (const ChunkFound& chunk : found.variants[variant].chunks) {
      if (chunk.state != UnitState::kDone) continue;
      for (const ClaimCount& claim : chunk.tally.claims) total += claim.violations;
    }
    return total;
  };
  const auto differ = [&](std::size_t a, std::size_t b) {
    return compare(job, found, a, b).differing > 0;
  };
  return assay::reference_variant({job.variants.size(), differ, deviations});
}

}  // namespace assay::window
