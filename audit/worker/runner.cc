#include "audit/worker/runner.h"

#include <cstring>

namespace assay {

DLTensor dense_tensor(const void* data, Dtype dtype, std::int64_t* shape, int rank) {
  DLTensor tensor{};
  tensor.data = const_cast<void*>(data);  // DLPack has no read-only tensors
  tensor.device = {kDLCPU, 0};
  tensor.ndim = rank;
  tensor.dtype = to_dlpack(dtype);
  tensor.shape = shape;
  return tensor;
}

void EnvironmentLog::check(const FpEnvironment& before) {
  const FpEnvironment after = FpEnvironment::current();
  ++calls_;
  if (after == before) return;
  before.restore();
  if (changes_++ == 0) first_change_ = describe_change(before, after);
}

void EnvironmentLog::add_changes(const EnvironmentLog& other) {
  const std::uint64_t more = other.changes();
  if (more == 0) return;
  calls_ += more;
  if (changes_.fetch_add(more) == 0) first_change_ = other.first_change();
}

CastRunner::CastRunner(const Kernel& kernel, const KernelVariant& variant, EnvironmentLog& log)
    : variant_(variant),
      from_(kernel.inputs.front()),
      to_(kernel.outputs.front()),
      log_(log),
      environment_(FpEnvironment::current()) {
  call_.inputs = {&in_, 1};
  call_.outputs = {&out_, 1};
}

CallFault CastRunner::call(const void* in, void* out, std::size_t n) {
  // Anew for each call, with a shape each: what a kernel does to one description must not reach the
  // other, or a later call.
  in_data_ = in;
  elements_ = in_shape_ = out_shape_ = static_cast<std::int64_t>(n);
  in_ = dense_tensor(in, from_, &in_shape_, 1);
  out_ = dense_tensor(out, to_, &out_shape_, 1);
  call_.ran = nullptr;
  call_.message[0] = '\0';
  const KernelStatus status = variant_(call_);
  log_.check(environment_);
  if (status != KernelStatus::kOk) {
    call_.message[sizeof(call_.message) - 1] = '\0';
    fault_ =
        "valid arguments were refused: " + std::string(to_string(status)) + ": " + call_.message;
    return CallFault::kRefused;
  }
  if (call_.ran == nullptr || variant_.name != call_.ran) {
    fault_ = "asked for variant " + variant_.name + ", " +
             (call_.ran == nullptr ? "but the kernel does not say which ran"
                                   : std::string(call_.ran) + " ran");
    return CallFault::kWrongVariant;
  }
  return CallFault::kNone;
}

TensorDescription::Changes CastRunner::input_changes() const {
  std::int64_t shape = elements_;
  DLTensor before = dense_tensor(in_data_, from_, &shape, 1);
  const TensorDescription description(before);
  DLTensor now = in_;
  const bool same_shape = now.shape == &in_shape_ && in_shape_ == elements_;
  now.shape = &shape;
  TensorDescription::Changes changes = description.changes(now);
  changes.shape = changes.shape || !same_shape;
  return changes;
}

}  // namespace assay
