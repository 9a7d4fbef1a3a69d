#include "audit/fuzz/cast_refusals.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "audit/fuzz/finding.h"
#include "audit/fuzz/layout_flag.h"
#include "audit/judge/structure.h"
#include "audit/worker/buffer.h"
#include "contracts/fkc/call_shapes.h"

namespace assay::fuzz {

namespace {

using Shape = std::vector<std::int64_t>;

constexpr std::size_t kRoom = 8192;  // bytes: more than any shape and offset here reaches
constexpr unsigned char kOld = 0xc5;

struct Tensor {
  Dtype dtype{};
  Shape shape;
  Shape strides;  ///< empty: none given
  std::uint64_t byte_offset = 0;
  bool dense = true;  ///< by its strides
};

struct Descriptions {
  Tensor in;
  Tensor out;

  std::string text() const {
    const auto one = [](const Tensor& tensor) {
      return fmt::format("{} of shape ({}), strides ({}), byte_offset {}",
                         traits(tensor.dtype).name, fmt::join(tensor.shape, ", "),
                         fmt::join(tensor.strides, ", "), tensor.byte_offset);
    };
    return fmt::format("an input {}; an output {}", one(in), one(out));
  }
};

std::int64_t elements(const Shape& shape) {
  std::int64_t product = 1;
  for (const std::int64_t extent : shape) product *= extent;
  return product;
}

/// Extents of at most 64 elements in all.
Shape shape(ByteReader& bytes) {
  Shape extents(bytes.below(7));
  for (std::int64_t& extent : extents) {
    extent = bytes.between(0, 9);
    if (elements(extents) > 64) extent = 1;
  }
  return elements(extents) > 64 ? Shape{64} : extents;
}

/// Strides from the byte's choice: none, those of a dense tensor, or others.
void put_strides(Tensor& tensor, ByteReader& bytes) {
  const std::size_t choice = bytes.below(6);
  if (choice < 3) return;
  Shape dense(tensor.shape.size(), 1);
  for (std::size_t axis = dense.size(); axis-- > 1;) {
    dense[axis - 1] = dense[axis] * tensor.shape[axis];
  }
  tensor.strides = dense;
  if (choice > 3 && !dense.empty()) {
    const std::size_t axis = bytes.below(dense.size());
    tensor.strides[axis] = bytes.between(-9, 9);
  }
  tensor.dense = is_dense(tensor.shape, tensor.strides);
}

Dtype any_dtype(ByteReader& bytes) {
  return kDtypes[bytes.below(kDtypes.size())].dtype;
}

Descriptions descriptions(const Job& job, ByteReader& bytes) {
  Descriptions call;
  // One thing that is unusual, as a rule: two hide each other.
  const std::size_t choice = bytes.below(8);
  const auto chosen = [&](std::size_t mine) { return choice == mine || choice == 7; };
  call.in.shape = shape(bytes);
  call.out.shape = chosen(0) ? shape(bytes) : call.in.shape;
  call.in.dtype = chosen(1) ? any_dtype(bytes) : job.kernel->inputs.front();
  call.out.dtype = chosen(2) ? any_dtype(bytes) : job.kernel->outputs.front();
  if (chosen(3)) put_strides(call.in, bytes);
  if (chosen(4)) put_strides(call.out, bytes);
  if (chosen(5)) call.in.byte_offset = bytes.below(33) * 64;
  if (chosen(6)) call.out.byte_offset = bytes.below(33) * 64;
  return call;
}

/// The claims by which the call must be refused.
std::vector<ClaimKind> ruled_out(const Job& job, const Descriptions& call) {
  const fkc::KernelContract& contract = *job.contract;
  const fkc::InputOperand& input = contract.inputs.front();
  const fkc::OutputOperand& output = contract.outputs.front();
  std::vector<ClaimKind> claims;
  const bool listed =
      std::find(input.dtypes.begin(), input.dtypes.end(), call.in.dtype) != input.dtypes.end();
  if (!listed) claims.push_back(ClaimKind::kAcceptDtype);
  if (call.out.dtype != job.kernel->outputs.front()) claims.push_back(ClaimKind::kDtypeRule);
  const auto rank = static_cast<std::int64_t>(call.in.shape.size());
  if (rank < input.rank.lower || (input.rank.upper && rank > *input.rank.upper)) {
    claims.push_back(ClaimKind::kAcceptRank);
  }
  if (!call.in.dense &&
      flag_of(input.layout, call.in.shape, call.in.strides) == fkc::LayoutFlag::kRejected) {
    claims.push_back(ClaimKind::kAcceptLayout);
  }
  const bool offset = call.in.byte_offset != 0 && elements(call.in.shape) > 0;
  if (offset && input.layout.start_offset == fkc::LayoutFlag::kRejected) {
    claims.push_back(ClaimKind::kAcceptLayout);
  }
  fkc::CallShapes shapes;
  shapes.operands[input.name.value] = call.in.shape;
  const fkc::OutputShape due = fkc::output_shape(contract, output, shapes);
  if (due.shape && *due.shape != call.out.shape) claims.push_back(ClaimKind::kShapeRule);
  const bool moved = call.out.byte_offset != 0 && elements(call.out.shape) > 0;
  if (output.layout_guarantee.value == "contiguous" && (!call.out.dense || moved)) {
    claims.push_back(ClaimKind::kLayoutGuarantee);
  }
  return claims;
}

/// Whether nothing about the call is unusual: then it must be carried out.
bool is_plain(const Job& job, const Descriptions& call) {
  return call.in.dtype == job.kernel->inputs.front() &&
         call.out.dtype == job.kernel->outputs.front() && call.in.shape == call.out.shape &&
         call.in.dense && call.out.dense && call.in.byte_offset == 0 && call.out.byte_offset == 0;
}

DLTensor description(Tensor& tensor, const GuardedPages& pages) {
  DLTensor made = dense_tensor(pages.begin() + kRoom / 2, tensor.dtype, tensor.shape.data(),
                               static_cast<int>(tensor.shape.size()));
  if (!tensor.strides.empty()) made.strides = tensor.strides.data();
  made.byte_offset = tensor.byte_offset;
  return made;
}

[[noreturn]] void broken(const Job& job, const KernelVariant& variant, ClaimKind claim,
                         const Descriptions& call, const std::string& what) {
  StructureTally tally;
  add_violation(tally, {}, 0, call.text(), what);
  report(job.contract->kernel, variant, claim,
         structure_counterexample(job, variant, claim, tally.example, Again::kClaim));
}

void try_variant(const Job& job, const KernelVariant& variant, Descriptions call) {
  static const GuardedPages in(kRoom);
  static const GuardedPages out(kRoom);
  std::memset(in.begin(), 0, in.size());
  std::memset(out.begin(), kOld, out.size());
  DLTensor input = description(call.in, in);
  DLTensor output = description(call.out, out);
  KernelCall kernel_call;
  kernel_call.inputs = {&input, 1};
  kernel_call.outputs = {&output, 1};
  KernelStatus status = KernelStatus::kOk;
  const CaughtSignal signal = run_catching([&] { status = variant(kernel_call); });
  kernel_call.message[sizeof(kernel_call.message) - 1] = '\0';
  const bool refused = signal.signal == 0 && status != KernelStatus::kOk;
  const bool touched =
      std::any_of(out.begin(), out.end(), [](unsigned char byte) { return byte != kOld; });
  const std::vector<ClaimKind> claims = ruled_out(job, call);
  if (claims.empty()) {
    if (!is_plain(job, call)) return;
    if (signal.signal != 0) report_fault(job.contract->kernel, variant, call.text());
    if (refused) {
      report_fault(job.contract->kernel, variant,
                   fmt::format("{}: {}: {}", call.text(), to_string(status), kernel_call.message));
    }
    return;
  }
  const ClaimKind claim = claims.front();
  if (job.contract->claim(claim) == nullptr) return;
  if (!refused) broken(job, variant, claim, call, "the call is not refused");
  if (touched) {
    broken(job, variant, claim, call, "the call is refused, but output bytes were written before");
  }
}

}  // namespace

void try_descriptions(const Job& job, ByteReader& bytes) {
  const Descriptions call = descriptions(job, bytes);
  for (const KernelVariant* variant : job.variants) try_variant(job, *variant, call);
}

}  // namespace assay::fuzz
