#include "audit/explain/window.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "audit/explain/each_variant.h"
#include "audit/window/call.h"
#include "audit/window/counterexample.h"
#include "audit/window/rules.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/shared_array.h"

namespace assay {

namespace {

using window::Specimen;
using window::Truth;

/// What a worker writes.
struct Shared {
  Bits result;
  CallFault fault;
  char fault_text[240];
};

std::vector<ExplainedTerm> terms_of(const window::Operation& operation, const Specimen& specimen) {
  std::vector<ExplainedTerm> terms;
  const window::Tensors& tensors = specimen.tensors;
  if (operation.is_sum()) {
    for (const oracle::Term& term : window::terms(operation, specimen.geometry, specimen.result)) {
      terms.push_back({term.x, tensors.x[term.x], term.weight, tensors.weight[term.weight]});
    }
    return terms;
  }
  const oracle::ResultIndex at = window::result_index(specimen.geometry, specimen.result);
  for (const std::size_t x : oracle::pooling_window(specimen.geometry.extents, at)) {
    terms.push_back({x, tensors.x[x]});
  }
  return terms;
}

/// What a result is the same as.
std::vector<std::string> fits_of(const window::Job& job, const Truth& truth, bool has_bias,
                                 Bits got) {
  const DtypeTraits& format = traits(job.operation.dtype);
  const auto same = [&](Bits due) {
    return got == due || (format.is_nan(got) && format.is_nan(due));
  };
  std::vector<std::string> fits;
  if (!job.operation.is_sum()) {
    if (truth.has_nan && format.is_nan(got)) fits.push_back("a NaN of the window");
    if (!truth.only_nans && same(truth.exact)) {
      fits.push_back("the greatest number of the window");
    }
    return fits;
  }
  if (same(truth.exact)) fits.push_back("the exact sum, rounded once");
  if (same(truth.model)) {
    fits.push_back(has_bias ? "the declared order, each operation rounded, the bias last"
                            : "the declared order, each operation rounded");
  }
  if (has_bias && same(truth.model_bias_first)) {
    fits.push_back("the declared order, each operation rounded, the bias first");
  }
  return fits;
}

std::vector<ClaimKind> broken_of(std::uint32_t violated, const window::Rules& rules) {
  std::vector<ClaimKind> broken;
  for (std::size_t row = 0; row < window::kResultClaimCount; ++row) {
    if ((violated >> row & 1) != 0 && rules.judges(row)) {
      broken.push_back(window::kResultClaims[row]);
    }
  }
  return broken;
}

}  // namespace

WindowExplanation explain_window(const window::Job& job, const Specimen& specimen,
                                 const AuditOptions& options) {
  const window::Operation& operation = job.operation;
  WindowExplanation explanation;
  explanation.kernel = job.kernel_name;
  explanation.call = window::describe(operation, specimen.geometry);
  explanation.dtype = operation.dtype;
  explanation.is_sum = operation.is_sum();
  explanation.at = window::result_text(specimen.geometry, specimen.result);
  explanation.terms = terms_of(operation, specimen);
  explanation.has_bias = specimen.geometry.bias;
  if (explanation.has_bias) {
    const auto channel = window::result_index(specimen.geometry, specimen.result).channel;
    explanation.bias = specimen.tensors.bias[static_cast<std::size_t>(channel)];
  }
  window::TruthSource source(operation, specimen.geometry, specimen.tensors);
  explanation.truth = source.truth(specimen.result);

  SharedArray<Shared> shared(job.variants.size());
  const auto call = [&](std::size_t v, Heartbeat& heartbeat) {
    heartbeat.at(1);
    EnvironmentLog log;
    window::CaseRunner runner(operation, *job.variants[v], log);
    shared[v].fault = runner.run(specimen.geometry, specimen.tensors);
    put(shared[v].fault_text, runner.fault());
    if (shared[v].fault == CallFault::kNone) shared[v].result = runner.results()[specimen.result];
  };
  const std::vector<std::string> failures = call_each_variant(job.variants.size(), options, call);
  const window::Rules rules(operation);
  for (std::size_t v = 0; v < job.variants.size(); ++v) {
    WindowGiven given;
    given.variant = job.variants[v]->name;
    if (!failures[v].empty()) {
      given.failure = failures[v];
    } else if (shared[v].fault != CallFault::kNone) {
      given.failure = shared[v].fault_text;
    } else {
      given.result = shared[v].result;
      const auto error = [&] { return source.error(specimen.result, given.result); };
      const bool measurable = (explanation.truth.finite || !explanation.is_sum) &&
                              traits(operation.dtype).is_finite(given.result) &&
                              !explanation.truth.has_nan;
      given.error = measurable ? error().absolute : std::numeric_limits<double>::quiet_NaN();
      given.fits = fits_of(job, explanation.truth, explanation.has_bias, given.result);
      const window::Judgement judgement =
          window::judge_result(rules, operation, explanation.truth, given.result, error);
      given.broken = broken_of(judgement.violated, rules);
    }
    explanation.given.push_back(std::move(given));
  }
  return explanation;
}

}  // namespace assay
