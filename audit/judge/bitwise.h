// How the variants of a cast compare, bit for bit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "audit/drive.h"
#include "audit/job.h"

namespace assay {

/// One stretch of a probe space.
struct ChunkPlace {
  std::uint32_t space = 0;
  std::uint64_t chunk = 0;
};

/// How two variants' outputs compare, by the digests of their chunks.
struct Bitwise {
  std::uint64_t probes = 0;
  std::uint64_t planned = 0;
  std::vector<ChunkPlace> differing;  ///< chunks
  /// Probes at which the two differ: all of those chunks where one of the variants gives nothing
  /// but due results, which makes the other's deviations the differences.
  std::uint64_t differing_probes = 0;
  /// The other chunks, which have `least_differing` such probes at least.
  std::vector<ChunkPlace> uncounted;
  std::uint64_t least_differing = 0;
  Strength strength = Strength::kNone;
  std::string words;
};

/// The variant that the others are compared with.
std::size_t bitwise_reference(const Job& job, const JobResult& result);

/// What is known of a variant: its comparison with the reference. Of the reference, the weakest of
/// the others' comparisons with it that ran at all, since its claim is about all of them; that one
/// of them differs is then that one's finding.
Bitwise compare_variant(const Job& job, const JobResult& result, std::size_t variant,
                        std::size_t reference);

}  // namespace assay
