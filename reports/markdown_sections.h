// The parts that Markdown pages are put together from. Each returns whole blocks that end with a
// blank line.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "contracts/run_record.h"
#include "reports/findings.h"

namespace assay {

/// A table of the verdict counts over these kernels, and a warning where the run is not complete.
std::string md_counts(const RunRecord& record, const KernelList& kernels);

/// Every refuted claim: counterexample, why, and the command that repeats it; in full about as many
/// as `limit`, the others (see `shortened`) by name.
std::string md_refuted(const RunRecord& record, const KernelList& kernels,
                       std::size_t limit = std::numeric_limits<std::size_t>::max());

/// What has no verdict: errors, undecided claims, and kernels not run, each with the reason.
std::string md_unsettled(const KernelList& kernels);

/// One row per kernel and variant: verdict counts, weakest strength, probes, time.
std::string md_summary_table(const KernelList& kernels);

/// How the audit was run: command, seed, effort, machine, tool, flags.
std::string md_run_info(const RunRecord& record);

/// What a pass does not mean.
std::string md_caveat();

/// One kernel: facts, matrix of claims and variants, evidence of each claim, digests,
/// throughput.
/// In markdown_kernel.cc.
std::string md_kernel(const RunInfo& run, const KernelRecord& kernel);

}  // namespace assay
