#include "audit/judge/structure.h"

#include <algorithm>

#include "audit/probe/space.h"
#include "contracts/measure.h"

namespace assay {

std::size_t buffer_alignment(const fkc::KernelContract& contract, std::size_t element_bytes) {
  std::uint64_t alignment = element_bytes;
  while (alignment < contract.alignment_bytes && alignment < kMostAlignment) alignment *= 2;
  return static_cast<std::size_t>(alignment);
}

std::size_t Subject::alignment() const {
  return buffer_alignment(contract, std::max(from_bytes(), to_bytes()));
}

const std::vector<StructureRow>& structure_rows() {
  static const std::vector<StructureRow> rows = {
      // First in its process, since it has to see the kernel's first call there.
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
      // In a process of its own.
      {ClaimKind::kResourcesKept, judge_resources},
  };
  return rows;
}

namespace {

StructureExample example_of(const std::vector<Bits>& values, std::size_t position,
                            const std::string& circumstances, const std::string& why) {
  StructureExample example;
  example.elements = static_cast<std::uint32_t>(values.size());
  example.position = static_cast<std::uint32_t>(position);
  std::copy_n(values.begin(), std::min<std::size_t>(values.size(), 64), example.input);
  if (position < values.size()) example.element = values[position];
  put(example.circumstances, circumstances);
  put(example.why, why);
  return example;
}

}  // namespace

void add_violation(StructureTally& tally, const std::vector<Bits>& values, std::size_t position,
                   const std::string& circumstances, const std::string& why) {
  ++tally.violations;
  if (tally.first_violation == 0) {
    tally.first_violation = std::max<std::uint64_t>(tally.probes, 1);  // judges count, then judge
  }
  if (tally.has_example) return;
  tally.has_example = true;
  tally.example = example_of(values, position, circumstances, why);
}

void add_violation(StructureTally& tally, const std::vector<Bits>& values, std::size_t position,
                   Bits got, Bits expected, const std::string& circumstances,
                   const std::string& why) {
  const bool first = !tally.has_example;
  add_violation(tally, values, position, circumstances, why);
  if (!first) return;
  tally.example.has_values = true;
  tally.example.got = got;
  tally.example.expected = expected;
}

void add_input_change(StructureTally& tally, const std::string& circumstances,
                      const std::string& why) {
  if (tally.input_changes.count++ > 0) return;
  tally.input_changes.first = example_of({}, 0, circumstances, why);
}

bool close_enough(const Subject& subject, Bits input, Bits a, Bits b) {
  const DtypeTraits& to = traits(subject.to());
  if (a == b || (to.is_nan(a) && to.is_nan(b))) return true;
  if (subject.cells.of(input).nothing_due) return true;
  std::uint64_t allowed = 0;
  if (const Claim* claim = subject.contract.claim(ClaimKind::kMaxUlp)) {
    if (const auto* steps = std::get_if<std::uint64_t>(&claim->value)) allowed = 2 * *steps;
  }
  const std::optional<std::uint64_t> distance = ulp_distance(a, b, subject.to());
  return distance && *distance <= std::max<std::uint64_t>(allowed, 4);
}

bool shows_again(StructureTally& tally, const std::vector<Bits>& inputs,
                 const std::vector<Bits>& due, const std::vector<Bits>& got,
                 const Repeat& reference, const Repeat& other) {
  const auto stable = [&](const std::vector<Bits>& before, const std::vector<Bits>& now) {
    if (before == now) return true;
    --tally.probes;
    if (tally.instabilities.count++ > 0) return false;
    StructureExample& first = tally.instabilities.first;
    const auto [was, is] = std::mismatch(before.begin(), before.end(), now.begin(), now.end());
    const auto position = static_cast<std::size_t>(was - before.begin());
    first = example_of(inputs, position, "the same call again",
                       "the kernel gives other bits in the very same call made again");
    if (was == before.end() || is == now.end()) return false;
    first.has_values = true;
    first.got = *is;
    first.expected = *was;
    return false;
  };
  for (int round = 0; round < 3; ++round) {
    if (!stable(due, reference()) || !stable(got, other())) return false;
  }
  return true;
}

void put_fault(StructureTally& tally, CallFault fault, const std::string& text) {
  tally.fault = fault;
  put(tally.fault_text, text);
}

}  // namespace assay
