#include "audit/window/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

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

void add(TensorDescription::Changes& to, const TensorDescription::Changes& more) {
  to.dtype = to.dtype || more.dtype;
  to.shape = to.shape || more.shape;
  to.layout = to.layout || more.layout;
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
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    add(reply.inputs_changed, before[i].changes(inputs[i]));
  }
  reply.output_changed = output_before.changes(output);
  return reply;
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
    return fmt::format("{}: {}", to_string(reply.status), reply.message);
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

CallFault CaseRunner::run(const Geometry& geometry, const Tensors& tensors) {
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
  const Reply reply = make_call(variant_, call, log_, false);
  seconds_ = reply.seconds;
  inputs_changed_ = reply.inputs_changed.any();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool same = std::equal(before[i].begin(), before[i].end(), call.inputs[i].data);
    inputs_changed_ = inputs_changed_ || !same;
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
