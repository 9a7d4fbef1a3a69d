#include "audit/window/check.h"

#include <algorithm>
#include <limits>

namespace assay::window {

Check::Check(const Job& job, const KernelVariant& variant, ClaimKind claim,
             const KernelVariant& reference)
    : job_(job),
      claim_(claim),
      rules_(job.operation),
      row_(result_claim_row(claim)),
      runner_(job.operation, variant, log_),
      reference_(job.operation, reference, log_) {}

Checked Check::check(const Specimen& specimen, std::size_t most_products) {
  Checked checked;
  checked.fault = runner_.run(specimen.geometry, specimen.tensors);
  if (checked.fault != CallFault::kNone) {
    fault_ = runner_.fault();
    return checked;
  }
  if (runner_.results().empty()) return checked;
  if (claim_ == ClaimKind::kBitwise) {
    compare(specimen, checked);
  } else {
    judge(specimen, most_products, checked);
  }
  return checked;
}

void Check::compare(const Specimen& specimen, Checked& checked) {
  checked.fault = reference_.run(specimen.geometry, specimen.tensors);
  if (checked.fault != CallFault::kNone) {
    fault_ = reference_.fault();
    return;
  }
  const std::vector<Bits>& results = runner_.results();
  const std::vector<Bits>& due = reference_.results();
  const auto differing = std::ranges::mismatch(results, due).in1;
  checked.violated = differing != results.end();
  const std::size_t r = checked.violated ? static_cast<std::size_t>(differing - results.begin())
                                         : std::min(specimen.result, results.size() - 1);
  checked.has_result = true;
  checked.result = r;
  checked.got = results[r];
  checked.reference = due[r];
  checked.truth = TruthSource(job_.operation, specimen.geometry, specimen.tensors).truth(r);
}

void Check::judge(const Specimen& specimen, std::size_t most_products, Checked& checked) {
  const std::vector<Bits>& results = runner_.results();
  TruthSource source(job_.operation, specimen.geometry, specimen.tensors);
  std::size_t products = 0;
  const std::size_t hint = std::min(specimen.result, results.size() - 1);
  for (std::size_t i = 0; i < results.size() && products < most_products; ++i) {
    const std::size_t r = (hint + i) % results.size();
    const Truth truth = source.truth(r);
    products += truth.products + 1;
    oracle::SumError error{truth.absolute, truth.relative, truth.ulp, truth.within_bound};
    const Judgement judgement = judge_result(rules_, job_.operation, truth, results[r], [&] {
      error = source.error(r, results[r]);
      return error;
    });
    const bool violated = (judgement.violated >> row_ & 1) != 0;
    if (!violated && i > 0) continue;
    checked.violated = violated;
    checked.has_result = true;
    checked.result = r;
    checked.got = results[r];
    checked.truth = truth;
    checked.error = measured(error, results[r]);
    if (violated) return;
  }
}

double Check::measured(const oracle::SumError& error, Bits got) const {
  if (traits(job_.operation.dtype).is_nan(got)) return std::numeric_limits<double>::quiet_NaN();
  return claim_ == ClaimKind::kMaxRelative ? error.relative : error.absolute;
}

}  // namespace assay::window
