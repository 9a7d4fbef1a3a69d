// in_bounds: every tensor flush against forbidden pages.
#include <fmt/format.h>

#include <csignal>
#include <numeric>

#include "audit/window/bench.h"
#include "audit/window/call_judges.h"
#include "audit/worker/fixed_text.h"

namespace assay::window {

namespace {

/// Cases whose tensors all take a multiple of the alignment in bytes, so that they can stand flush
/// against a forbidden page at either end and one element too far is seen. Images of many widths,
/// windows with and without padding, strides that leave a rest.
std::vector<Case> flush_cases(const Subject& subject) {
  const Operation& operation = subject.operation();
  const auto quantum = static_cast<std::int64_t>(subject.alignment() / subject.element_bytes());
  constexpr double kMostWork = 60000;
  std::vector<Case> cases;
  const auto add = [&](std::int64_t groups, Pair image, Pair kernel, Pair stride, Pair padding) {
    Case made;
    made.family = Family::kScaled;
    made.seed = subject.seed + cases.size();
    oracle::ConvolutionGeometry& e = made.geometry.extents;
    e.image = image;
    e.kernel = kernel;
    e.stride = stride;
    e.padding = padding;
    e.groups = groups;
    // As many output channels as make weight, bias and output fit; as large a batch as makes the
    // image fit.
    e.out_channels = quantum;
    e.in_channels = operation.is_sum() ? groups : quantum;
    e.batch = quantum / std::gcd(quantum, e.in_channels * image.rows * image.columns);
    // A transposed weight begins with the input's channels.
    if (operation.kind == OperationKind::kTransposedConvolution) {
      e.in_channels = quantum;
      e.batch = 1;
    }
    made.geometry.bias = operation.takes_bias;
    if (!complete(operation, made.geometry) || work(operation, made.geometry) > kMostWork) return;
    cases.push_back(made);
  };
  for (const std::int64_t columns : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33}) {
    add(1, {1, columns}, {1, 1}, {1, 1}, {0, 0});
    add(1, {2, columns}, {2, 2}, {1, 1}, {0, 0});
    add(1, {2, columns}, {2, 2}, {1, 1}, {1, 1});
    add(1, {3, columns}, {2, 3}, {2, 2}, {0, 1});
  }
  if (operation.has(ParameterRole::kGroups)) {
    add(quantum, {3, 5}, {2, 2}, {1, 1}, {1, 1});
    add(quantum, {3, 9}, {1, 3}, {2, 2}, {0, 0});
    add(2, {3, 9}, {3, 3}, {1, 1}, {1, 1});
  }
  return cases;
}

class BoundsJudge {
 public:
  BoundsJudge(Subject& subject, CallTally& tally)
      : subject_(subject), tally_(tally), bench_(subject, tally) {}

  /// False after a fault.
  bool judge(const Case& the_case) {
    bench_.lay_out(the_case);
    const std::size_t tensors = bench_.tensors();
    // All at the front, all at the back, and each alone at the back.
    for (std::size_t corner = 0; corner < tensors + 2; ++corner) {
      for (std::size_t t = 0; t < tensors; ++t) {
        const bool at_back = corner == tensors + 1 || corner == t;
        const Room& room = bench_.room(t);
        bench_.place(t, at_back ? room.back(bench_.bytes(t), subject_.alignment()) : room.front());
      }
      bench_.set_detail(corner < tensors
                            ? fmt::format("`{}` flush against the page behind it, the others "
                                          "against those before them",
                                          bench_.name(corner))
                            : fmt::format("all tensors flush against the pages {} them",
                                          corner == tensors ? "before" : "behind"));
      const Reply reply = bench_.attempt();
      if (reply.signal.signal == SIGSEGV || reply.signal.signal == SIGBUS) {
        ++tally_.probes;
        add_violation(tally_, &the_case, bench_.circumstances(), fault_text(reply.signal));
        continue;
      }
      if (!bench_.carried_out(reply)) return false;
      for (std::size_t t = 0; t < tensors; ++t) {
        if (!bench_.room(t).surroundings_changed()) continue;
        add_violation(tally_, &the_case, bench_.circumstances(),
                      fmt::format("bytes beside `{}` were overwritten", bench_.name(t)));
        break;
      }
    }
    return true;
  }

 private:
  std::string fault_text(const CaughtSignal& signal) {
    for (std::size_t t = 0; t < bench_.tensors(); ++t) {
      if (!bench_.room(t).pages().guards(signal.address)) continue;
      return fmt::format("a {} outside of `{}`", signal.write ? "write" : "read", bench_.name(t));
    }
    return ended_text(signal) + " away from all tensors";
  }

  Subject& subject_;
  CallTally& tally_;
  Bench bench_;
};

}  // namespace

void judge_in_bounds(Subject& subject, CallTally& tally) {
  std::vector<Case> cases = flush_cases(subject);
  const std::size_t flush = cases.size();
  for (const Case& the_case : small_cases(subject.job, 60)) cases.push_back(the_case);
  BoundsJudge judge(subject, tally);
  for (const Case& the_case : cases) {
    if (!judge.judge(the_case)) return;
  }
  put(tally.space,
      fmt::format(
          "{} cases, in {} of them every tensor a multiple of the alignment ({} bytes); all "
          "tensors flush against a forbidden page before them, all behind, and each alone "
          "behind; bytes between watched for writes",
          cases.size(), flush, subject.alignment()));
}

}  // namespace assay::window
