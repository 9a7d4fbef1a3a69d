// Any bytes are a call of an operation with windows: all variants must keep its contract, as the
// audit judges it.
#include <fmt/format.h>

#include <cstring>
#include <map>
#include <memory>
#include <optional>

#include "audit/fuzz/finding.h"
#include "audit/fuzz/placed_call.h"
#include "audit/fuzz/subjects.h"
#include "audit/fuzz/window_calls.h"
#include "audit/fuzz/window_refusals.h"
#include "audit/window/check.h"
#include "audit/window/counterexample.h"

namespace {

using namespace assay;
using namespace assay::fuzz;
using namespace assay::window;

/// A runner of one variant, kept, since its memory is costly to make.
struct Runner {
  Runner(const Operation& operation, const KernelVariant& variant)
      : cases(operation, variant, log) {}

  EnvironmentLog log;
  CaseRunner cases;
};

Runner& runner(const window::Job& job, const KernelVariant& variant) {
  static std::map<const KernelVariant*, std::unique_ptr<Runner>> all;
  std::unique_ptr<Runner>& mine = all[&variant];
  if (mine == nullptr) mine = std::make_unique<Runner>(job.operation, variant);
  return *mine;
}

/// One call, given to all variants.
class Trial {
 public:
  Trial(const window::Job& job, const Specimen& specimen, const Places& places)
      : job_(job),
        specimen_(specimen),
        places_(places),
        rules_(job.operation),
        source_(job.operation, specimen.geometry, specimen.tensors) {}

  void run() {
    for (const KernelVariant* variant : job_.variants) run(*variant);
  }

 private:
  void run(const KernelVariant& variant) {
    Runner& mine = runner(job_, variant);
    const CallFault fault = mine.cases.run(specimen_.geometry, specimen_.tensors, true);
    if (fault != CallFault::kNone) report_fault(job_.kernel_name, variant, mine.cases.fault());
    if (mine.log.changes() > 0) {
      broken(variant, ClaimKind::kFpEnvironmentKept, mine.log.first_change());
    }
    if (mine.cases.inputs_changed()) {
      broken(variant, ClaimKind::kInputsUnmodified, mine.cases.input_change());
    }
    const std::vector<Bits>& results = mine.cases.results();
    const bool first = &variant == job_.variants.front();
    if (first) due_ = results;
    // What the first variant gives is judged already.
    for (std::size_t r = 0; r < results.size(); ++r) {
      if (first || results[r] != due_[r]) judge(variant, r, results[r]);
    }
    if (results != due_) confirm(variant, ClaimKind::kBitwise, 0);
    const Placed placed = call_in_places(job_, variant, specimen_, places_);
    if (!placed.fault.empty()) report_fault(job_.kernel_name, variant, placed.fault);
    if (!placed.out_of_bounds.empty()) broken(variant, ClaimKind::kInBounds, placed.out_of_bounds);
    if (placed.results != results) {
      broken(variant, ClaimKind::kBitStable, "other bits than in other places of memory");
    }
  }

  void judge(const KernelVariant& variant, std::size_t result, Bits got) {
    const Judgement judgement = judge_result(rules_, job_.operation, source_.truth(result), got,
                                             [&] { return source_.error(result, got); });
    for (std::size_t i = 0; i < kResultClaimCount; ++i) {
      if ((judgement.violated >> i & 1) == 0 || !rules_.judges(i)) continue;
      confirm(variant, kResultClaims[i], result);
      broken(variant, ClaimKind::kBitStable,
             fmt::format("{} is violated here, and not in the same call made again",
                         row(kResultClaims[i]).id));
    }
  }

  /// Reports the violation where the call, made again, shows it.
  void confirm(const KernelVariant& variant, ClaimKind kind, std::size_t result) {
    if (kind == ClaimKind::kBitwise && job_.contract->claim(kind) == nullptr) return;
    const KernelVariant& reference = *job_.variants.front();
    Specimen again = specimen_;
    again.result = result;
    Check check(job_, variant, kind, reference);
    const Checked checked = check.check(again, 1000000);
    if (checked.fault != CallFault::kNone || !checked.violated) return;
    report(job_.kernel_name, variant, kind,
           result_counterexample(job_, variant, kind, again.geometry, again.tensors, checked,
                                 &reference));
  }

  /// A claim about calls, which the token repeats by the calls of its judge.
  void broken(const KernelVariant& variant, ClaimKind kind, const std::string& why) {
    if (job_.contract->claim(kind) == nullptr) return;
    CallTally tally;
    add_violation(tally, nullptr,
                  describe(job_.operation, specimen_.geometry) + ", " + places_.text(), why);
    report(job_.kernel_name, variant, kind,
           call_counterexample(job_, variant, kind, tally.example, Again::kClaim));
  }

  const window::Job& job_;
  const Specimen& specimen_;
  const Places& places_;
  window::Rules rules_;
  TruthSource source_;
  std::vector<Bits> due_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader bytes(data, size);
  const std::vector<window::Job>& jobs = subjects().bound.windows;
  const window::Job& job = jobs[bytes.below(jobs.size())];
  const bool vary = bytes.below(8) == 0;
  const Places places = Places::from(bytes);
  Specimen specimen;
  specimen.geometry = window_geometry(bytes, job.operation);
  const oracle::Pair& image = specimen.geometry.extents.image;
  if (!complete(job.operation, specimen.geometry)) {
    try_incomplete(job, specimen.geometry);
  } else if (image.rows == 0 || image.columns == 0) {
    // The shape rules give such images results where there is enough padding; nobody says whether
    // they are calls, and the audit makes none.
  } else if (vary) {
    try_variation(job, specimen.geometry, bytes);
  } else {
    specimen.tensors = window_tensors(bytes, job.operation, specimen.geometry);
    Trial(job, specimen, places).run();
  }
  return 0;
}
