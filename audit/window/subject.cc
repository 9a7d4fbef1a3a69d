#include "audit/window/subject.h"

#include <algorithm>

#include "audit/judge/structure.h"
#include "audit/probe/space.h"
#include "audit/window/call_judges.h"
#include "audit/worker/fixed_text.h"

namespace assay::window {

std::size_t Subject::alignment() const {
  return buffer_alignment(*job.contract, element_bytes());
}

const std::vector<CallRow>& call_rows() {
  static const std::vector<CallRow> rows = {
      // First in its process, since it has to see the kernel's first call there.
      {ClaimKind::kBitStable, judge_bit_stable},
      {ClaimKind::kPaddingSkipped, judge_padding_skipped},
      {ClaimKind::kDtypeRule, judge_dtype_rule},
      {ClaimKind::kShapeRule, judge_shape_rule},
      {ClaimKind::kLayoutGuarantee, judge_layout_guarantee},
      {ClaimKind::kAliasing, judge_aliasing},
      {ClaimKind::kInBounds, judge_in_bounds},
      {ClaimKind::kInputsUnmodified, judge_inputs_unmodified},
      {ClaimKind::kOutputFullyWritten, judge_output_fully_written},
      {ClaimKind::kFpEnvironmentKept, judge_fp_environment},
      {ClaimKind::kAcceptLayout, judge_accept_layout},
      {ClaimKind::kAcceptDtype, judge_accept_dtype},
      {ClaimKind::kAcceptRank, judge_accept_rank},
      {ClaimKind::kAcceptGeometry, judge_accept_geometry},
      // In a process of its own.
      {ClaimKind::kResourcesKept, judge_resources},
  };
  return rows;
}

namespace {

/// What a geometry has, one bit each: kinds of calls of which a small selection is to have all.
std::uint32_t features(const Operation& operation, const Geometry& geometry) {
  const oracle::ConvolutionGeometry& e = geometry.extents;
  const auto beyond = [](Pair pair, std::int64_t n) { return pair.rows > n || pair.columns > n; };
  const auto rest = [](std::int64_t image, std::int64_t padding, std::int64_t kernel,
                       std::int64_t stride) {
    return (image + 2 * padding - kernel) % stride != 0;
  };
  const bool all[] = {
      e.batch == 0,
      e.batch > 1,
      e.in_channels == 0,
      e.out_channels == 0,
      geometry.bias,
      !geometry.bias,
      e.groups > 1 && e.groups<e.in_channels, e.groups> 1 && e.groups == e.in_channels,
      beyond(e.stride, 1),
      e.stride.rows != e.stride.columns,
      beyond(e.padding, 0),
      e.padding.rows != e.padding.columns,
      beyond(e.dilation, 1),
      beyond(geometry.output_padding, 0),
      e.kernel.rows > e.image.rows || e.kernel.columns > e.image.columns,
      e.kernel == e.image && elements(output_shape(geometry)) > 0,
      e.padding.rows >= e.kernel.rows || e.padding.columns >= e.kernel.columns,
      beyond(e.kernel, 1),
      e.result == Pair{1, 1},
      e.result.columns > 16,
      e.result.columns > 64,
      e.result.rows > 16,
      e.in_channels > 8,
      e.out_channels > 8,
      rest(e.image.rows, e.padding.rows, e.kernel.rows, e.stride.rows) ||
          rest(e.image.columns, e.padding.columns, e.kernel.columns, e.stride.columns),
      operation.is_sum() && e.in_channels != e.out_channels};
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < std::size(all); ++i) bits |= std::uint32_t{all[i]} << i;
  return bits;
}

}  // namespace

std::vector<Case> small_cases(const Job& job, std::size_t count) {
  constexpr std::size_t kMostElements = 4096;
  constexpr double kMostWork = 10000;
  std::vector<const Case*> usable;
  for (const Case& candidate : job.cases) {
    const Geometry& geometry = candidate.geometry;
    const std::size_t size = tensor_elements(job.operation, geometry);
    if (size <= kMostElements && work(job.operation, geometry) <= kMostWork &&
        candidate.family <= Family::kCancelling) {
      usable.push_back(&candidate);
    }
  }
  // First what has something that none before has, then others at even distances. In the order of
  // the job: the corners come first there, small ones before large ones.
  std::vector<bool> taken(usable.size(), false);
  std::size_t left = std::min(count, usable.size());
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < usable.size() && left > 0; ++i) {
    const std::uint32_t mine = features(job.operation, usable[i]->geometry);
    if ((mine & ~seen) == 0) continue;
    seen |= mine;
    taken[i] = true;
    --left;
  }
  const std::size_t distance = std::max<std::size_t>(1, usable.size() / (left + 1));
  for (std::size_t offset = 0; offset < distance && left > 0; ++offset) {
    for (std::size_t i = distance - 1 - offset; i < usable.size() && left > 0; i += distance) {
      if (taken[i]) continue;
      taken[i] = true;
      --left;
    }
  }
  std::vector<Case> chosen;
  for (std::size_t i = 0; i < usable.size(); ++i) {
    if (taken[i]) chosen.push_back(*usable[i]);
  }
  return chosen;
}

void add_violation(CallTally& tally, const Case* the_case, const std::string& circumstances,
                   const std::string& why) {
  ++tally.violations;
  if (tally.first_violation == 0) {
    tally.first_violation = std::max<std::uint64_t>(tally.probes, 1);  // judges count, then judge
  }
  if (tally.has_example) return;
  tally.has_example = true;
  tally.example.has_case = the_case != nullptr;
  if (the_case != nullptr) tally.example.the_case = *the_case;
  put(tally.example.circumstances, circumstances);
  put(tally.example.why, why);
}

void add_violation(CallTally& tally, const Case& the_case, std::size_t result, Bits got,
                   Bits expected, const std::string& circumstances, const std::string& why) {
  const bool first = !tally.has_example;
  add_violation(tally, &the_case, circumstances, why);
  if (!first) return;
  tally.example.has_values = true;
  tally.example.result = result;
  tally.example.got = got;
  tally.example.expected = expected;
}

void add_input_change(CallTally& tally, const Case* the_case, const std::string& circumstances,
                      const std::string& why) {
  if (tally.input_changes.count++ > 0) return;
  tally.input_changes.first.has_case = the_case != nullptr;
  if (the_case != nullptr) tally.input_changes.first.the_case = *the_case;
  put(tally.input_changes.first.circumstances, circumstances);
  put(tally.input_changes.first.why, why);
}

namespace {

/// Elements of the tensors, as far as the extents tell them for any operation.
std::int64_t extent(const Geometry& geometry) {
  const oracle::ConvolutionGeometry& e = geometry.extents;
  const auto area = [](Pair pair) { return pair.rows * pair.columns; };
  return e.batch * (e.in_channels * area(e.image) + e.out_channels * area(e.result)) +
         e.in_channels * e.out_channels * area(e.kernel);
}

/// Whether a call of this case, or of none, says more than an example that is there.
bool simpler(const Case* the_case, const CallExample& than) {
  if (the_case == nullptr) return false;
  return !than.has_case || extent(the_case->geometry) < extent(than.the_case.geometry);
}

}  // namespace

bool shows_again(CallTally& tally, const Case& the_case, const std::vector<Bits>& due,
                 const std::vector<Bits>& got, const std::function<std::vector<Bits>()>& reference,
                 const std::function<std::vector<Bits>()>& other, const std::string& other_call) {
  const auto stable = [&](const std::vector<Bits>& before, const std::vector<Bits>& now,
                          const std::string& call) {
    if (before == now) return true;
    if (tally.probes > 0) --tally.probes;
    const Case* mine = call.empty() ? &the_case : nullptr;
    CallExample& first = tally.instabilities.first;
    if (tally.instabilities.count++ > 0 && !simpler(mine, first)) return false;
    first = {};
    first.has_case = mine != nullptr;
    if (first.has_case) first.the_case = the_case;
    put(first.circumstances, "the same call again" + (call.empty() ? call : "; " + call));
    put(first.why, "the kernel gives other bits in the very same call made again");
    const auto [was, is] = std::mismatch(before.begin(), before.end(), now.begin(), now.end());
    if (was == before.end() || is == now.end()) return false;
    first.has_values = true;
    first.result = static_cast<std::uint64_t>(was - before.begin());
    first.got = *is;
    first.expected = *was;
    return false;
  };
  // In turns they would keep step with a kernel whose bits alternate.
  for (const bool is_reference : {true, true, false, false, true, false}) {
    const bool same =
        is_reference ? stable(due, reference(), {}) : stable(got, other(), other_call);
    if (!same) return false;
  }
  return true;
}

void put_fault(CallTally& tally, CallFault fault, const std::string& text) {
  tally.fault = fault;
  put(tally.fault_text, text);
}

}  // namespace assay::window
