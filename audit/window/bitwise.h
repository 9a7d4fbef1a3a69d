// How the variants of a kernel compare, bit for bit.
#pragma once

#include <cstdint>
#include <vector>

#include "audit/window/drive.h"
#include "audit/window/job.h"

namespace assay::window {

/// How a variant's results compare with another's, case by case.
struct Bitwise {
  std::uint64_t probes = 0;  ///< results compared
  std::uint64_t planned = 0;
  std::uint64_t differing = 0;       ///< results of the cases that differ
  std::vector<std::uint32_t> cases;  ///< those
  std::uint32_t first = 0;           ///< the smallest of them
};

/// Compares two variants, by their digests.
Bitwise compare(const Job& job, const Found& found, std::size_t variant, std::size_t reference);

/// The variant that the others are compared with.
std::size_t bitwise_reference(const Job& job, const Found& found);

}  // namespace assay::window
