#include "audit/repro/repeat.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/audit.h"
#include "audit/bind.h"
#include "audit/repro/one_call.h"
#include "contracts/unicode.h"

namespace assay {

bool ran_in_worker(const AuditOptions& options, Repeated& repeated,
                   const std::function<void(Heartbeat&)>& work) {
  PoolOptions pool;
  pool.hang_after = options.hang_after;
  const PoolResult result =
      run_in_workers({{0, 0}}, pool, [&](std::size_t, Heartbeat& heartbeat) { work(heartbeat); });
  const UnitOutcome& outcome = result.units.front();
  switch (outcome.state) {
    case UnitState::kDone:
      return true;
    case UnitState::kCrashed:
    case UnitState::kHung:
      repeated.why = fmt::format("{} in call {}", outcome.what, outcome.place);
      return false;
    default:
      repeated.why = result.interrupted ? "interrupted" : outcome.what;
      return false;
  }
}

std::string calls_text(int made, bool failed) {
  const std::string times = made == 1 ? "once" : fmt::format("{} times in one process", made);
  return fmt::format("the one call, {}{}", times,
                     failed && made > 1 ? ", of which the last one fails" : "");
}

std::string exact_pattern(const std::string& name) {
  std::string pattern;
  for (const char c : name) {
    if (std::string_view("*?[\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + one_line(name);
  return text;
}

/// The contract of the token's kernel.
const fkc::KernelContract& contract_of(const Token& token,
                                       const std::vector<fkc::Document>& documents) {
  std::vector<std::string> names;
  for (const fkc::Document& document : documents) {
    for (const fkc::KernelContract& contract : document.kernels) {
      for (const fkc::Binding& binding : contract.signatures()) {
        if (binding.kernel == token.kernel || contract.kernel == token.kernel) return contract;
        names.push_back(binding.kernel);
      }
    }
  }
  throw UsageError(fmt::format("the contract has no kernel '{}'; it has: {}",
                               one_line(token.kernel), listed(names)));
}

/// Of a job's variants those of the token, the one that it is compared with first. False, with the
/// reason, where this machine or library does not have one.
template <class AnyJob>
bool choose_variants(const Token& token, AnyJob& job, std::string& why) {
  std::vector<const KernelVariant*> chosen;
  std::vector<std::string> names;
  for (const KernelVariant* variant : job.variants) names.push_back(variant->name);
  for (const std::string& wanted : {token.reference, token.variant}) {
    if (wanted.empty()) continue;
    const auto found = std::ranges::find(names, wanted);
    if (found == names.end()) {
      why = fmt::format("there is no variant '{}' of this kernel here; there is: {}",
                        one_line(wanted), listed(names));
      return false;
    }
    chosen.push_back(job.variants[static_cast<std::size_t>(found - names.begin())]);
  }
  job.variants = std::move(chosen);
  return true;
}

AuditOptions options_for(const Token& token, const AuditOptions& given) {
  AuditOptions options;
  options.only = {exact_pattern(token.kernel)};
  options.effort = token.effort;
  options.seed = token.seed;
  options.threads = given.threads;
  options.hang_after = given.hang_after;
  options.progress = given.progress;
  switch (token.again) {
    case Again::kOneCall:
    case Again::kAll:
      break;
    case Again::kClaim:
      options.parts = {false, true, token.claim};
      break;
    case Again::kCalls:
      options.parts = {false, true, std::nullopt};
      break;
    case Again::kSweeps:
      options.parts = {true, false, std::nullopt};
      break;
  }
  return options;
}

std::string judges_text(const Token& token) {
  const std::string_view id = row(token.claim).id;
  const std::string sweeps = fmt::format("the sweeps over its probe spaces (effort {}, seed {})",
                                         to_string(token.effort), token.seed);
  switch (token.again) {
    case Again::kOneCall:
      break;
    case Again::kClaim:
      return fmt::format("all calls that judge {} (seed {})", id, token.seed);
    case Again::kCalls:
      return fmt::format("all calls that judge its claims about calls (seed {})", token.seed);
    case Again::kSweeps:
      return sweeps;
    case Again::kAll:
      return sweeps + ", and all calls that judge its claims about calls";
  }
  return {};
}

/// Runs the judges again: an audit of this kernel and variant, or of a part of it.
void run_judges(const Token& token, const std::vector<fkc::Document>& documents,
                const Registry& registry, AuditOptions options, Repeated& repeated) {
  for (const std::string& name : {token.reference, token.variant}) {
    if (!name.empty()) options.variants.push_back(exact_pattern(name));
  }
  repeated.ran = judges_text(token);
  const RunRecord record = audit(documents, registry, options);
  const ClaimRecord* claim = nullptr;
  for (const VariantRecord& variant : record.kernels.front().variants) {
    for (const ClaimRecord& candidate : variant.claims) {
      if (candidate.id != row(token.claim).id) continue;
      // Which of two variants that differ is told to may change with what the others give.
      const bool differs =
          token.claim == ClaimKind::kBitwise && candidate.verdict == Verdict::kRefuted;
      if (variant.name == token.variant ? claim == nullptr : differs) claim = &candidate;
    }
  }
  if (claim == nullptr) {
    repeated.why = "no verdict came of it";
    return;
  }
  repeated.example = claim->counterexample;
  repeated.why = claim->why;
  switch (claim->verdict) {
    case Verdict::kRefuted:
      repeated.outcome = Repeated::Outcome::kFails;
      break;
    case Verdict::kUpheld:
      repeated.outcome = Repeated::Outcome::kHolds;
      break;
    case Verdict::kError:
      if (token.error) repeated.outcome = Repeated::Outcome::kFails;
      break;
    case Verdict::kUnclaimed:
    case Verdict::kUndecided:
      break;
  }
  if (repeated.outcome != Repeated::Outcome::kFails || !repeated.example) return;
  if (token.circumstances.empty()) return;
  const auto now =
      std::ranges::find(repeated.example->params, "circumstances", &ParameterRecord::name);
  if (now != repeated.example->params.end() && now->value != token.circumstances) {
    repeated.notes.push_back("the report showed another call: " + one_line(token.circumstances));
  }
}

template <class AnyJob>
bool is_ready(const Token& token, std::vector<AnyJob>& jobs, Repeated& repeated) {
  AnyJob& job = jobs.front();
  if (!job.not_run.empty()) repeated.why = job.not_run;
  return job.not_run.empty() && choose_variants(token, job, repeated.why);
}

}  // namespace

Repeated repeat(const Token& token, const std::vector<fkc::Document>& documents,
                const Registry& registry, const AuditOptions& options) {
  const fkc::KernelContract& contract = contract_of(token, documents);
  // How variants differ is shown also where the contract does not say that they must not.
  if (token.claim != ClaimKind::kBitwise && contract.claim(token.claim) == nullptr) {
    throw UsageError(fmt::format("the contract of '{}' does not claim '{}', or no longer",
                                 one_line(token.kernel), row(token.claim).id));
  }
  const bool compares = token.claim == ClaimKind::kBitwise && token.again == Again::kOneCall;
  if (compares && (token.reference.empty() || token.reference == token.variant)) {
    throw UsageError("the token does not say which other variant its variant is compared with");
  }
  const AuditOptions mine = options_for(token, options);
  Bound bound = assay::bind(documents, registry, mine);
  if (bound.order.size() != 1) {
    throw UsageError(fmt::format("'{}' stands for more than one kernel of the contract",
                                 one_line(token.kernel)));
  }
  const bool is_cast = bound.order.front().family == Bound::Family::kCast;
  Repeated repeated;
  const bool ready =
      is_cast ? is_ready(token, bound.casts, repeated) : is_ready(token, bound.windows, repeated);
  if (!ready) return repeated;
  if (token.again != Again::kOneCall) {
    run_judges(token, documents, registry, mine, repeated);
  } else if (is_cast) {
    repeated = repeat_cast_call(token, bound.casts, mine);
  } else {
    repeated = repeat_window_call(token, bound.windows.front(), mine);
  }
  repeated.entry_point = contract.entry_point.value;
  if (token.revision != contract_revision(contract)) {
    repeated.notes.insert(
        repeated.notes.begin(),
        "the contract is another one than the report's: judged is what it says now");
  }
  return repeated;
}

}  // namespace assay
