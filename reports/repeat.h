// The command that repeats a finding.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "contracts/run_record.h"

namespace assay {

/// `word` such that a POSIX-like shell (bash, zsh, ksh) reads it back as one word, on one line.
/// Plain words stay as they are; control characters and bytes outside of ASCII need $'...'.
std::string shell_quoted(std::string_view word);

/// "assay audit FILE --only KERNEL [--kernels LIB.so] --variant VARIANT... --effort E --seed N":
/// what judges the claim `id` of these variants again. A comparison of variants also needs the
/// kernel's first one.
std::string repeat_command(const RunInfo& run, const KernelRecord& kernel, std::string_view id,
                           std::span<const std::string> variants);

}  // namespace assay
