// What an audit showed of one section of a contract, over all its dtypes and variants.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contracts/fkc/document.h"
#include "contracts/run_record.h"

namespace assay {

/// One claim over all variants.
struct ClaimEvidence {
  std::vector<const ClaimRecord*> records;
  std::vector<std::string> variants;  ///< with the kernel's name where the section has several
  Strength strength = Strength::kExhaustive;  ///< the weakest
  std::uint64_t probes = UINT64_MAX;          ///< the fewest
  std::uint64_t violations = 0;               ///< the most
  bool refuted = false;                       ///< somewhere
  std::string open;   ///< why there is no verdict, where a variant has none that was due
  std::string space;  ///< of the weakest

  /// The largest of `get` (an optional double), or nothing where one is.
  template <typename Function>
  std::optional<double> largest(Function get) const {
    double most = 0;
    for (const ClaimRecord* record : records) {
      const std::optional<double> value = get(*record);
      if (!value) return std::nullopt;
      if (*value > most) most = *value;
    }
    return most;
  }
};

class SectionEvidence {
 public:
  /// Both must outlive this.
  SectionEvidence(const fkc::KernelContract& contract, const RunRecord& record);

  /// True if the record has a kernel of this section's name.
  bool in_record() const { return in_record_; }

  /// Why nothing can be concluded about the section; empty where there is no reason.
  const std::string& obstacle() const { return obstacle_; }

  /// The claim on all variants, or nothing where one of them lacks it.
  std::optional<ClaimEvidence> of(ClaimKind kind) const;

  /// Why not every result is a number of steps from the one due: NaNs and infinities where others
  /// are due, or the reverse. Empty where all are.
  std::string not_a_distance() const;

 private:
  /// A kernel of the section that the record does not have, if there is one.
  std::string missing_kernel() const;
  std::string difference(const KernelRecord& kernel) const;

  const fkc::KernelContract& contract_;
  std::vector<const KernelRecord*> kernels_;
  bool in_record_ = false;
  std::string obstacle_;
};

}  // namespace assay
