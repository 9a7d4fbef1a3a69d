#include "audit/window/share.h"

#include "audit/window/job.h"
#include "audit/window/pairs.h"
#include "audit/window/subject.h"
#include "audit/window/sweep.h"

namespace assay::window {

namespace {

/// Kinds of work, for the dealer; judgements have one for each of their rows, from kCalls on.
enum Kind : std::size_t { kCases, kPairs, kRates, kCalls };

/// What a call costs besides its sums, in products that the oracle evaluates.
constexpr double kCall = 200;

/// Of one case on all variants, in products that the oracle evaluates, which cost the most.
std::uint64_t cost(const Job& job, const Case& the_case) {
  const double truths =
      work(job.operation, the_case.geometry) / static_cast<double>(the_case.every);
  return static_cast<std::uint64_t>(truths + kCall * static_cast<double>(job.variants.size()));
}

std::size_t chunks(std::size_t items, std::size_t of) {
  return (items + of - 1) / of;
}

}  // namespace

std::size_t case_chunks(const Job& job) {
  return chunks(job.cases.size(), kCasesPerChunk);
}

std::size_t pair_chunks(const Job& job) {
  return chunks(job.firsts.size(), kFirstsPerChunk);
}

bool is_asked_for(const Job& job, const Parts& parts, std::size_t row) {
  const ClaimKind kind = call_rows()[row].kind;
  return job.contract->claim(kind) != nullptr && parts.has_judge(kind);
}

Share share_of(const Job& job, const AuditOptions& options, Dealer& dealer) {
  Share share;
  if (!options.shard.is_part()) return share;
  share.all = false;
  std::vector<std::uint64_t> costs(case_chunks(job));
  for (std::size_t i = 0; i < job.cases.size(); ++i) {
    costs[i / kCasesPerChunk] += cost(job, job.cases[i]);
  }
  for (const std::uint64_t chunk : costs) share.cases.push_back(dealer.mine(kCases, chunk));
  for (std::size_t i = 0; i < job.variants.size() * pair_chunks(job); ++i) {
    share.pairs.push_back(dealer.mine(kPairs));
  }
  share.rates = dealer.mine(kRates, job.variants.size());
  for (std::size_t v = 0; v < job.variants.size(); ++v) {
    for (std::size_t row = 0; row < call_rows().size(); ++row) {
      share.calls.push_back(is_asked_for(job, options.parts, row) && dealer.mine(kCalls + row));
    }
  }
  return share;
}

}  // namespace assay::window
