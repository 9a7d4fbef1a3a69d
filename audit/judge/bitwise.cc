#include "audit/judge/bitwise.h"

#include <algorithm>
#include <utility>

#include "audit/judge/reference_variant.h"

namespace assay {

namespace {

Bitwise compare_digests(const Job& job, const JobResult& result, std::size_t variant,
                        std::size_t reference_variant) {
  Bitwise bitwise;
  bool boundaries = false;
  bool specials = false;
  for (std::size_t s = 0; s < job.spaces.size(); ++s) {
    const SpaceResult& mine = result.variants[variant].spaces[s];
    const SpaceResult& reference = result.variants[reference_variant].spaces[s];
    if (!mine.assigned || !reference.assigned) continue;
    bool complete = true;
    std::uint64_t ran = 0;
    for (std::uint64_t c = 0; c < mine.chunks.size(); ++c) {
      const auto usable = [](const ChunkResult& chunk) {
        return chunk.state == UnitState::kDone && chunk.tally.fault == CallFault::kNone;
      };
      bitwise.planned += job.spaces[s]->probes(c);
      if (!usable(mine.chunks[c]) || !usable(reference.chunks[c])) {
        complete = false;
        continue;
      }
      ran += mine.chunks[c].tally.probes;
      if (mine.chunks[c].tally.digest == reference.chunks[c].tally.digest) continue;
      const ChunkPlace place{static_cast<std::uint32_t>(s), c};
      bitwise.differing.push_back(place);
      const std::uint64_t my_own = mine.chunks[c].tally.unlike_due;
      const std::uint64_t others = reference.chunks[c].tally.unlike_due;
      const std::uint64_t least = std::max(my_own, others) - std::min(my_own, others);
      if (my_own == 0 || others == 0) {
        bitwise.differing_probes += least;
      } else {
        bitwise.uncounted.push_back(place);
        bitwise.least_differing += std::max<std::uint64_t>(least, 1);
      }
    }
    bitwise.probes += ran;
    if (ran == 0) continue;
    const Strength strength = job.spaces[s]->strength();
    boundaries = boundaries || (complete && strength == Strength::kBoundaryComplete);
    specials = specials || (complete && job.spaces[s]->name() == "special values");
    bitwise.strength = std::max(bitwise.strength, complete && strength == Strength::kExhaustive
                                                      ? Strength::kExhaustive
                                                      : Strength::kSampled);
    if (complete) bitwise.words += (bitwise.words.empty() ? "" : "; ") + job.spaces[s]->words();
  }
  if (boundaries && specials) {
    bitwise.strength = std::max(bitwise.strength, Strength::kBoundaryComplete);
  }
  return bitwise;
}

}  // namespace

std::size_t bitwise_reference(const Job& job, const JobResult& result) {
  const auto deviations = [&](std::size_t variant) {
    std::uint64_t total = 0;
    for (const SpaceResult& space : result.variants[variant].spaces) {
      for (const ChunkResult& chunk : space.chunks) {
        if (chunk.state == UnitState::kDone) total += chunk.tally.unlike_due;
      }
    }
    return total;
  };
  const auto differ = [&](std::size_t a, std::size_t b) {
    return !compare_digests(job, result, a, b).differing.empty();
  };
  return reference_variant({job.variants.size(), differ, deviations});
}

Bitwise compare_variant(const Job& job, const JobResult& result, std::size_t variant,
                        std::size_t reference) {
  if (variant != reference) return compare_digests(job, result, variant, reference);
  Bitwise weakest;
  for (std::size_t other = 0; other < job.variants.size(); ++other) {
    if (other == reference) continue;
    Bitwise bitwise = compare_digests(job, result, other, reference);
    if (bitwise.probes == 0) continue;
    const bool weaker = bitwise.strength < weakest.strength ||
                        (bitwise.strength == weakest.strength && bitwise.probes < weakest.probes);
    if (weakest.probes == 0 || weaker) weakest = std::move(bitwise);
  }
  weakest.differing.clear();
  weakest.uncounted.clear();
  weakest.differing_probes = weakest.least_differing = 0;
  return weakest;
}

}  // namespace assay
