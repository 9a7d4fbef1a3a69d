// Faulty kernels, for testing the audit: each is correct but for one plausible fault planted.
// An audit that upholds the claim named beside a mutant is broken. Never part of a shipped binary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/kernel.h"

namespace assay {

/// A variant to put in the place of a kernel's own. It checks its arguments as that kernel does
/// (but where the check is the fault) and reports "mutant" as the variant that ran.
struct Mutant {
  std::string name;         ///< unique: "f32_to_f16_truncates"
  std::string entry_point;  ///< of the kernel that it stands in for
  std::string what;         ///< the fault, and what shows it where that is not every call
  std::string claim;        ///< id of the claim that an audit must refute; empty if none
  KernelFunction function = nullptr;
  std::vector<std::string> also = {};  ///< claims that fall with it by the nature of this fault
  /// It is audited beside the scalar variant, whose bits it is to have.
  bool beside_scalar = false;
  /// What shows it hangs on how many calls were made before: its counterexample has no fixed size.
  bool unsteady = false;
  /// Elements of all inputs in the smallest call that can show the fault; 0: not known.
  std::uint64_t least_elements = 0;
  /// Set bits in the inputs of the simplest such call; unset: not known.
  std::optional<std::uint64_t> least_bits = {};
};

/// Every mutant of a cast, grouped by claim.
std::vector<Mutant> cast_mutants();

/// Every mutant of a convolution or a pooling, grouped by kind of fault. Images of 20 x 20, 8
/// channels, 3 images and filters of 5 x 5 are enough to show any of them; those that hold a column
/// in 8 bits take one image of a single row wider than 256.
std::vector<Mutant> window_mutants();

/// Variants that keep every claim of their own, and whose bits are not those of the scalar variant.
std::vector<Mutant> variant_mutants();

/// Variants that differ from the built-in ones and still keep every promise of the reference
/// contracts under the default floating-point environment. An audit that refutes a claim of one of
/// these is broken too. `claim` is empty.
std::vector<Mutant> permitted_variants();
std::vector<Mutant> permitted_window_variants();
/// The same of variants beside the scalar one, whose bits they need not have.
std::vector<Mutant> permitted_beside_scalar();

}  // namespace assay
