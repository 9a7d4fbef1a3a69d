#include "audit/judge/verdicts.h"

#include <fmt/format.h>

#include <algorithm>

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
        unfinished_(unfinished) {}

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
      if (judged) record.claims.push_back(std::move(*judged));
    }
    for (const StructureTally& tally : result_.variants[v].structure) {
      record.probes += tally.probes;
    }
    account_for_sweep_failure(record);
    return record;
  }

 private:
  const VariantResult& found() const { return result_.variants[variant_]; }

  ClaimRecord blank(ClaimKind kind) const {
    ClaimRecord record;
    record.id = row(kind).id;
    record.statement = row(kind).statement;
    const Claim* claim = job_.contract->claim(kind);
    if (claim != nullptr) {
      record.declared = claim->declared;
      record.source = claim->source;
    } else {
      record.source.file = job_.contract->file;
      record.source.line = job_.contract->line;
      record.source.kind = SourceKind::kImplied;
      record.source.text = "not declared; measured only";
    }
    return record;
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

  /// A sweep that crashed or could not be made must not end in nothing but upheld claims: where no
  /// declared claim on single results carries the error, or where memory was accessed that must not
  /// be, `in_bounds` does, which every kernel owes.
  void account_for_sweep_failure(VariantRecord& record) const {
    const std::string why = obstacle();
    if (why.empty()) return;
    const bool memory =
        why.find("SIGSEGV") != std::string::npos || why.find("SIGBUS") != std::string::npos;
    const bool carried =
        std::any_of(record.claims.begin(), record.claims.end(),
                    [](const ClaimRecord& claim) { return claim.verdict == Verdict::kError; });
    if (carried && !memory) return;
    for (ClaimRecord& claim : record.claims) {
      if (claim.id != row(ClaimKind::kInBounds).id || claim.verdict != Verdict::kUpheld) continue;
      claim.verdict = Verdict::kError;
      claim.why = "a call of the sweeps failed: " + why;
    }
  }

  /// Closes the account of probes: what was planned and not run, and why.
  void exclude_missing(ClaimRecord& record, std::uint64_t missing, std::string reason) const {
    if (missing == 0) return;
    if (reason.empty()) reason = unfinished_.empty() ? "not run" : unfinished_;
    record.excluded.push_back({reason, missing});
  }

  void close(ClaimRecord& record) const {
    record.planned = record.probes;
    for (const Exclusion& exclusion : record.excluded) record.planned += exclusion.probes;
  }

  void decide(ClaimRecord& record, bool declared, const std::string& why_not) const {
    if (!declared) {
      record.verdict = Verdict::kUnclaimed;
    } else if (record.violations > 0) {
      record.verdict = Verdict::kRefuted;
    } else if (!why_not.empty()) {
      record.verdict = Verdict::kError;
      record.why = why_not;
    } else if (record.probes == 0) {
      record.verdict = Verdict::kUndecided;
      if (record.why.empty()) {
        record.why =
            unfinished_.empty() ? "nothing that bears on the claim was tested" : unfinished_;
      }
    } else {
      record.verdict = Verdict::kUpheld;
    }
    if (record.probes == 0) record.strength = Strength::kNone;
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

    ClaimRecord record = blank(kind);
    record.probes = in_scope_probes;
    record.strength = evidence_.strength;
    record.space = evidence_.space_words();
    if (outside > 0) record.excluded.push_back({"outside the contract's domain", outside});
    Violations violations = evidence_.tally.violations[static_cast<std::size_t>(kind)];
    // Violations in a part of a chunk: their probes did run, whatever became of the others.
    const Violations& partial = evidence_.partial[static_cast<std::size_t>(kind)];
    violations.add(partial);
    record.probes += partial.count;
    exclude_missing(record, evidence_.planned - evidence_.probes - partial.count, obstacle());
    record.violations = violations.count;
    if (kind == ClaimKind::kDomainExact) {
      record.violations += evidence_.census.inexact_in_exact_domain;
    }
    close(record);

    switch (kind) {
      case ClaimKind::kMaxUlp:
      case ClaimKind::kMaxRelative:
      case ClaimKind::kMaxAbsolute:
        record.measured = measure_numbers(job_, evidence_);
        record.measured.histogram.clear();  // shown once, with the rounding
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
    decide(record, declared && !recorded_only, obstacle());
    if (record.verdict == Verdict::kRefuted) add_counterexample(record, kind, violations);
    return record;
  }

  void add_counterexample(ClaimRecord& record, ClaimKind kind, const Violations& violations) const {
    if (violations.count == 0) {  // the claim is false of any kernel
      const Bits input = evidence_.census.inexact_input;
      const Bits nearest = job_.oracle->expect_one(input);
      record.counterexample = element_counterexample(job_, *job_.variants[variant_], kind, {input},
                                                     0, nearest, nearest);
      record.counterexample->why =
          "the exact value of this input is not a value of the output format, so no kernel can be "
          "exact here: " +
          record.counterexample->why;
      return;
    }
    const Witness* witness = witness_of(kind);
    if (witness != nullptr && witness->reproduced) {
      const std::vector<Bits> inputs(
          witness->inputs, witness->inputs + std::min<std::uint32_t>(witness->elements, 64));
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
    ClaimRecord record = blank(ClaimKind::kBitwise);
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
      exclude_missing(record, bitwise.planned - bitwise.probes, obstacle());
    } else {
      record.why = "only one variant ran, so there is nothing to compare it with";
    }
    for (const SpaceDigest& digest : evidence_.digests) {
      record.measured.observations.push_back({"digest over " + digest.words, digest.text()});
    }
    close(record);
    decide(record, declared, obstacle());
    if (bitwise.differing_chunks > 0) {
      const Witness* witness = witness_of(ClaimKind::kBitwise);
      record.space = fmt::format("outputs differ from those of {} in {} chunk(s)", reference,
                                 bitwise.differing_chunks);
      if (witness != nullptr && witness->reproduced) {
        const std::vector<Bits> inputs(
            witness->inputs, witness->inputs + std::min<std::uint32_t>(witness->elements, 64));
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

  /// Counts what the calls made to judge any claim show against this one; the first such call, or
  /// nullptr.
  const StructureExample* count_everywhere(Sightings StructureTally::*what,
                                           ClaimRecord& record) const {
    const StructureExample* first = nullptr;
    for (const StructureTally& tally : found().structure) {
      const Sightings& seen = tally.*what;
      record.violations += seen.count;
      record.probes += seen.count;
      if (first == nullptr && seen.count > 0) first = &seen.first;
    }
    return first;
  }

  ClaimRecord judge_structure(ClaimKind kind) const {
    ClaimRecord record = blank(kind);
    std::size_t index = 0;
    while (index < structure_rows().size() && structure_rows()[index].kind != kind) ++index;
    if (index == structure_rows().size()) {
      record.why = "nothing here judges this claim";
      decide(record, true, {});
      return record;
    }
    const StructureTally& tally = found().structure[index];
    const UnitState state = found().structure_states[index];
    record.strength = Strength::kSampled;
    record.probes = tally.probes;
    record.violations = tally.violations;
    record.space = tally.space;
    record.why = tally.undecidable;
    std::string why_not = found().structure_failures[index];
    if (why_not.empty() && state == UnitState::kSkipped) why_not = found().hang;
    if (why_not.empty() && tally.fault != CallFault::kNone) why_not = tally.fault_text;
    std::uint64_t missing = tally.planned > tally.probes ? tally.planned - tally.probes : 0;
    if (missing > 0 && tally.instabilities.count > 0) {
      const std::uint64_t unstable_calls = std::min(missing, tally.instabilities.count);
      record.excluded.push_back(
          {"the kernel gave other bits in the very same call made again", unstable_calls});
      missing -= unstable_calls;
    }
    exclude_missing(record, missing, why_not);
    if (tally.observation[0] != '\0') {
      record.measured.observations.push_back({"information", tally.observation});
    }
    if (kind == ClaimKind::kFpEnvironmentKept) {
      record.probes += evidence_.tally.calls;
      record.violations += evidence_.tally.environment_changes;
      for (const StructureTally& other : found().structure) {
        record.probes += other.calls;
        record.violations += other.environment_changes;
      }
    }
    const StructureExample* elsewhere = nullptr;
    if (kind == ClaimKind::kBitStable) {
      elsewhere = count_everywhere(&StructureTally::instabilities, record);
    } else if (kind == ClaimKind::kInputsUnmodified) {
      elsewhere = count_everywhere(&StructureTally::input_changes, record);
    }
    close(record);
    decide(record, true, why_not);
    if (record.verdict == Verdict::kUpheld && state != UnitState::kDone) {
      record.verdict = Verdict::kUndecided;
      record.why = unfinished_.empty() ? "the check did not run" : unfinished_;
    }
    if (record.verdict != Verdict::kRefuted) return record;
    if (tally.has_example || elsewhere != nullptr) {
      record.counterexample = structure_counterexample(
          job_, *job_.variants[variant_], kind, tally.has_example ? tally.example : *elsewhere);
    } else {
      StructureExample environment;
      put(environment.why, evidence_.tally.environment_change);
      put(environment.circumstances, "a call of a sweep");
      for (std::size_t i = 0; environment.why[0] == '\0' && i < structure_rows().size(); ++i) {
        put(environment.why, found().structure[i].environment_change);
        put(environment.circumstances,
            fmt::format("a call made to judge {}", row(structure_rows()[i].kind).id));
      }
      record.counterexample =
          structure_counterexample(job_, *job_.variants[variant_], kind, environment);
    }
    return record;
  }

  const Job& job_;
  std::uint32_t job_index_;
  const JobResult& result_;
  const std::vector<WitnessRequest>& requests_;
  const std::vector<Witness>& witnesses_;
  const std::string& unfinished_;
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
  KernelRecord record;
  record.kernel = job.contract->kernel;
  record.entry_point = job.contract->entry_point.value;
  if (!job.variants.empty()) record.library = job.variants.front()->library;
  record.op_kind = job.contract->op_kind;
  record.file = job.contract->file;
  record.line = job.contract->line;
  record.revision_hash = job.contract->revision_hash;
  record.registrable = job.contract->registrable;
  record.not_run = job.not_run;
  if (!job.not_run.empty()) return record;
  JobJudge judge(job, job_index, result, requests, witnesses, unfinished);
  for (std::size_t v = 0; v < job.variants.size(); ++v) record.variants.push_back(judge.variant(v));
  return record;
}

}  // namespace assay
