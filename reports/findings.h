// Claims gathered over the variants that gave the same result, so that six variants with one
// fault read as one finding.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "contracts/run_record.h"

namespace assay {

/// One result of one claim of one kernel, and the variants that gave it. The pointers are into the
/// record, which must outlive them.
struct Finding {
  const KernelRecord* kernel = nullptr;
  const ClaimRecord* claim = nullptr;  ///< of the first of the variants
  std::vector<std::string> variants;   ///< in the record's order
};

/// True where the two say the same of the same promise: every field is equal, but for the
/// counterexample's token, which names the variant.
bool same_result(const ClaimRecord& a, const ClaimRecord& b);

using KernelList = std::vector<const KernelRecord*>;

KernelList all_kernels(const RunRecord& record);

/// The findings of these verdicts, in the record's order.
std::vector<Finding> findings_of(const KernelRecord& kernel, const std::vector<Verdict>& verdicts);
std::vector<Finding> findings_of(const KernelList& kernels, const std::vector<Verdict>& verdicts);
std::vector<Finding> findings_of(const RunRecord& record, const std::vector<Verdict>& verdicts);

/// Findings that a reader is shown in full on a page about everything.
inline constexpr std::size_t kFindingsInFull = 24;

/// One kernel's findings where there are too many to show all of them in full.
struct KernelFindings {
  std::vector<Finding> in_full;
  std::vector<Finding> in_brief;  ///< one for each claim and verdict, with all further variants
};

/// The findings of these verdicts, of each kernel that has any: an equal share of `limit` in full
/// for each kernel, but two at least, so that of many kernels there are more than `limit` in all;
/// the rest in brief. None is left out.
std::vector<KernelFindings> shortened(const KernelList& kernels,
                                      const std::vector<Verdict>& verdicts, std::size_t limit);

/// The findings of one promise: claims that have `claim`'s id, statement, declared value and
/// source, whatever their verdict.
std::vector<Finding> findings_about(const KernelRecord& kernel, const ClaimRecord& claim);

/// The promises of all variants, each once, in the order of first mention.
std::vector<const ClaimRecord*> promises_of(const KernelRecord& kernel);

/// True where the two are the same promise: id, statement, declared value and source.
bool same_promise(const ClaimRecord& a, const ClaimRecord& b);

}  // namespace assay
