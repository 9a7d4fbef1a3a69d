// The parts that HTML pages are put together from. Each returns whole elements.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "contracts/run_record.h"
#include "reports/findings.h"

namespace assay {

/// A whole document: `title` is text, `body` HTML that begins with its <h1>. `up` leads to the
/// index where it is not empty.
std::string html_document(std::string_view title, std::string_view up, std::string_view body);

/// A warning where the run is not complete, verdict counts, and the weakest evidence.
std::string html_glance(const RunRecord& record, const KernelList& kernels);

/// Every refuted claim with its counterexample and the command that repeats it; in full about as
/// many as `limit`, the others (see `shortened`) by name.
std::string html_refuted(const RunRecord& record, const KernelList& kernels,
                         std::size_t limit = std::numeric_limits<std::size_t>::max());

/// What has no verdict: errors, undecided claims, and kernels not run, each with the reason.
std::string html_unsettled(const KernelList& kernels);

/// One row per kernel: verdict counts, weakest strength, probes, time. Names lead to the kernels'
/// sections.
std::string html_kernel_table(const KernelList& kernels);

/// How the audit was run, and what a pass does not mean.
std::string html_closing(const RunRecord& record);

/// The id of a kernel's section: "kernel-3" for the fourth of its page.
std::string html_kernel_id(std::size_t index);

/// One kernel. In html_kernel.cc.
std::string html_kernel(const RunInfo& run, const KernelRecord& kernel, std::size_t index);

}  // namespace assay
