#include "audit/score/scored.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "audit/audit.h"
#include "audit/repro/repeat.h"
#include "audit/score/contracts.h"
#include "audit/score/may_fall_too.h"
#include "audit/testing/folder.h"
#include "audit/token/word.h"
#include "contracts/command_words.h"

namespace assay::score {

namespace {

constexpr const char* kVariant = "mutant";

std::uint64_t elements_of(const TensorRecord& tensor) {
  std::uint64_t n = 1;
  for (const std::int64_t extent : tensor.shape) n *= static_cast<std::uint64_t>(extent);
  return n;
}

Size size_of(const Counterexample& example) {
  Size size;
  for (const TensorRecord& tensor : example.inputs) {
    size.elements += elements_of(tensor);
    for (const std::string& word : tensor.bits) {
      size.set_bits += static_cast<std::uint64_t>(std::popcount(std::stoull(word, nullptr, 16)));
    }
  }
  return size;
}

/// Whether an audit with `registry` finds again what the token is about.
Repeated::Outcome repeated(const Token& token, const Registry& registry,
                           const AuditOptions& options) {
  return repeat(token, shipped_contracts(), registry, options).outcome;
}

/// What is wrong with the counterexample of a refuted claim. Its token must show the fault again,
/// and must not show it of the right kernel.
std::string case_fault(const Mutant& mutant, const ClaimRecord& claim,
                       const AuditOptions& options) {
  if (!claim.counterexample) return "no counterexample";
  const Counterexample& example = *claim.counterexample;
  if (example.why.empty()) return "the counterexample does not say why it is one";
  if (!example.expected.bits.empty() && example.got.bits == example.expected.bits) {
    return "the counterexample shows the result that is due";
  }
  if (example.token.size() > kMostTokenLength) return "too long a token";
  const testing::Folder folder;
  if (example.file) {
    std::filesystem::create_directories(folder.path() / kCaseFolder);
    std::ofstream(folder.path() / kCaseFolder / example.file->name) << example.file->content;
  }
  Token token = token_from(example.token, folder.path());
  const Registry faulty = registry_of(mutant);
  if (repeated(token, faulty, options) != Repeated::Outcome::kFails) {
    return "the token does not show the fault again";
  }
  if (mutant.beside_scalar) return {};  // a token that compares two has no other to hold for
  token.variant = "scalar";
  if (repeated(token, built_in_registry(), options) != Repeated::Outcome::kHolds) {
    return "the token does not hold for the right kernel";
  }
  return {};
}

bool fell(const ClaimRecord& claim) {
  return claim.verdict == Verdict::kRefuted || claim.verdict == Verdict::kError;
}

void judge_permitted(const VariantRecord& variant, Scored& score) {
  score.outcome = Outcome::kKept;
  for (const ClaimRecord& claim : variant.claims) {
    score.probes += claim.probes;
    if (!fell(claim)) continue;
    score.outcome = Outcome::kAlarm;
    score.alarms.push_back(claim.id);
  }
}

void judge_planted(const Mutant& mutant, const VariantRecord& variant, const AuditOptions& options,
                   Scored& score) {
  score.outcome = Outcome::kSurvived;
  for (const ClaimRecord& claim : variant.claims) {
    if (claim.id != mutant.claim) {
      if (!fell(claim)) continue;
      if (score.outcome == Outcome::kSurvived) score.outcome = Outcome::kMisnamed;
      const bool expected = may_fall_too(mutant.claim, claim.id) ||
                            std::ranges::find(mutant.also, claim.id) != mutant.also.end();
      if (!expected) score.alarms.push_back(claim.id);
      continue;
    }
    score.probes = claim.probes;
    if (claim.verdict != Verdict::kRefuted) {
      if (claim.verdict == Verdict::kError) score.why = claim.why;
      continue;
    }
    score.outcome = Outcome::kRefuted;
    score.first_violation = claim.first_violation;
    if (claim.counterexample) score.size = size_of(*claim.counterexample);
    score.case_fault = case_fault(mutant, claim, options);
  }
}

}  // namespace

Registry registry_of(const Mutant& mutant) {
  const Registry built_in = built_in_registry();
  const Kernel* original = built_in.find(mutant.entry_point);
  if (original == nullptr) {
    throw std::runtime_error("no kernel has the entry point " + mutant.entry_point);
  }
  Kernel kernel = *original;
  const KernelVariant scalar = *original->variant("scalar");
  kernel.variants = {{kVariant, mutant.function}};
  if (mutant.beside_scalar) kernel.variants.insert(kernel.variants.begin(), scalar);
  return Registry({kernel});
}

Scored unscored(const Mutant& mutant) {
  Scored score;
  score.name = mutant.name;
  score.kernel = mutant.entry_point.substr(mutant.entry_point.rfind(':') + 1);
  score.claim = mutant.claim;
  score.what = mutant.what;
  score.unsteady = mutant.unsteady;
  return score;
}

namespace {

/// Time that is enough for most faults to be refuted in. A kernel that is wrong for half of its
/// inputs takes minutes to be swept over all of them, and every one is looked at.
constexpr std::chrono::seconds kFirstTry{4};

void audit_once(const Mutant& mutant, const AuditOptions& options, Scored& score) {
  const Registry registry = registry_of(mutant);
  const RunRecord record = audit(shipped_contracts(), registry, options);
  const KernelRecord& kernel = record.kernels.at(0);
  if (!kernel.not_run.empty() || kernel.variants.empty()) {
    score.outcome = Outcome::kFailed;
    score.why = kernel.not_run;
  } else if (mutant.claim.empty()) {
    judge_permitted(kernel.variants.back(), score);
  } else {
    judge_planted(mutant, kernel.variants.back(), options, score);
  }
  if (!record.run.complete && score.outcome != Outcome::kRefuted) {
    score.outcome = Outcome::kNotRun;
    score.why = record.run.incomplete;
  }
}

}  // namespace

Scored scored(const Mutant& mutant, const AuditOptions& given) {
  const auto start = std::chrono::steady_clock::now();
  AuditOptions options = given;
  options.only = {exact_pattern(kernel_of(registry_of(mutant)))};
  Scored score = unscored(mutant);
  if (!mutant.claim.empty() && options.effort != Effort::kQuick) {
    AuditOptions briefly = options;
    const std::chrono::duration<double> first_try = kFirstTry;
    briefly.time_budget = std::min(first_try, options.time_budget.value_or(first_try));
    audit_once(mutant, briefly, score);
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
    if (options.time_budget) *options.time_budget = std::max(*options.time_budget - used, 0 * used);
  }
  const bool time_left = !options.time_budget || options.time_budget->count() > 0;
  if (score.outcome != Outcome::kRefuted && time_left) {
    score = unscored(mutant);
    audit_once(mutant, options, score);
  }
  score.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return score;
}

}  // namespace assay::score
