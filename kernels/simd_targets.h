// The instruction-set variants of a kernel family. Included by the families' *_simd.cc files alone,
// in the part that is compiled once.
#pragma once

#include <hwy/highway.h>

#include "kernels/highway_compat.h"

namespace assay {

/// Calls `take(name)` for each Highway target that this compiler built and this CPU runs, narrow to
/// wide, without the targets that only emulate vectors, with HWY_DYNAMIC_DISPATCH bound to that
/// target. It sets Highway's process-wide dispatch state and puts that back, so call it while no
/// other thread dispatches.
template <class Take>
void for_each_simd_target(Take take) {
  // Highway lists targets wide to narrow.
  const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  for (auto target = targets.rbegin(); target != targets.rend(); ++target) {
    if ((*target & kEmulatedTargets) != 0) continue;
    hwy::SetSupportedTargetsForTest(*target);
    hwy::GetChosenTarget().Update(*target);
    take(hwy::TargetName(*target));
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace assay
