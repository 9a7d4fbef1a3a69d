#include "audit/window/verdicts.h"

#include <fmt/format.h>

#include <xxhash.h>

#include <algorithm>
#include <numeric>

#include "audit/judge/call_verdict.h"
#include "audit/judge/claim_account.h"
#include "audit/judge/reference_variant.h"
#include "audit/window/bitwise.h"
#include "audit/window/counterexample.h"
#include "audit/window/pairs.h"
#include "oracles/cast_exact.h"

namespace assay::window {

namespace {

/// All sweeps of a variant together.
SweepTally total_of(const VariantFound& variant) {
  SweepTally total;
  for (const ChunkFound& chunk : variant.chunks) {
    if (chunk.state == UnitState::kDone) total.merge(chunk.tally);
  }
  return total;
}

class JobJudge {
 public:
  JobJudge(const Job& job, const Found& found, const std::vector<WitnessRequest>& requests,
           const std::vector<Witness>& witnesses, const std::string& unfinished)
      : job_(job),
        found_(found),
        requests_(requests),
        witnesses_(witnesses),
        rules_(job.operation),
        account_(*job.contract, unfinished),
        reference_(bitwise_reference(job, found)) {
    planned_ = std::accumulate(found.case_results.begin(), found.case_results.end(),
                               job.firsts.size() * kPatterns);
    words_ = fmt::format("{} cases: {} geometries and families of values in turn ({})",
                         job.cases.size(), geometries(), family_names());
    if (job.operation.kind == OperationKind::kConvolution &&
        job.operation.has(ParameterRole::kDilation)) {
      words_ += "; dilations of 1 only";
    }
    if (job.firsts.size() == kPatterns) {
      words_ += "; windows of two values: all 4,294,967,296 pairs";
    } else if (!job.firsts.empty()) {
      words_ += fmt::format("; windows of two values: {} values with every other, {} pairs",
                            job.firsts.size(), job.firsts.size() * kPatterns);
    }
  }

  VariantRecord variant(std::size_t v) {
    variant_ = v;
    tally_ = total_of(mine());
    VariantRecord record;
    record.name = job_.variants[v]->name;
    put_digest(record);
    record.probes = tally_.probes;
    record.seconds = tally_.seconds;
    for (const CallTally& calls : mine().calls) {
      record.probes += calls.probes;
      record.seconds += calls.seconds;
    }
    if (tally_.seconds > 0) {
      record.probes_per_second = static_cast<double>(tally_.probes) / tally_.seconds;
    }
    for (const ClaimRow& claim : kClaims) {
      std::optional<ClaimRecord> judged = judge_claim(claim.kind);
      if (const Claim* disputed = job_.contract->disputed_claim(claim.kind)) {
        judged = account_.left_open(*disputed, std::move(judged));
      }
      if (judged) record.claims.push_back(std::move(*judged));
    }
    account_for_failure(record, obstacle());
    for (std::size_t r = 0; r < requests_.size() && r < witnesses_.size(); ++r) {
      if (requests_[r].variant == v) account_for_failure(record, witnesses_[r].failure);
    }
    put_rates(record);
    put_tokens(record);
    return record;
  }

 private:
  const VariantFound& mine() const { return found_.variants[variant_]; }

  /// For claims that have no counterexample with a token.
  void put_tokens(VariantRecord& record) const {
    const KernelVariant* compared = compared_with(job_.variants, variant_, reference_);
    for (ClaimRecord& claim : record.claims) {
      const ClaimKind kind = *claim_kind_from_id(claim.id);
      const bool of_results =
          result_claim_row(kind) < kResultClaimCount || kind == ClaimKind::kBitwise;
      put_token_of_claim(claim, token_again(job_, *job_.variants[variant_], kind,
                                            of_results ? Again::kSweeps : Again::kAll, compared));
    }
  }

  std::size_t geometries() const {
    std::vector<Geometry> different;
    for (const Case& the_case : job_.cases) {
      if (std::find(different.begin(), different.end(), the_case.geometry) == different.end()) {
        different.push_back(the_case.geometry);
      }
    }
    return different.size();
  }

  std::string family_names() const {
    std::string names;
    for (const Family family : families(job_.operation)) {
      names += (names.empty() ? "" : ", ") + std::string(to_string(family));
    }
    return names;
  }

  /// What stands in the way of a verdict on single results.
  std::string obstacle() const {
    if (!found_.truth_failure.empty()) return found_.truth_failure;
    if (!mine().failure.empty()) return mine().failure;
    if (!mine().hang.empty()) return mine().hang;
    if (mine().rates.fault[0] != '\0') return mine().rates.fault;
    if (tally_.fault != CallFault::kNone) return tally_.fault_text;
    return {};
  }

  /// Over all results in order, where all cases ran.
  void put_digest(VariantRecord& record) const {
    std::vector<std::uint64_t> all;
    for (const CaseDigest& digest : mine().digests) {
      if (!digest.ran) return;
      all.push_back(digest.one_nan);
    }
    record.digest =
        fmt::format("{:016x}", XXH3_64bits(all.data(), all.size() * sizeof(all.front())));
    record.digest_space = fmt::format("{} cases ({}), every NaN counting as the same one",
                                      job_.cases.size(), job_.choice);
  }

  void put_rates(VariantRecord& record) const {
    const std::vector<RateGeometry> geometries = rate_geometries(job_.operation);
    for (std::size_t g = 0; g < geometries.size(); ++g) {
      const double seconds = mine().rates.seconds[g];
      if (seconds <= 0) continue;
      RateRecord rate;
      rate.what = geometries[g].what;
      rate.seconds = seconds;
      rate.flops = flops(job_.operation, geometries[g].geometry).value_or(0);
      rate.bytes = bytes_moved(job_.operation, geometries[g].geometry).value_or(0);
      rate.speedup = found_.variants[0].rates.seconds[g] / seconds;
      record.rates.push_back(std::move(rate));
    }
  }

  std::optional<ClaimRecord> judge_claim(ClaimKind kind) const {
    const bool declared = job_.contract->claim(kind) != nullptr;
    if (kind == ClaimKind::kBitwise) return judge_bitwise(declared);
    if (kind == ClaimKind::kMaxUlp && !declared) return measured_only();
    if (!declared) return std::nullopt;
    if (result_claim_row(kind) < kResultClaimCount) return judge_results(kind);
    return judge_of_calls(kind);
  }

  std::optional<ClaimRecord> measured_only() const {
    if (tally_.measured == 0) return std::nullopt;
    ClaimRecord record = account_.blank(ClaimKind::kMaxUlp);
    record.probes = tally_.measured;
    record.strength = Strength::kSampled;
    record.space = words_;
    record.measured = measure();
    ClaimAccount::close(record);
    account_.decide(record, false, {});
    return record;
  }

  ClaimRecord judge_results(ClaimKind kind) const {
    const std::size_t row = result_claim_row(kind);
    const ClaimCount& count = tally_.claims[row];
    ClaimRecord record = account_.blank(kind);
    record.probes = count.probes;
    record.violations = count.violations;
    if (count.violations > 0) record.first_violation = count.earliest;
    record.strength = Strength::kSampled;
    record.space = words_;
    if (!rules_.judges(row)) record.why = rules_.not_judged[row];
    if (planned_ > tally_.probes) {
      account_.exclude_missing(record, planned_ - tally_.probes, obstacle());
    }
    ClaimAccount::close(record);
    if (kind == ClaimKind::kMaxUlp) record.measured = measure();
    if (kind == ClaimKind::kAccumulator || kind == ClaimKind::kSelectionExact) {
      record.measured.observations = silences();
    }
    if (kind == ClaimKind::kErrorBound && tally_.unmeasured > 0) {
      record.measured.observations.push_back(
          {"results that the bound does not speak about, since a partial sum may overflow",
           std::to_string(tally_.unmeasured)});
    }
    // A failure elsewhere is another claim's to tell where nothing is missing here.
    account_.decide(record, true, planned_ > tally_.probes ? obstacle() : std::string());
    if (record.verdict == Verdict::kRefuted) {
      record.counterexample = counterexample(kind, count.first);
    }
    return record;
  }

  Counterexample counterexample(ClaimKind kind, const Place& seen) const {
    const KernelVariant& variant = *job_.variants[variant_];
    const Witness* witness = witness_of(kind);
    if (witness != nullptr && witness->reproduced) {
      return result_counterexample(job_, variant, kind, *witness);
    }
    return unverified_counterexample(
        job_, variant, kind, seen,
        witness != nullptr && witness->failure[0] != '\0' ? std::string(witness->failure)
        : witness != nullptr && witness->tried
            ? "not seen again in a fresh process: the kernel does not give the same bits each time"
            : "not verified again: the search for it did not come to its end (the run was stopped, "
              "or the kernel crashed, hung, or took too long in it)");
  }

  const Witness* witness_of(ClaimKind kind) const {
    for (std::size_t r = 0; r < requests_.size(); ++r) {
      if (requests_[r].variant == variant_ && requests_[r].claim == kind) {
        return r < witnesses_.size() ? &witnesses_[r] : nullptr;
      }
    }
    return nullptr;
  }

  Measured measure() const {
    Measured measured;
    if (tally_.measured == 0) return measured;
    measured.max_ulp_distance = tally_.max_distance;
    for (std::size_t i = 0; i < kErrorEdges.size(); ++i) {
      measured.histogram.push_back(
          {i == 0 ? 0 : kErrorEdges[i - 1], kErrorEdges[i], tally_.error_rows[i]});
    }
    if (!job_.operation.is_sum()) return measured;
    measured.max_ulp_error = tally_.ulp.value;
    measured.condition = tally_.ulp.condition;
    measured.max_relative = tally_.relative.value;
    measured.max_absolute = tally_.absolute.value;
    const Place& at = tally_.ulp.at;
    const Case& the_case = job_.cases[at.in_case];
    const Dtype dtype = job_.operation.dtype;
    const Tensors tensors = make_tensors(job_.operation, the_case);
    TruthSource source(job_.operation, the_case.geometry, tensors);
    const Truth truth = source.truth(static_cast<std::size_t>(at.result));
    ArgMax argmax;
    argmax.input_value =
        fmt::format("result {} of case {}: {} products, {}; {}",
                    result_text(the_case.geometry, at.result), at.in_case, truth.products,
                    to_string(the_case.family), describe(job_.operation, the_case.geometry));
    argmax.got = hex(at.got, dtype);
    argmax.got_value = oracle::value_text(at.got, dtype);
    argmax.exact_value =
        fmt::format("{} when it is rounded once", oracle::value_text(truth.exact, dtype));
    measured.argmax = std::move(argmax);
    put_bound_shares(measured);
    if (tally_.unmeasured > 0) {
      measured.observations.push_back({"results not measured, since a partial sum may overflow",
                                       std::to_string(tally_.unmeasured)});
    }
    return measured;
  }

  void put_bound_shares(Measured& measured) const {
    Profile profile{"bound_share",
                    "Largest error as a share of its a-priori bound, by number of products",
                    "products in the sum",
                    "error / bound",
                    true,
                    {"largest"},
                    {}};
    std::uint64_t first = 0;
    for (std::size_t row = 0; row < kTermRows; ++row) {
      const std::uint64_t last = row < 2 ? row : std::uint64_t{1} << (row - 1);
      if (tally_.bound_shares[row] >= 0) {
        profile.rows.push_back(
            {first == last ? std::to_string(first) : fmt::format("{} to {}", first, last),
             static_cast<double>(first),
             static_cast<double>(last),
             {tally_.bound_shares[row]}});
      }
      first = last + 1;
    }
    if (!profile.rows.empty()) measured.profiles.push_back(std::move(profile));
  }

  /// What the kernel does where the contract leaves a choice.
  std::vector<Observation> silences() const {
    const auto of = [](std::uint64_t part, std::uint64_t whole) {
      return fmt::format("{} of {}", part, whole);
    };
    std::vector<Observation> all;
    if (job_.operation.is_sum()) {
      if (tally_.zero_sums > 0) {
        all.push_back({"sums of zero that are -0 (the contract does not say which zero)",
                       of(tally_.negative_zero_sums, tally_.zero_sums)});
      }
      if (!rules_.gaps_skipped && tally_.gap_decides > 0) {
        all.push_back(
            {"NaN where a weight that is infinite or NaN meets padding only (the contract does not "
             "say that padding is skipped: not judged)",
             of(tally_.gap_gives_nan, tally_.gap_decides)});
      }
      if (!rules_.bias_order && tally_.bias_decides > 0) {
        all.push_back(
            {"results that show the bias added last (the contract does not say where it "
             "is added)",
             of(tally_.bias_last, tally_.bias_decides)});
      }
      return all;
    }
    if (tally_.only_nans > 0) {
      all.push_back(
          {"windows of NaNs only that give a NaN, the others giving -infinity (the "
           "contract does not say)",
           of(tally_.only_nans_give_nan, tally_.only_nans)});
    }
    if (tally_.both_zeros > 0) {
      all.push_back(
          {"windows whose greatest are zeros of both signs that give -0 (the contract "
           "does not say which)",
           of(tally_.both_zeros_give_negative, tally_.both_zeros)});
    }
    return all;
  }

  ClaimRecord judge_bitwise(bool declared) const {
    ClaimRecord record = account_.blank(ClaimKind::kBitwise);
    record.strength = Strength::kSampled;
    const std::string& reference = job_.variants[reference_]->name;
    Bitwise bitwise;
    if (job_.variants.size() < 2) {
      record.why = "only one variant ran, so there is nothing to compare it with";
    } else if (variant_ != reference_) {
      bitwise = compare(job_, found_, variant_, reference_);
      record.space = fmt::format("results equal to those of {}: {}", reference, words_);
    } else {
      // Its claim is about all the others; that one of them differs is that one's finding.
      bool first = true;
      for (std::size_t other = 0; other < job_.variants.size(); ++other) {
        if (other == reference_) continue;
        const Bitwise with = compare(job_, found_, other, reference_);
        if (first || with.probes < bitwise.probes) bitwise = with;
        first = false;
      }
      bitwise.differing = 0;
      bitwise.cases.clear();
      record.space =
          fmt::format("the others are compared with this variant, at least over: {}", words_);
    }
    const Witness* witness = witness_of(ClaimKind::kBitwise);
    record.probes = bitwise.probes;
    // Digests tell which cases differ; the search for a witness has counted the results.
    const bool counted = bitwise.differing > 0 && witness != nullptr && witness->differing > 0;
    record.violations = counted ? witness->differing : bitwise.differing;
    account_.exclude_missing(record, bitwise.planned - bitwise.probes, obstacle());
    ClaimAccount::close(record);
    account_.decide(record, declared,
                    bitwise.planned > bitwise.probes ? obstacle() : std::string());
    if (bitwise.differing == 0) return record;
    record.space = fmt::format("results differ from those of {}: {}", reference, words_);
    if (witness != nullptr && witness->reproduced) {
      record.counterexample = result_counterexample(
          job_, *job_.variants[variant_], ClaimKind::kBitwise, *witness, job_.variants[reference_]);
    } else if (record.verdict == Verdict::kRefuted) {
      record.why =
          "the digests differ, but no differing result was found again: the kernel does not give "
          "the same bits each time";
    }
    return record;
  }

  ClaimRecord judge_of_calls(ClaimKind kind) const {
    static const std::vector<ClaimKind> kinds = kinds_of(call_rows());
    CallEvidence<CallExample> evidence{kinds, mine().calls, mine().call_states,
                                       mine().call_failures, mine().hang};
    evidence.sweep_calls = tally_.calls;
    evidence.sweep_environment_changes = tally_.environment_changes;
    evidence.sweep_environment_change = tally_.environment_change;
    evidence.sweep_input_changes = tally_.input_changes;
    auto [record, example, shown_by] = judge_calls(account_, kind, evidence);
    if (record.verdict == Verdict::kRefuted) {
      record.counterexample =
          call_counterexample(job_, *job_.variants[variant_], kind, example, shown_by);
    }
    return record;
  }

  const Job& job_;
  const Found& found_;
  const std::vector<WitnessRequest>& requests_;
  const std::vector<Witness>& witnesses_;
  Rules rules_;
  ClaimAccount account_;
  std::uint64_t planned_ = 0;  ///< results of all cases and pairs
  std::string words_;
  std::size_t reference_;  ///< the variant that the others are compared with
  std::size_t variant_ = 0;
  SweepTally tally_;
};

}  // namespace

std::vector<WitnessRequest> witness_requests(const Job& job, const Found& found) {
  std::vector<WitnessRequest> requests;
  const auto reference = static_cast<std::uint32_t>(bitwise_reference(job, found));
  for (std::uint32_t v = 0; v < job.variants.size(); ++v) {
    const SweepTally total = total_of(found.variants[v]);
    for (std::size_t row = 0; row < kResultClaimCount; ++row) {
      if (total.claims[row].violations == 0) continue;
      requests.push_back({v, kResultClaims[row], total.claims[row].first, {}});
    }
    if (v == reference) continue;
    const Bitwise bitwise = compare(job, found, v, reference);
    if (bitwise.differing > 0) {
      requests.push_back(
          {v, ClaimKind::kBitwise, {bitwise.first, 0, 0, 0}, bitwise.cases, reference});
    }
  }
  return requests;
}

KernelRecord judge(const Job& job, const Found& found, const std::vector<WitnessRequest>& requests,
                   const std::vector<Witness>& witnesses, const std::string& unfinished) {
  KernelRecord record = kernel_record(*job.contract);
  record.kernel = job.kernel_name;
  record.entry_point = job.entry_point;
  if (!job.variants.empty()) record.library = job.variants.front()->library;
  record.not_run = job.not_run;
  if (!job.not_run.empty()) return record;
  JobJudge judge(job, found, requests, witnesses, unfinished);
  for (std::size_t v = 0; v < job.variants.size(); ++v) record.variants.push_back(judge.variant(v));
  return record;
}

}  // namespace assay::window
