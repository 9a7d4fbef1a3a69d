#include "contracts/run_record.h"

namespace assay {

Summary RunRecord::summary() const {
  Summary total;
  for (const KernelRecord& kernel : kernels) {
    for (const VariantRecord& variant : kernel.variants) {
      total.probes += variant.probes;
      for (const ClaimRecord& claim : variant.claims) {
        switch (claim.verdict) {
          case Verdict::kUpheld:
            ++total.upheld;
            break;
          case Verdict::kRefuted:
            ++total.refuted;
            break;
          case Verdict::kUnclaimed:
            ++total.unclaimed;
            break;
          case Verdict::kUndecided:
            ++total.undecided;
            break;
          case Verdict::kError:
            ++total.error;
            break;
        }
      }
    }
  }
  return total;
}

}  // namespace assay
