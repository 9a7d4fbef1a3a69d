#include "audit/score/may_fall_too.h"

#include <set>
#include <utility>

#include "contracts/claim.h"

namespace assay::score {

namespace {

bool is_about_results(const std::string& id) {
  static const std::set<std::string> of_windows = {"accumulator", "error_bound", "selection_exact"};
  const std::optional<ClaimKind> kind = claim_kind_from_id(id);
  return (kind && *kind <= ClaimKind::kDomainExact) || of_windows.count(id) > 0;
}

}  // namespace

bool may_fall_too(const std::string& made_for, const std::string& id) {
  if (!is_about_results(made_for)) return true;
  static const std::set<std::pair<std::string, std::string>> pairs = {
      // Casts.
      {"overflow", "rounding"},
      {"overflow", "precision.max_ulp"},
      {"rounding", "overflow"},
      {"domain_exact", "rounding"},
      {"domain_exact", "precision.max_ulp"},
      {"rounding", "precision.max_ulp"},
      {"rounding", "domain_exact"},
      {"rounding", "subnormals"},
      {"subnormals", "rounding"},
      {"subnormals", "precision.max_ulp"},
      {"nan", "precision.max_ulp"},
      {"infinity", "nan"},
      {"infinity", "precision.max_ulp"},
      // One step lies between the zeros.
      {"signed_zero", "precision.max_ulp"},
      // A wrong term is also a large error; a small error may be a wrong order only.
      {"accumulator", "error_bound"},
      {"error_bound", "accumulator"},
      // What is wrong in some rows, batches or groups only is right elsewhere: the same elements
      // give other bits there.
      {"accumulator", "bit_stable"},
      {"selection_exact", "bit_stable"},
      // Padding in the wrong place is summed where there is none.
      {"accumulator", "padding_skipped"},
      // A selection that is wrong is also steps away, and a NaN that should lose is one.
      {"selection_exact", "precision.max_ulp"},
      {"nan", "selection_exact"},
      {"selection_exact", "nan"},
  };
  return pairs.count({made_for, id}) > 0;
}

}  // namespace assay::score
