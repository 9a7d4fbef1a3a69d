// A refutation that a harness came upon.
#pragma once

#include <string>

#include "audit/judge/explanation.h"
#include "contracts/claim.h"
#include "contracts/run_record.h"
#include "kernels/kernel.h"

namespace assay::fuzz {

/// Prints the claim, the counterexample and the command that repeats it, says whether it was seen
/// again in a fresh process, and ends this one, so that the fuzzer keeps the input. What of the
/// token is too large for a word goes to the folder counterexamples/ in the working folder.
[[noreturn]] void report(const std::string& kernel, const KernelVariant& variant, ClaimKind claim,
                         const Counterexample& example);

/// The same of a valid call that a kernel does not carry out: no claim is judged then, and the
/// audit gives its verdict `error`.
[[noreturn]] void report_fault(const std::string& kernel, const KernelVariant& variant,
                               const std::string& why);

}  // namespace assay::fuzz
