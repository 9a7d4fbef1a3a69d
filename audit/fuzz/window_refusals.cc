#include "audit/fuzz/window_refusals.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "audit/fuzz/finding.h"
#include "audit/fuzz/layout_flag.h"
#include "audit/fuzz/subjects.h"
#include "audit/window/call_contract.h"
#include "audit/window/counterexample.h"
#include "audit/window/examiner.h"
#include "audit/window/geometry_faults.h"

namespace assay::fuzz {

namespace {

using namespace assay::window;

/// A call that has to be refused, and by which claim.
struct Excluded {
  ClaimKind claim = ClaimKind::kAcceptGeometry;
  Call call;
  std::string what;
};

/// The audit's examiner of one variant, kept, since its memory is costly to make.
struct Kept {
  Kept(const window::Job& job, const KernelVariant& variant)
      : subject{job, variant, 1, unheard(), environment},
        examiner(subject, tally, ClaimKind::kAcceptGeometry) {}

  EnvironmentLog environment;
  CallTally tally;
  window::Subject subject;
  Examiner examiner;
};

Kept& kept(const window::Job& job, const KernelVariant& variant) {
  static std::map<std::pair<const window::Job*, const KernelVariant*>, std::unique_ptr<Kept>> all;
  std::unique_ptr<Kept>& mine = all[{&job, &variant}];
  if (mine == nullptr) mine = std::make_unique<Kept>(job, variant);
  return *mine;
}

std::optional<Excluded> by_contract(const Operation& operation, Call call, std::string what) {
  const std::string why = ruled_out(operation, call);
  if (why.empty()) return std::nullopt;
  ClaimKind claim = ClaimKind::kAcceptGeometry;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const fkc::RankRange& admitted = operation.contract->inputs[i].rank;
    const auto rank = static_cast<std::int64_t>(call.inputs[i].shape.size());
    if (rank >= admitted.lower && (!admitted.upper || rank <= *admitted.upper)) continue;
    claim = ClaimKind::kAcceptRank;
  }
  return Excluded{claim, std::move(call), what + " (" + why + ")"};
}

std::optional<Excluded> faulty(const Operation& operation, const Call& plain, ByteReader& bytes) {
  const std::vector<FaultyCall> faults = faulty_calls(operation, plain);
  const FaultyCall& fault = faults[bytes.number<std::uint16_t>() % faults.size()];
  return Excluded{ClaimKind::kAcceptGeometry, fault.call, fault.what};
}

/// Other strides or another offset of an input or the output.
std::optional<Excluded> moved(const window::Job& job, Call call, ByteReader& bytes) {
  const std::size_t which = bytes.below(call.inputs.size() + 1);
  const bool is_output = which == call.inputs.size();
  TensorArgument& tensor = is_output ? call.output : call.inputs[which];
  if (elements(tensor.shape) == 0) return std::nullopt;
  const fkc::Layout* layout = is_output ? nullptr : &job.contract->inputs[which].layout;
  const std::string& guarantee = job.contract->outputs.front().layout_guarantee.value;
  if (is_output && guarantee != "contiguous") return std::nullopt;
  const ClaimKind claim = is_output ? ClaimKind::kLayoutGuarantee : ClaimKind::kAcceptLayout;
  if (bytes.below(4) == 0) {
    // Also such as 16 or 32 bits do not hold.
    constexpr std::uint64_t kOffsets[] = {64, 128, 1 << 10, 1 << 16, std::uint64_t{1} << 32};
    tensor.byte_offset = kOffsets[bytes.below(std::size(kOffsets))];
    if (layout != nullptr && layout->start_offset != fkc::LayoutFlag::kRejected) {
      return std::nullopt;
    }
    return Excluded{claim, std::move(call), fmt::format("tensor {} at an offset", which)};
  }
  tensor.strides = dense_strides(tensor.shape);
  tensor.strides[bytes.below(tensor.strides.size())] = bytes.between(-40, 40);
  if (is_dense(tensor.shape, tensor.strides)) return std::nullopt;
  if (layout != nullptr &&
      flag_of(*layout, tensor.shape, tensor.strides) != fkc::LayoutFlag::kRejected) {
    return std::nullopt;
  }
  std::string what = fmt::format("tensor {} of shape {} with strides {}", which,
                                 shape_text(tensor.shape), shape_text(tensor.strides));
  return Excluded{claim, std::move(call), std::move(what)};
}

/// One operand of another dtype than the others.
std::optional<Excluded> retyped(const window::Job& job, Call call, ByteReader& bytes) {
  const Dtype other = kDtypes[bytes.below(kDtypes.size())].dtype;
  const std::size_t which = bytes.below(call.inputs.size() + 1);
  const bool is_output = which == call.inputs.size();
  if (other == job.operation.dtype) return std::nullopt;
  // A listed dtype of the only operand is that of another kernel.
  const std::vector<Dtype>& listed = job.contract->inputs.front().dtypes;
  const bool lone = !is_output && call.inputs.size() == 1;
  if (lone && std::find(listed.begin(), listed.end(), other) != listed.end()) return std::nullopt;
  (is_output ? call.output : call.inputs[which]).dtype = other;
  return Excluded{is_output ? ClaimKind::kDtypeRule : ClaimKind::kAcceptDtype, std::move(call),
                  fmt::format("tensor {} of dtype {}", which, traits(other).name)};
}

/// Extents and parameters that are other numbers, some of them at the ends of 64 bits: one of them,
/// as a rule, since two hide each other.
std::optional<Excluded> wild(const window::Job& job, Call call, ByteReader& bytes) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kFar[] = {
      -1,       -2,        -3,     1L << 31, (1L << 31) - 1, -(1L << 31),
      kMost,    kMost - 1, kLeast, 1L << 32, (1L << 32) + 1, 255,
      1L << 61, 1L << 62,  64,     65536};
  std::vector<TensorArgument*> tensors;
  for (TensorArgument& input : call.inputs) tensors.push_back(&input);
  tensors.push_back(&call.output);
  const std::size_t changes = bytes.below(4) == 0 ? 3 : 1;
  for (std::size_t i = 0; i < changes; ++i) {
    TensorArgument& tensor = *tensors[bytes.below(tensors.size())];
    const std::uint8_t byte = bytes.byte();
    const std::int64_t number = byte < 128 ? byte % 32 : kFar[byte % std::size(kFar)];
    const std::size_t axis = bytes.below(tensor.shape.size() + call.parameters.size() + 1);
    if (axis < tensor.shape.size()) {
      tensor.shape[axis] = number;
    } else if (axis < tensor.shape.size() + call.parameters.size()) {
      call.parameters[axis - tensor.shape.size()].value = number;
    } else if (bytes.below(2) == 0) {
      tensor.shape.resize(bytes.below(7), 1);
    } else if (!tensor.shape.empty()) {
      tensor.shape.erase(tensor.shape.begin());
    }
  }
  const std::optional<Shape> due = ruled_shape(job.operation, call);
  const std::optional<Shape> careless = careless_shape(job.operation, call, bytes.below(2) == 1);
  switch (bytes.below(4)) {
    case 0:
      if (due) call.output.shape = *due;
      break;
    case 1:
      if (careless) call.output.shape = *careless;
      break;
    default:
      break;
  }
  std::string what;
  for (const TensorArgument* tensor : tensors) what += shape_text(tensor->shape) + " ";
  what += parameter_text(call.parameters);
  return by_contract(job.operation, std::move(call), what);
}

void must_refuse(const window::Job& job, const Excluded& excluded,
                 const std::function<Call(Kept&)>& over_memory) {
  if (job.contract->claim(excluded.claim) == nullptr) return;
  for (const KernelVariant* variant : job.variants) {
    Kept& mine = kept(job, *variant);
    mine.examiner.must_refuse(over_memory(mine), excluded.what);
    if (!mine.tally.has_example) continue;
    report(job.kernel_name, *variant, excluded.claim,
           call_counterexample(job, *variant, excluded.claim, mine.tally.example, Again::kClaim));
  }
}

/// The call, described as `excluded` is, over the memory of this variant's plain call.
Call placed(const Call& excluded, const Call& plain) {
  Call call = excluded;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    call.inputs[i].data = plain.inputs[std::min(i, plain.inputs.size() - 1)].data;
  }
  call.output.data = plain.output.data;
  return call;
}

}  // namespace

void try_variation(const window::Job& job, const Geometry& geometry, ByteReader& bytes) {
  const Case the_case{geometry, Family::kScaled, 7};
  for (const KernelVariant* variant : job.variants) {
    Kept& mine = kept(job, *variant);
    if (mine.examiner.begin(the_case)) continue;
    report_fault(job.kernel_name, *variant, mine.tally.fault_text);
  }
  const Call plain = kept(job, *job.variants.front()).examiner.plain();
  std::optional<Excluded> excluded;
  switch (bytes.below(4)) {
    case 0:
      excluded = faulty(job.operation, plain, bytes);
      break;
    case 1:
      excluded = moved(job, plain, bytes);
      break;
    case 2:
      excluded = retyped(job, plain, bytes);
      break;
    default:
      excluded = wild(job, plain, bytes);
      break;
  }
  if (!excluded) return;
  must_refuse(job, *excluded,
              [&](Kept& mine) { return placed(excluded->call, mine.examiner.plain()); });
}

void try_incomplete(const window::Job& job, const Geometry& geometry) {
  Call call = dense_call(job.operation, geometry);
  const std::optional<Shape> due = ruled_shape(job.operation, call);
  const std::optional<Shape> careless = careless_shape(job.operation, call, false);
  call.output.shape = due ? *due : careless ? *careless : Shape{1, 1, 1, 1};
  const std::optional<Excluded> excluded =
      by_contract(job.operation, call, describe(job.operation, geometry));
  if (!excluded) return;
  // Any memory will do for a call that must not reach it: that of a small plain call.
  Case small;
  if (!roomy_case(job, small)) return;
  must_refuse(job, *excluded, [&](Kept& mine) {
    if (!mine.examiner.begin(small)) {
      report_fault(job.kernel_name, mine.subject.variant, mine.tally.fault_text);
    }
    return placed(excluded->call, mine.examiner.plain());
  });
}

}  // namespace assay::fuzz
