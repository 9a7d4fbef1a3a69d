// The command that repeats a finding.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "contracts/run_record.h"

namespace assay {

/// "assay audit FILE --only KERNEL [--kernels LIB.so] --variant VARIANT... --effort E --seed N":
/// what judges the claim `id` of these variants again. A comparison of variants also needs the
/// kernel's first one. Names stand as patterns that match nothing else.
std::string repeat_command(const RunInfo& run, const KernelRecord& kernel, std::string_view id,
                           std::span<const std::string> variants);

/// "assay repro TOKEN [--report DIR]": what runs the one case of a claim again; empty where it has
/// none. The folder stands there where the case is in a file beside the reports.
std::string repro_command(const RunInfo& run, const ClaimRecord& claim);

}  // namespace assay
