// Audits of single kernels for end-to-end tests.
#pragma once

#include <string>
#include <vector>

#include "audit/audit.h"
#include "kernels/mutants/mutants.h"
#include "kernels/registry.h"

namespace assay::testing {

/// The contracts that ship with the project, read once. Fails the test on a diagnostic.
const std::vector<fkc::Document>& shipped_contracts();

/// A registry with one kernel under `entry_point`: the signature of the built-in one, and only the
/// given variants.
Registry registry_of(const std::string& entry_point, std::vector<KernelVariant> variants);

/// A quick audit, with two workers, of the kernel that is registered.
KernelRecord quick_audit(const Registry& registry);

/// A quick audit of a faulty kernel as the only one: it is called "mutant".
KernelRecord quick_audit(const Mutant& mutant);

/// What came of the first variant's claims that are not upheld, for a message.
std::string fallen_claims(const KernelRecord& kernel);

/// The built-in scalar kernel of this entry point, which says that the variant `name` ran.
KernelStatus healthy_as(KernelCall& call, const char* entry_point, const char* name);

/// Elements of a call's first input.
std::int64_t elements(const KernelCall& call);

/// The shipped document with the section of one kernel only.
std::string contract_text(const std::string& kernel);

/// Puts `to` in place of the line that begins with `from`, which must be there.
void replace_line(std::string& text, const std::string& from, const std::string& to);

/// The claim of this id, or nullptr.
const ClaimRecord* claim(const KernelRecord& kernel, const std::string& variant,
                         const std::string& id);

}  // namespace assay::testing
