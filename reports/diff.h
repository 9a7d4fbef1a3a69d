// What got worse and what got better between two reports, as values.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/run_record.h"

namespace assay {

/// What a change means to who gates on it.
enum class Effect : std::uint8_t {
  kRegression,   ///< NEW shows less, or worse, than OLD did
  kImprovement,  ///< NEW shows more, or better
  kInformation,  ///< neither, or not to be told from these reports
};

enum class ChangeKind : std::uint8_t {
  // Of the runs, said first: they say how far the others can be compared.
  kRunIncomplete,
  kRunCompleted,
  kBothIncomplete,
  kSeed,
  kEffort,
  kTool,
  kHardware,
  // Of kernels and variants.
  kKernelGone,
  kKernelAdded,
  kKernelAddedNotRun,
  kKernelNotRun,
  kKernelRuns,
  kVariantGone,
  kVariantAdded,
  kContract,
  kImplementation,
  kDigestSameHardware,
  kDigestOtherHardware,
  kDigestLost,
  kDigestGained,
  kDigestSpace,
  // Of claims.
  kNewlyRefuted,
  kFixed,
  kVerdictLost,
  kVerdictGained,
  kVerdictOther,
  kClaimGone,
  kClaimAdded,
  kMeasureGone,
  kMeasureAdded,
  kLoosened,
  kTightened,
  kDeclared,
  kMeasuredWorse,
  kMeasuredBetter,
  kMeasuredElsewhere,
  kEvidenceWeaker,
  kEvidenceStronger,
  kThroughput,
};

/// What counts as a regression: this table says it, and nothing else does.
struct ChangeRow {
  ChangeKind kind;
  std::string_view id;  ///< in the JSON form
  Effect effect;
  std::string_view words;  ///< for people; the rule by which it is found
};

inline constexpr std::array<ChangeRow, 39> kChanges = {{
    {ChangeKind::kRunIncomplete, "run_incomplete", Effect::kRegression,
     "the new run did not come to its end"},
    {ChangeKind::kRunCompleted, "run_completed", Effect::kImprovement,
     "the old run did not come to its end, the new one did"},
    {ChangeKind::kBothIncomplete, "both_incomplete", Effect::kRegression,
     "neither run came to its end: what is missing cannot be compared"},
    {ChangeKind::kSeed, "seed", Effect::kInformation, "another seed: samples differ"},
    {ChangeKind::kEffort, "effort", Effect::kInformation, "another effort: probes differ"},
    {ChangeKind::kTool, "tool", Effect::kInformation, "another assay, or built another way"},
    {ChangeKind::kHardware, "hardware", Effect::kInformation, "other hardware"},
    {ChangeKind::kKernelGone, "kernel_gone", Effect::kRegression, "kernel is gone"},
    {ChangeKind::kKernelAdded, "kernel_added", Effect::kInformation, "kernel is new"},
    {ChangeKind::kKernelAddedNotRun, "kernel_added_not_run", Effect::kRegression,
     "kernel is new, and is not run"},
    {ChangeKind::kKernelNotRun, "kernel_not_run", Effect::kRegression,
     "kernel is not run any more"},
    {ChangeKind::kKernelRuns, "kernel_runs", Effect::kImprovement, "kernel is run now"},
    {ChangeKind::kVariantGone, "variant_gone", Effect::kRegression, "variant is gone"},
    {ChangeKind::kVariantAdded, "variant_added", Effect::kInformation, "variant is new"},
    {ChangeKind::kContract, "contract", Effect::kInformation,
     "the contract has another revision hash"},
    {ChangeKind::kImplementation, "implementation", Effect::kInformation,
     "another entry point or library"},
    {ChangeKind::kDigestSameHardware, "digest_same_hardware", Effect::kRegression,
     "other bits for the same probes on the same hardware"},
    {ChangeKind::kDigestOtherHardware, "digest_other_hardware", Effect::kInformation,
     "other bits for the same probes on other hardware"},
    {ChangeKind::kDigestLost, "digest_lost", Effect::kRegression,
     "no digest of the results any more"},
    {ChangeKind::kDigestGained, "digest_gained", Effect::kImprovement,
     "there is a digest of the results now"},
    {ChangeKind::kDigestSpace, "digest_space", Effect::kInformation,
     "the digests are over other probes: they cannot be compared"},
    // From any other verdict, or where there was no such claim.
    {ChangeKind::kNewlyRefuted, "newly_refuted", Effect::kRegression, "newly refuted"},
    {ChangeKind::kFixed, "fixed", Effect::kImprovement, "fixed"},
    // From upheld to unclaimed, undecided or error; from refuted to undecided or error; from
    // undecided to error.
    {ChangeKind::kVerdictLost, "verdict_lost", Effect::kRegression, "verdict lost"},
    // From unclaimed, undecided or error to upheld; from error to undecided.
    {ChangeKind::kVerdictGained, "verdict_gained", Effect::kImprovement, "verdict gained"},
    // From refuted to unclaimed; from unclaimed to undecided or error, and back.
    {ChangeKind::kVerdictOther, "verdict_other", Effect::kInformation,
     "promised before and not now, or the reverse"},
    {ChangeKind::kClaimGone, "claim_gone", Effect::kRegression, "claim is gone"},
    {ChangeKind::kClaimAdded, "claim_added", Effect::kInformation, "claim is new"},
    {ChangeKind::kMeasureGone, "measure_gone", Effect::kInformation,
     "not measured any more, and never promised"},
    {ChangeKind::kMeasureAdded, "measure_added", Effect::kInformation,
     "measured now, and not promised"},
    {ChangeKind::kLoosened, "loosened", Effect::kRegression, "declared bound loosened"},
    {ChangeKind::kTightened, "tightened", Effect::kImprovement, "declared bound tightened"},
    {ChangeKind::kDeclared, "declared", Effect::kInformation, "declared otherwise"},
    {ChangeKind::kMeasuredWorse, "measured_worse", Effect::kRegression,
     "measured worse by the same probes"},
    {ChangeKind::kMeasuredBetter, "measured_better", Effect::kImprovement,
     "measured better by the same probes"},
    {ChangeKind::kMeasuredElsewhere, "measured_elsewhere", Effect::kInformation,
     "measured otherwise, by other probes: the kernel may be the same"},
    {ChangeKind::kEvidenceWeaker, "evidence_weaker", Effect::kRegression,
     "upheld on weaker evidence, or on fewer probes"},
    {ChangeKind::kEvidenceStronger, "evidence_stronger", Effect::kImprovement,
     "upheld on stronger evidence, or on more probes"},
    {ChangeKind::kThroughput, "throughput", Effect::kInformation,
     "throughput, where it differs by a tenth or more"},
}};

constexpr const ChangeRow& row(ChangeKind kind) {
  return kChanges[static_cast<std::size_t>(kind)];
}

/// One change, of all variants that show it alike. Texts are those of the reports, not escaped.
struct Change {
  ChangeKind kind = ChangeKind::kSeed;
  std::string kernel;                 ///< empty: of the runs
  std::string claim;                  ///< id; empty: of the kernel or its variants
  std::string what;                   ///< the measure or the part that differs; often empty
  std::vector<std::string> variants;  ///< in the order of the report; empty: of the kernel
  bool all_variants = false;          ///< these are all that the newer report has of the kernel
  std::string before;                 ///< in OLD; empty where there is nothing
  std::string after;                  ///< in NEW
  std::string note;                   ///< what else to know: reasons, and which evidence differs
};

/// The changes from `before` to `after`: those of the runs, then kernel by kernel as `after` has
/// them, at last kernels that are gone. Kernels are the same where name, entry point, library and
/// contract's file are; where none is, one of the same name is, if each report has a single one.
/// Digests are compared only where they are over the same probes; measures are called worse or
/// better only where the probes were the same, which are so if strength, number and space agree.
/// Fewer probes of the same strength are weaker evidence, but for another seed: then up to one in a
/// hundred may be missing. Equal records have no changes, unless they are incomplete.
std::vector<Change> changes_between(const RunRecord& before, const RunRecord& after);

std::size_t count_of(const std::vector<Change>& changes, Effect effect);

/// "regression", "improvement", "information".
std::string_view to_string(Effect effect);

/// What two verdicts of one claim, which differ, amount to.
ChangeKind verdict_change(Verdict before, Verdict after);

}  // namespace assay
