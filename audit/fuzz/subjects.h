// What the harnesses drive: every kernel that assay ships, bound to the reference contracts.
//
// ASSAY_FUZZ_MUTANT=NAME in the environment puts a mutant of kernels/mutants beside the scalar
// variant, in place of the kernel's others: how it is shown that a harness finds faults.
#pragma once

#include <vector>

#include "audit/bind.h"
#include "contracts/fkc/document.h"
#include "kernels/registry.h"

namespace assay::fuzz {

struct Subjects {
  std::vector<fkc::Document> documents;
  Registry registry;
  Bound bound;
};

/// Made by the first call, never destroyed: jobs point into them. Ends the process where a contract
/// cannot be read or bound, or no mutant has the name that was asked for.
const Subjects& subjects();

/// A heartbeat that nobody listens to.
Heartbeat& unheard();

}  // namespace assay::fuzz
