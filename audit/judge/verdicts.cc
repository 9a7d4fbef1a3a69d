#include "audit/judge/verdicts.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/judge/call_verdict.h"
#include "audit/judge/claim_account.h"
#include "audit/judge/evidence.h"
#include "audit/judge/explanation.h"
#include "contracts/measure.h"
#include "oracles/cast_exact.h"

namespace assay {

namespace {

/// How two variants' outputs compare, chunk by chunk.
struct Bitwise {
  std::uint64_t probes = 0;
  std::uint64_t planned = 0;
  std::uint64_t differing_chunks = 0;
  std::uint64_t differing_probes = 0;  ///< of those chunks
  std::uint32_t space = 0;
  std::uint64_t chunk = 0;  ///< the first differing one
  Strength strength = Strength::kNone;
  std::string words;
};

Bitwise compare_digests(const Job& job, const JobResult& result, std::size_t variant,
                        std::size_t reference_variant) {
  Bitwise bitwise;
  bool boundaries = false;
  bool specials = false;
  for (std::size_t s = 0; s < job.spaces.size(); ++s) {
    const SpaceResult& mine = result.variants[variant].spaces[s];
    const SpaceResult& reference = result.variants[reference_variant].spaces[s];
    if (!mine.assigned || !reference.assigned) continue;
    bool complete = true;
    std::uint64_t ran = 0;
    for (std::uint64_t c = 0; c < mine.chunks.size(); ++c) {
      const auto usable = [](const ChunkResult& chunk) {
        return chunk.state == UnitState::kDone && chunk.tally.fault == CallFault::kNone;
      };
      bitwise.planned += job.spaces[s]->probes(c);
      if (!usable(mine.chunks[c]) || !usable(reference.chunks[c])) {
        complete = false;
        continue;
      }
      ran += mine.chunks[c].tally.probes;
      if (mine.chunks[c].tally.digest == reference.chunks[c].tally.digest) continue;
      if (bitwise.differing_chunks++ == 0) {
        bitwise.space = static_cast<std::uint32_t>(s);
        bitwise.chunk = c;
      }
      bitwise.differing_probes += mine.chunks[c].tally.probes;
    }
    bitwise.probes += ran;
    if (ran == 0) continue;
    const Strength strength = job.spaces[s]->strength();
    boundaries = boundaries || (complete && strength == Strength::kBoundaryComplete);
    specials = specials || (complete && job.spaces[s]->name() == "special values");
    bitwise.strength = std::max(bitwise.strength, complete && strength == Strength::kExhaustive
                                                      ? Strength::kExhaustive
                                                      : Strength::kSampled);
    if (complete) bitwise.words += (bitwise.words.empty() ? "" : "; ") + job.spaces[s]->words();
  }
  if (boundaries && specials) {
    bitwise.strength = std::max(bitwise.strength, Strength::kBoundaryComplete);
  }
  return bitwise;
}

/// What is known of a variant: its comparison with the first one. Of the first, the weakest of the
/// others' comparisons with it that ran at all, since its claim is about all of them.
Bitwise compare_variant(const Job& job, const JobResult& result, std::size_t variant) {
  if (variant != 0) return compare_digests(job, result, variant, 0);
  Bitwise weakest;
  for (std::size_t other = 1; other < job.variants.size(); ++other) {
    Bitwise bitwise = compare_digests(job, result, other, 0);
    if (bitwise.probes == 0) continue;
    const bool weaker = bitwise.strength < weakest.strength ||
                        (bitwise.strength == weakest.strength && bitwise.probes < weakest.probes);
    if (weakest.probes == 0 || weaker) weakest = std::move(bitwise);
  }
  // That others differ from the first is their finding.
  weakest.differing_chunks = weakest.differing_probes = 0;
  return weakest;
}

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
        account_(*job.contract, unfinished) {}

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
    for (ClaimRecord& claim : record.claims) {
      const ClaimKind kind = *claim_kind_from_id(claim.id);
      const bool of_results =
          static_cast<std::size_t>(kind) < kElementClaims || kind == ClaimKind::kBitwise;
      put_token_of_claim(claim, token_again(job_, *job_.variants[variant_], kind,
                                            of_results ? Again::kSweeps : Again::kAll));
    }
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
    account_.exclude_missing(record, evidence_.planned - evidence_.probes - partial.count,
                             obstacle());
    record.violations = violations.count;
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
            "are shown";
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
    const Bitwise bitwise = compare_variant(job_, result_, variant_);
    record.strength = bitwise.strength;
    const std::string& reference = job_.variants[0]->name;
    if (job_.variants.size() > 1) {
      record.probes = bitwise.probes;
      record.violations = bitwise.differing_probes;
      record.space =
          fmt::format("{}{}",
                      variant_ == 0 ? "the others are compared with this variant, at least over: "
                                    : "digests equal to those of " + reference + ": ",
                      bitwise.words);
      account_.exclude_missing(record, bitwise.planned - bitwise.probes, obstacle());
    } else {
      record.why = "only one variant ran, so there is nothing to compare it with";
    }
    for (const SpaceDigest& digest : evidence_.digests) {
      record.measured.observations.push_back({"digest over " + digest.words, digest.text()});
    }
    ClaimAccount::close(record);
    account_.decide(record, declared, obstacle());
    if (bitwise.differing_chunks > 0) {
      const Witness* witness = witness_of(ClaimKind::kBitwise);
      record.space = fmt::format("outputs differ from those of {} in {} chunk(s)", reference,
                                 bitwise.differing_chunks);
      if (witness != nullptr && witness->reproduced) {
        const std::vector<Bits> inputs(witness->inputs, witness->inputs + witness->elements);
        record.counterexample =
            element_counterexample(job_, *job_.variants[variant_], ClaimKind::kBitwise, inputs,
                                   witness->position, witness->got, witness->expected);
        record.counterexample->why =
            fmt::format("{} gives {} where {} gives {}", job_.variants[variant_]->name,
                        hex(witness->got, job_.oracle->operation().to), reference,
                        hex(witness->expected, job_.oracle->operation().to));
      } else if (record.verdict == Verdict::kRefuted) {
        record.why =
            "the digests differ, but no differing element was found again: the kernel does "
            "not give the same bits each time";
      }
    }
    return record;
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
  std::size_t variant_ = 0;
  Evidence evidence_;
};

}  // namespace

std::vector<WitnessRequest> witness_requests(const std::vector<Job>& jobs,
                                             const DriveResult& results) {
  std::vector<WitnessRequest> requests;
  for (std::uint32_t j = 0; j < jobs.size(); ++j) {
    const Job& job = jobs[j];
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
      const Bitwise bitwise = compare_variant(job, results.jobs[j], v);
      if (bitwise.differing_chunks > 0) {
        WitnessRequest request{j, v, ClaimKind::kBitwise, {}};
        request.seen.space = bitwise.space;
        request.seen.chunk = bitwise.chunk;
        requests.push_back(request);
      }
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
