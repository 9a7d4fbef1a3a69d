#include "audit/window/subject.h"

#include <algorithm>

#include "audit/judge/structure.h"
#include "audit/probe/space.h"
#include "audit/window/call_judges.h"
#include "audit/worker/fixed_text.h"

namespace assay::window {

std::size_t Subject::alignment() const {
  std::uint64_t alignment = element_bytes();
  while (alignment < job.contract->alignment_bytes && alignment < kMostAlignment) alignment *= 2;
  return static_cast<std::size_t>(alignment);
}

const std::vector<CallRow>& call_rows() {
  static const std::vector<CallRow> rows = {
      {ClaimKind::kPaddingSkipped, judge_padding_skipped},
      {ClaimKind::kBitStable, judge_bit_stable},
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
  };
  return rows;
}

std::vector<Case> small_cases(const Job& job, std::size_t count) {
  // In the order of the job: the corners come first there, each plain once. Whatever comes later
  // is taken at even distances.
  std::vector<const Case*> usable;
  for (const Case& candidate : job.cases) {
    const Geometry& geometry = candidate.geometry;
    const std::size_t size =
        input_elements(job.operation, geometry) + elements(output_shape(geometry));
    if (size <= 4096 && candidate.family <= Family::kCancelling) usable.push_back(&candidate);
  }
  std::vector<Case> chosen;
  for (std::size_t i = 0; i < std::min(count, usable.size()); ++i) {
    chosen.push_back(*usable[i * usable.size() / std::min(count, usable.size())]);
  }
  return chosen;
}

void add_violation(CallTally& tally, const Case* the_case, const std::string& circumstances,
                   const std::string& why) {
  ++tally.violations;
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

void add_input_change(CallTally& tally, const std::string& circumstances, const std::string& why) {
  if (tally.input_changes.count++ > 0) return;
  put(tally.input_changes.first.circumstances, circumstances);
  put(tally.input_changes.first.why, why);
}

bool shows_again(CallTally& tally, const Case& the_case, const std::vector<Bits>& due,
                 const std::vector<Bits>& got, const std::function<std::vector<Bits>()>& reference,
                 const std::function<std::vector<Bits>()>& other) {
  const auto stable = [&](const std::vector<Bits>& before, const std::vector<Bits>& now) {
    if (before == now) return true;
    --tally.probes;
    if (tally.instabilities.count++ > 0) return false;
    CallExample& first = tally.instabilities.first;
    first.has_case = true;
    first.the_case = the_case;
    put(first.circumstances, "the same call again");
    put(first.why, "the kernel gives other bits in the very same call made again");
    const auto [was, is] = std::mismatch(before.begin(), before.end(), now.begin(), now.end());
    if (was == before.end() || is == now.end()) return false;
    first.has_values = true;
    first.result = static_cast<std::uint64_t>(was - before.begin());
    first.got = *is;
    first.expected = *was;
    return false;
  };
  for (int round = 0; round < 3; ++round) {
    if (!stable(due, reference()) || !stable(got, other())) return false;
  }
  return true;
}

void put_fault(CallTally& tally, CallFault fault, const std::string& text) {
  tally.fault = fault;
  put(tally.fault_text, text);
}

}  // namespace assay::window
