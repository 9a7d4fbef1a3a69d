// All that the sweeps showed of one variant, added up over spaces.
#pragma once

#include <string>
#include <vector>

#include <array>

#include "audit/drive.h"
#include "audit/job.h"
#include "contracts/run_record.h"

namespace assay {

/// Digest of a variant's outputs over one whole space: XXH3-64 over those of its chunks.
struct SpaceDigest {
  std::string words;
  std::uint64_t value = 0;

  std::string text() const;  ///< 16 hex digits
};

struct Evidence {
  SweepTally tally;            ///< over the chunks that ran whole
  Census census;               ///< of the same chunks
  DeviationTotals deviations;  ///< of the same chunks
  /// Violations in chunks that did not run whole, which are in no other count.
  std::array<Violations, kElementClaims> partial{};
  Strength strength = Strength::kNone;  ///< of the strongest space that ran whole
  std::uint64_t probes = 0;
  std::uint64_t planned = 0;
  std::vector<std::string> complete_spaces;    ///< in words
  std::vector<std::string> incomplete_spaces;  ///< in words, with how much of each ran
  std::vector<SpaceDigest> digests;            ///< of each whole space
  std::string digest;                          ///< over the whole spaces that all variants share
  std::string digest_space;

  std::string space_words() const;
};

/// Adds up a variant's results.
Evidence add_up(const Job& job, const JobResult& result, std::size_t variant);

/// Probes of `census` in scope of a claim.
std::uint64_t scope_probes(const Census& census, const CellMap& cells, ClaimKind kind);

/// Probes of `census` that a claim would speak about, but for being outside the contract.
std::uint64_t caller_error_probes(const Census& census, const CellMap& cells, ClaimKind kind);

/// The measures of a variant's numeric results, and of its NaNs.
Measured measure_numbers(const Job& job, const Evidence& evidence);
Measured measure_nans(const Job& job, const Evidence& evidence);
/// What the kernel did with inputs outside the contract.
Measured measure_caller_errors(const Job& job, const Evidence& evidence);

}  // namespace assay
