// Which work on a job is a shard's.
#pragma once

#include <cstddef>
#include <vector>

#include "audit/options.h"

namespace assay::window {

struct Job;

/// Work on a job that runs here. The units of all variants over the same cases are in one shard,
/// and so are the truths of those cases: no truth is made twice, and what differs between variants
/// is seen there. Pairs have no truths that are made before, and are dealt out for each variant. A
/// kernel's speeds are measured in one shard too, since they are compared.
struct Share {
  bool all = true;          ///< and the lists below are empty
  std::vector<bool> cases;  ///< by chunk of cases
  std::vector<bool> pairs;  ///< by variant times chunks of first values, plus chunk
  std::vector<bool> calls;  ///< by variant times rows of judges, plus row
  bool rates = true;

  bool has_cases(std::size_t chunk) const { return all || cases[chunk]; }
  bool has_pairs(std::size_t index) const { return all || pairs[index]; }
  bool has_call(std::size_t index) const { return all || calls[index]; }
  bool has_rates() const { return all || rates; }
};

/// Chunks of a job's cases, and of its first values of pairs.
std::size_t case_chunks(const Job& job);
std::size_t pair_chunks(const Job& job);

/// Whether the job's contract and the caller ask for the judgement of this row of call_rows().
bool is_asked_for(const Job& job, const Parts& parts, std::size_t row);

/// Deals out the work on a job that is planned.
Share share_of(const Job& job, const AuditOptions& options, Dealer& dealer);

}  // namespace assay::window
