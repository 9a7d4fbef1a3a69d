// The part of a comparison of reports that is about claims. diff.h says what counts as what.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "contracts/run_record.h"
#include "reports/diff.h"

namespace assay {

/// Changes of one kernel, variants that show the same one gathered.
class KernelChanges {
 public:
  explicit KernelChanges(std::string kernel) : kernel_(std::move(kernel)) {}

  /// A change of a variant, or of the kernel where `variant` is empty. `change` has neither kernel
  /// nor variants.
  void add(Change change, const std::string& variant);

  /// By claim, in the order of `kClaims`, those without one first. `variants`: those that the newer
  /// report has of the kernel, or the older one where the kernel is gone.
  std::vector<Change> take(const std::vector<VariantRecord>& variants);

 private:
  /// What variants have to share for a change to be one: all but the variants themselves.
  using Key =
      std::tuple<ChangeKind, std::string, std::string, std::string, std::string, std::string, bool>;

  std::string kernel_;
  std::vector<Change> changes_;
  std::map<Key, std::size_t> places_;  ///< in `changes_`
};

/// Adds what differs between the claims of one variant. `same_seed`: the runs had one seed.
void compare_claims(const VariantRecord& before, const VariantRecord& after, bool same_seed,
                    KernelChanges& changes);

}  // namespace assay
