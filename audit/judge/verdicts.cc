#include "audit/judge/verdicts.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/judge/bitwise.h"
#include "audit/judge/call_verdict.h"
#include "audit/judge/claim_account.h"
#include "audit/judge/evidence.h"
#include "audit/judge/explanation.h"
#include "audit/judge/reference_variant.h"
#include "contracts/measure.h"
#include "oracles/cast_exact.h"

namespace assay {

namespace {

class JobJudge {
 public:
  JobJudge(const Job& job, std::uint32_t job_index, const JobResult& result,
           const std::vector<WitnessRequest>& requests, const std::vector<Witness>& witnesses,
           const std::string& unfinished)
      : job_(job),
        job_index_(job_index),
        result_(result),
        requests_(requests),
        witnesses_(witnesses),
        account_(*job.contract, unfinished),
        reference_(bitwise_reference(job, result)) {}

  VariantRecord variant(std::size_t v) {
    variant_ = v;
    evidence_ = add_up(job_, result_, v);
    VariantRecord record;
    record.name = job_.variants[v]->name;
    record.digest = evidence_.digest;
    record.digest_space = evidence_.digest_space;
    record.probes = evidence_.tally.probes;
    record.seconds = evidence_.tally.seconds;
    if (record.seconds > 0) {
      record.probes_per_second = static_cast<double>(record.probes) / record.seconds;
    }
    for (const ClaimRow& claim : kClaims) {
      std::optional<ClaimRecord> judged = judge_claim(claim.kind);
      if (const Claim* disputed = job_.contract->disputed_claim(claim.kind)) {
        judged = account_.left_open(*disputed, std::move(judged));
      }
      if (judged) record.claims.push_back(std::move(*judged));
    }
    show_where_claims_break(record);
    add_unstable_sweeps(record);
    for (const StructureTally& tally : result_.variants[v].structure) {
      record.probes += tally.probes;
    }
    account_for_failure(record, obstacle());
    put_tokens(record);
    return record;
  }

 private:
  const VariantResult& found() const { return result_.variants[variant_]; }

  /// For claims that have no counterexample with a token.
  void put_tokens(VariantRecord& record) const {
    const KernelVariant* compared = compared_with(job_.variants, variant_, reference_);
    for (ClaimRecord& claim : record.claims) {
      const ClaimKind kind = *claim_kind_from_id(claim.id);
      const bool of_results =
          static_cast<std::size_t>(kind) < kElementClaims || kind == ClaimKind::kBitwise;
      put_token_of_claim(claim, token_again(job_, *job_.variants[variant_], kind,
                                            of_results ? Again::kSweeps : Again::kAll, compared));
    }
  }

  /// A call of a sweep that gave other bits when it was made again is evidence against
  /// `bit_stable`, whether or not the calls that judge that claim show it.
  void add_unstable_sweeps(VariantRecord& record) const {
    for (std::size_t r = 0; r < requests_.size() && r < witnesses_.size(); ++r) {
      const WitnessRequest& request = requests_[r];
      const Witness& witness = witnesses_[r];
      const bool mine = request.job == job_index_ && request.variant == variant_;
      if (!mine || request.claim == ClaimKind::kBitwise || !witness.other_bits) continue;
      for (ClaimRecord& claim : record.claims) {
        if (claim.id != row(ClaimKind::kBitStable).id || claim.verdict != Verdict::kUpheld)
          continue;
        ++claim.probes;
        ++claim.violations;
        ++claim.planned;
        claim.verdict = Verdict::kRefuted;
        claim.counterexample = structure_counterexample(
            job_, *job_.variants[variant_], ClaimKind::kBitStable,
            unstable_example(request.seen, witness.got_again), Again::kSweeps);
        return;
      }
    }
  }

  StructureExample unstable_example(const Violations& seen, Bits again) const {
    const auto& [from, to, rounding] = job_.oracle->operation();
    StructureExample example;
    example.elements = 1;
    example.input[0] = seen.input;
    example.has_values = true;
    example.got = seen.got;
    example.expected = again;
    put(example.circumstances,
        fmt::format("element {} of block {} of chunk {} of the sweep over {}", seen.position,
                    seen.block, seen.chunk, job_.spaces[seen.space]->name()));
    put(example.why,
        fmt::format("{} gave {} in the sweep, and {} when the same block was converted "
                    "again in another process",
                    hex(seen.input, from), hex(seen.got, to), hex(again, to)));
    return example;
  }

  /// Once for all claims about single results: with the first of them that is refuted.
  void show_where_claims_break(VariantRecord& record) const {
    Profile profile = evidence_.deviations.violations(job_.cells->axis());
    if (profile.rows.empty()) return;
    for (std::size_t i = 0; i < kElementClaims; ++i) {
      for (ClaimRecord& claim : record.claims) {
        if (claim.id != kClaims[i].id || claim.verdict != Verdict::kRefuted) continue;
        claim.measured.profiles.push_back(std::move(profile));
        return;
      }
    }
  }

  std::optional<ClaimRecord> judge_claim(ClaimKind kind) const {
    const bool declared = job_.contract->claim(kind) != nullptr;
    if (static_cast<std::size_t>(kind) < kElementClaims) return judge_elements(kind, declared);
    if (kind == ClaimKind::kBitwise) return judge_bitwise(declared);
    // What the contract does not declare of a call's structure is not measured either.
    if (!declared) return std::nullopt;
    return judge_structure(kind);
  }

  /// What stands in the way of a verdict on single results.
  std::string obstacle() const {
    if (!result_.count_failure.empty()) return result_.count_failure;
    if (!found().failure.empty()) return found().failure;
    if (!found().hang.empty()) return found().hang;
    if (evidence_.tally.fault != CallFault::kNone) return evidence_.tally.fault_text;
    return {};
  }

  std::optional<ClaimRecord> judge_elements(ClaimKind kind, bool declared) const {
    const bool recorded_only =
        (kind == ClaimKind::kOverflow && job_.rules->overflow == OverflowRule::kCallerError) ||
        (kind == ClaimKind::kNan && job_.rules->nan == NanRule::kCallerError);
    const bool bound = kind <= ClaimKind::kMaxAbsolute || kind == ClaimKind::kDomainExact;
    if (!declared && bound) return std::nullopt;  // measured with the rounding
    // Integers have one zero.
    const auto& [from, to, rounding] = job_.oracle->operation();
    const bool signed_zeros = traits(from).is_floating() && traits(to).is_floating();
    if (!declared && kind == ClaimKind::kSignedZero && !signed_zeros) return std::nullopt;
    const std::uint64_t in_scope_probes = scope_probes(evidence_.census, *job_.cells, kind);
    const std::uint64_t outside = caller_error_probes(evidence_.census, *job_.cells, kind);
    if (!declared && in_scope_probes == 0) return std::nullopt;

    ClaimRecord record = account_.blank(kind);
    record.probes = in_scope_probes;
    record.strength = evidence_.strength;
    record.space = evidence_.space_words();
    if (outside > 0) record.excluded.push_back({kOutsideDomain, outside});
    Violations violations = evidence_.tally.violations[static_cast<std::size_t>(kind)];
    // Violations in a part of a chunk: their probes did run, whatever became of the others.
    const Violations& partial = evidence_.partial[static_cast<std::size_t>(kind)];
    violations.add(partial);
    record.probes += partial.count;
    // An infinity where a finite result is due is a probe of where infinities begin.
    if (kind == ClaimKind::kOverflow) record.probes += evidence_.tally.infinite_too_early;
    account_.exclude_missing(record, evidence_.planned - evidence_.probes - partial.count,
                             obstacle());
    record.violations = violations.count;
    if (violations.count > 0) record.first_violation = violations.first;
    if (kind == ClaimKind::kDomainExact) {
      record.violations += evidence_.census.inexact_in_exact_domain;
    }
    ClaimAccount::close(record);

    switch (kind) {
      case ClaimKind::kMaxUlp:
      case ClaimKind::kMaxRelative:
      case ClaimKind::kMaxAbsolute:
        record.measured = measure_numbers(job_, evidence_);
        record.measured.histogram.clear();  // shown once, with the rounding
        record.measured.profiles.clear();
        break;
      case ClaimKind::kRounding:
        record.measured = measure_numbers(job_, evidence_);
        break;
      case ClaimKind::kNan:
        record.measured = measure_nans(job_, evidence_);
        break;
      default:
        break;
    }
    if (recorded_only) {
      record.measured = measure_caller_errors(job_, evidence_);
      record.why = "the contract makes such inputs the caller's error: recorded, never judged";
    }
    account_.decide(record, declared && !recorded_only, obstacle());
    if (record.verdict == Verdict::kRefuted) add_counterexample(record, kind, violations);
    return record;
  }

  void add_counterexample(ClaimRecord& record, ClaimKind kind, const Violations& violations) const {
    if (violations.count == 0) {  // the claim is false of any kernel
      const Bits input = evidence_.census.inexact_input;
      record.counterexample = inexact_counterexample(job_, *job_.variants[variant_], input,
                                                     job_.oracle->expect_one(input));
      return;
    }
    const Witness* witness = witness_of(kind);
    if (witness != nullptr && witness->reproduced) {
      const std::vector<Bits> inputs(witness->inputs, witness->inputs + witness->elements);
      record.counterexample =
          element_counterexample(job_, *job_.variants[variant_], kind, inputs, witness->position,
                                 witness->got, witness->expected);
      if (witness->elements > 64) {
        record.counterexample->params.push_back({"elements", std::to_string(witness->elements)});
        record.counterexample->why +=
            "; seen only in a tensor of this many elements, whose first 64 "
            "are recorded";
      }
      return;
    }
    record.counterexample =
        element_counterexample(job_, *job_.variants[variant_], kind, {violations.input}, 0,
                               violations.got, violations.expected);
    record.counterexample->params.push_back({"block", std::to_string(violations.block)});
    record.counterexample->params.push_back({"chunk", std::to_string(violations.chunk)});
    record.counterexample->params.push_back({"space", job_.spaces[violations.space]->name()});
    // One call alone does not show it.
    put_token(*record.counterexample,
              token_again(job_, *job_.variants[variant_], kind, Again::kSweeps));
    record.counterexample->why +=
        witness != nullptr && witness->tried
            ? "; not seen again in a fresh process, not even over the whole block: the kernel does "
              "not give the same bits each time"
            : "; not verified again: the search for it did not come to its end (the run was "
              "stopped, or the kernel crashed, hung, or took too long in it)";
  }

  const Witness* witness_of(ClaimKind kind) const {
    for (std::size_t r = 0; r < requests_.size(); ++r) {
      const WitnessRequest& request = requests_[r];
      if (request.job == job_index_ && request.variant == variant_ && request.claim == kind) {
        return r < witnesses_.size() ? &witnesses_[r] : nullptr;
      }
    }
    return nullptr;
  }

  ClaimRecord judge_bitwise(bool declared) const {
    ClaimRecord record = account_.blank(ClaimKind::kBitwise);
    const Bitwise bitwise = compare_variant(job_, result_, variant_, reference_);
    const Witness* witness = witness_of(ClaimKind::kBitwise);
    record.strength = bitwise.strength;
    const std::string& reference = job_.variants[reference_]->name;
    if (job_.variants.size() > 1) {
      record.probes = bitwise.probes;
      record.space = fmt::format("{}{}",
                                 variant_ == reference_
                                     ? "the others are compared with this variant, at least over: "
                                     : "digests equal to those of " + reference + ": ",
                                 bitwise.words);
      account_.exclude_missing(record, bitwise.planned - bitwise.probes, obstacle());
    } else {
      record.why = "only one variant ran, so there is nothing to compare it with";
    }
    count_differing(record, bitwise, witness);
    for (const SpaceDigest& digest : evidence_.digests) {
      record.measured.observations.push_back({"digest over " + digest.words, digest.text()});
    }
    ClaimAccount::close(record);
    account_.decide(record, declared, obstacle());
    if (bitwise.differing.empty()) return record;
    record.space = fmt::format("outputs differ from those of {} in {} chunk(s)", reference,
                               bitwise.differing.size());
    if (witness != nullptr && witness->reproduced) {
      const std::vector<Bits> inputs(witness->inputs, witness->inputs + witness->elements);
      record.counterexample = element_counterexample(
          job_, *job_.variants[variant_], ClaimKind::kBitwise, inputs, witness->position,
          witness->got, witness->expected, job_.variants[reference_]);
      record.counterexample->why =
          fmt::format("{} gives {} where {} gives {}", job_.variants[variant_]->name,
                      hex(witness->got, job_.oracle->operation().to), reference,
                      hex(witness->expected, job_.oracle->operation().to));
    } else if (record.verdict == Verdict::kRefuted) {
      record.why =
          "the digests differ, but no differing element was found again: the kernel does "
          "not give the same bits each time";
    }
    return record;
  }

  /// Digests tell which chunks differ. How many probes do follows from the comparisons with the
  /// oracle, or the search for a witness has counted them.
  static void count_differing(ClaimRecord& record, const Bitwise& bitwise, const Witness* witness) {
    record.violations = bitwise.differing_probes;
    if (bitwise.uncounted.empty()) return;
    if (witness != nullptr && witness->counted) {
      record.violations += witness->differing;
      return;
    }
    record.violations += bitwise.least_differing;
    record.measured.observations.push_back(
        {"results that differ", "at least those counted; the count did not come to its end"});
  }

  ClaimRecord judge_structure(ClaimKind kind) const {
    static const std::vector<ClaimKind> kinds = kinds_of(structure_rows());
    CallEvidence<StructureExample> evidence{kinds, found().structure, found().structure_states,
                                            found().structure_failures, found().hang};
    evidence.sweep_calls = evidence_.tally.calls;
    evidence.sweep_environment_changes = evidence_.tally.environment_changes;
    evidence.sweep_environment_change = evidence_.tally.environment_change;
    auto [record, example, shown_by] = judge_calls(account_, kind, evidence);
    if (record.verdict == Verdict::kRefuted) {
      record.counterexample =
          structure_counterexample(job_, *job_.variants[variant_], kind, example, shown_by);
    }
    return record;
  }

  const Job& job_;
  std::uint32_t job_index_;
  const JobResult& result_;
  const std::vector<WitnessRequest>& requests_;
  const std::vector<Witness>& witnesses_;
  ClaimAccount account_;
  std::size_t reference_;  ///< the variant that the others are compared with
  std::size_t variant_ = 0;
  Evidence evidence_;
};

}  // namespace

std::vector<WitnessRequest> witness_requests(const std::vector<Job>& jobs,
                                             const DriveResult& results) {
  std::vector<WitnessRequest> requests;
  for (std::uint32_t j = 0; j < jobs.size(); ++j) {
    const Job& job = jobs[j];
    if (!job.not_run.empty()) continue;
    const auto reference = static_cast<std::uint32_t>(bitwise_reference(job, results.jobs[j]));
    for (std::uint32_t v = 0; v < job.variants.size(); ++v) {
      SweepTally total;
      for (const SpaceResult& space : results.jobs[j].variants[v].spaces) {
        for (const ChunkResult& chunk : space.chunks) {
          if (chunk.state == UnitState::kDone) total.merge(chunk.tally);
        }
      }
      for (std::size_t k = 0; k < kElementClaims; ++k) {
        if (!job.rules->declared[k] || total.violations[k].count == 0) continue;
        requests.push_back({j, v, static_cast<ClaimKind>(k), total.violations[k]});
      }
      const Bitwise bitwise = compare_variant(job, results.jobs[j], v, reference);
      if (bitwise.differing.empty()) continue;
      WitnessRequest request{j, v, ClaimKind::kBitwise, {}, reference, bitwise.uncounted};
      request.seen.space = bitwise.differing.front().space;
      request.seen.chunk = bitwise.differing.front().chunk;
      requests.push_back(std::move(request));
    }
  }
  return requests;
}

KernelRecord judge(const Job& job, std::uint32_t job_index, const JobResult& result,
                   const std::vector<WitnessRequest>& requests,
                   const std::vector<Witness>& witnesses, const std::string& unfinished) {
  KernelRecord record = kernel_record(*job.contract);
  if (!job.variants.empty()) record.library = job.variants.front()->library;
  record.not_run = job.not_run;
  if (!job.not_run.empty()) return record;
  JobJudge judge(job, job_index, result, requests, witnesses, unfinished);
  for (std::size_t v = 0; v < job.variants.size(); ++v) record.variants.push_back(judge.variant(v));
  return record;
}

}  // namespace assay
