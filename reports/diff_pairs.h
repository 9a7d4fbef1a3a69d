// Which parts of two reports belong together.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contracts/run_record.h"

namespace assay {

/// A kernel in both reports, or in one: the other pointer is then null.
struct KernelPair {
  const KernelRecord* before = nullptr;
  const KernelRecord* after = nullptr;
};

/// Every kernel of both reports once: as the newer one has them, then those that only the older one
/// has.
std::vector<KernelPair> pair_kernels(const RunRecord& before, const RunRecord& after);

/// The variants of a kernel by their names: a report may come from anyone, and have thousands. The
/// kernel must outlive this.
class VariantsByName {
 public:
  explicit VariantsByName(const KernelRecord& kernel);
  /// The variant of this name, or nullptr.
  const VariantRecord* find(std::string_view name) const;

 private:
  std::map<std::string_view, const VariantRecord*> variants_;
};

/// The claim of this id, or nullptr.
const ClaimRecord* find_claim(const VariantRecord& variant, std::string_view id);

}  // namespace assay
