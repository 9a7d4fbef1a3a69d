// Verdicts and strengths of many claims as one line of a table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "contracts/run_record.h"

namespace assay {

/// Counts over the claims and probes of one variant, or of all variants of one kernel.
Summary summary_of(const VariantRecord& variant);
Summary summary_of(const KernelRecord& kernel);
/// Over these kernels.
Summary summary_of(std::span<const KernelRecord* const> kernels);

/// True where no variant of the kernel was run, whether or not the record says why.
bool was_not_run(const KernelRecord& kernel);

/// Why it was not; "no reason recorded" where the record does not say.
std::string not_run_reason(const KernelRecord& kernel);

/// Kernels that were not run.
std::uint64_t count_not_run(std::span<const KernelRecord* const> kernels);

/// True where a verdict is owed and missing: the claim is in error or undecided. `bitwise` of a
/// kernel with one variant is not owed, nor where the caller of the audit chose among the variants.
bool is_open(const RunInfo& run, const KernelRecord& kernel, const ClaimRecord& claim);

/// The exit status of an audit: 1 when a claim is refuted; else 3 when a kernel or a claim could
/// not be run to its end or the audit did not come to its own; else 0.
int exit_status(const RunRecord& record);

Summary& operator+=(Summary& total, const Summary& part);

/// Claims about the numbers themselves: `rounding`, `domain_exact` and `precision.*`; of sums and
/// selections `accumulator`, `error_bound`, `padding_skipped` and `selection_exact`. Only for them
/// does strength say how much of the input space the result was compared on; memory and refusal
/// claims are about calls.
bool is_numeric_claim(std::string_view id);

/// The weakest strength among the upheld numeric claims; nothing where there is none.
std::optional<Strength> weakest_numeric_strength(std::span<const VariantRecord> variants);

/// CPU seconds of all variants.
double cpu_seconds(const KernelRecord& kernel);

/// A verdict as a table shows it. Refuted is the one that must catch the eye without colour.
std::string_view verdict_word(Verdict verdict);

/// "exhaustive", "boundary", "sampled", "none".
std::string_view short_strength(Strength strength);

/// What each strength means, in one sentence.
std::string_view strength_meaning(Strength strength);

}  // namespace assay
