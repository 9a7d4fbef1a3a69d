#include "audit/window/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "audit/window/bench.h"

namespace assay::window {

namespace {

constexpr unsigned char kUnwritten = 0xc5;

DLTensor describe(TensorArgument& argument) {
  DLTensor tensor = dense_tensor(argument.data, argument.dtype, argument.shape.data(),
                                 static_cast<int>(argument.shape.size()));
  if (!argument.strides.empty()) tensor.strides = argument.strides.data();
  tensor.byte_offset = argument.byte_offset;
  return tensor;
}

}  // namespace

Reply make_call(const KernelVariant& variant, Call& call, EnvironmentLog& log, bool catching) {
  // Copies: what a kernel does to a description must not reach a later call.
  Call mine = call;
  std::vector<DLTensor> inputs;
  std::vector<TensorDescription> before;
  for (TensorArgument& argument : mine.inputs) {
    inputs.push_back(describe(argument));
    before.emplace_back(inputs.back());
  }
  DLTensor output = describe(mine.output);
  const TensorDescription output_before(output);
  KernelCall kernel_call;
  kernel_call.inputs = inputs;
  kernel_call.outputs = {&output, 1};
  kernel_call.parameters = mine.parameters;
  Reply reply;
  const FpEnvironment environment = FpEnvironment::current();
  const auto start = std::chrono::steady_clock::now();
  if (catching) {
    reply.signal = run_catching([&] { reply.status = variant(kernel_call); });
  } else {
    reply.status = variant(kernel_call);
  }
  reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  log.check(environment);
  kernel_call.message[sizeof(kernel_call.message) - 1] = '\0';
  reply.message = kernel_call.message;
  if (kernel_call.ran != nullptr) reply.ran = kernel_call.ran;
  for (std::size_t i = inputs.size(); i-- > 0;) {
    const TensorDescription::Changes changes = before[i].changes(inputs[i]);
    if (!changes.any()) continue;
    reply.inputs_changed = changes;
    reply.first_changed = i;
  }
  reply.output_changed = output_before.changes(output);
  return reply;
}

std::string description_change(const Operation& operation, const Reply& reply) {
  const TensorDescription::Changes& changes = reply.inputs_changed;
  if (!changes.any()) return {};
  const char* part = changes.dtype   ? "dtype"
                     : changes.shape ? "shape"
                                     : "strides, offset, data pointer or device";
  // A call may have more inputs than its operation.
  const bool named = reply.first_changed < operation.contract->inputs.size();
  const std::string which = named ? "`" + operation.input_name(reply.first_changed) + "`"
                                  : fmt::format("{}", reply.first_changed);
  return fmt::format("the kernel changes the {} in the description of its input {}", part, which);
}

std::string element_change(const Operation& operation, std::size_t input, std::size_t byte) {
  return fmt::format("the kernel writes to element {} of its input `{}`",
                     byte / static_cast<std::size_t>(traits(operation.dtype).bytes()),
                     operation.input_name(input));
}

Call dense_call(const Operation& operation, const Geometry& geometry) {
  Call call;
  for (Shape& shape : input_shapes(operation, geometry)) {
    TensorArgument argument;
    argument.dtype = operation.dtype;
    argument.shape = std::move(shape);
    call.inputs.push_back(std::move(argument));
  }
  call.output.dtype = operation.dtype;
  call.output.shape = output_shape(geometry);
  call.parameters = parameters(operation, geometry);
  return call;
}

std::string fault_of(const Reply& reply, const KernelVariant& variant, CallFault& fault) {
  fault = CallFault::kNone;
  if (reply.status != KernelStatus::kOk) {
    fault = CallFault::kRefused;
    return fmt::format("valid arguments were refused: {}: {}", to_string(reply.status),
                       reply.message);
  }
  if (reply.ran == variant.name) return {};
  fault = CallFault::kWrongVariant;
  return fmt::format(
      "asked for variant {}, {}", variant.name,
      reply.ran.empty() ? "but the kernel does not say which ran" : reply.ran + " ran");
}

CaseRunner::CaseRunner(const Operation& operation, const KernelVariant& variant,
                       EnvironmentLog& log)
    : operation_(operation), variant_(variant), log_(log) {}

unsigned char* CaseRunner::room(std::size_t slot, std::size_t bytes) {
  if (pages_.size() <= slot) pages_.resize(slot + 1);
  std::unique_ptr<GuardedPages>& pages = pages_[slot];
  if (pages == nullptr || pages->size() < bytes + kSlack) {
    pages = std::make_unique<GuardedPages>(bytes + kSlack);
  }
  return pages->begin();
}

CallFault CaseRunner::run(const Geometry& geometry, const Tensors& tensors, bool catching) {
  const auto bytes = static_cast<std::size_t>(traits(operation_.dtype).bytes());
  Call call = dense_call(operation_, geometry);
  const std::vector<const std::vector<Bits>*> inputs = tensors.inputs(operation_, geometry);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    call.inputs[i].data = room(i + 1, inputs[i]->size() * bytes);
    write_elements(call.inputs[i].data, *inputs[i], operation_.dtype);
  }
  const std::size_t count = elements(call.output.shape);
  call.output.data = room(0, count * bytes);
  std::memset(call.output.data, kUnwritten, count * bytes);
  std::vector<std::vector<unsigned char>> before;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const unsigned char* data = call.inputs[i].data;
    before.emplace_back(data, data + inputs[i]->size() * bytes);
  }
  const Reply reply = make_call(variant_, call, log_, catching);
  status_ = reply.signal.signal == 0 ? reply.status : KernelStatus::kOk;
  if (reply.signal.signal != 0) {
    fault_ =
        fmt::format("{} ({})", ended_text(reply.signal), window::describe(operation_, geometry));
    return CallFault::kRefused;
  }
  seconds_ = reply.seconds;
  input_change_ = description_change(operation_, reply);
  for (std::size_t i = 0; i < inputs.size() && input_change_.empty(); ++i) {
    if (before[i].empty() ||
        std::memcmp(before[i].data(), call.inputs[i].data, before[i].size()) == 0) {
      continue;
    }
    const auto change = std::mismatch(before[i].begin(), before[i].end(), call.inputs[i].data);
    const auto byte = static_cast<std::size_t>(change.first - before[i].begin());
    input_change_ = element_change(operation_, i, byte);
  }
  CallFault fault = CallFault::kNone;
  fault_ = fault_of(reply, variant_, fault);
  if (fault != CallFault::kNone) {
    fault_ += " (" + window::describe(operation_, geometry) + ")";
    return fault;
  }
  results_ = read_elements(call.output.data, count, operation_.dtype);
  return CallFault::kNone;
}

}  // namespace assay::window
