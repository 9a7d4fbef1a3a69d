// Calls of convolutions and poolings for tests of the mutants: with every tensor at the end of
// pages of its own, so that a step outside is a crash.
#pragma once

#include <sys/wait.h>

#include <csignal>
#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>

#include "contracts/testing/catch.h"
#include "kernels/conv/testing/geometry.h"
#include "kernels/mutants/mutants.h"
#include "kernels/testing/guarded_pages.h"

namespace assay::testing {

inline const Registry& registry() {
  static const Registry built_in = built_in_registry();
  return built_in;
}

inline const Mutant& window_mutant(std::string_view name) {
  static const std::vector<Mutant> all = window_mutants();
  for (const Mutant& mutant : all) {
    if (mutant.name == name) return mutant;
  }
  throw std::runtime_error("no mutant " + std::string(name));
}

inline const Kernel& kernel_of(const Mutant& mutant) {
  const Kernel* kernel = registry().find(mutant.entry_point);
  if (kernel == nullptr) throw std::runtime_error("no kernel " + mutant.entry_point);
  return *kernel;
}

/// "conv2d" of "...::conv2d_f32".
inline std::string operation_of(const Mutant& mutant) {
  const std::size_t from = mutant.entry_point.rfind(':') + 1;
  return mutant.entry_point.substr(from, mutant.entry_point.rfind('_') - from);
}

inline bool is_pool(const Mutant& mutant) {
  return operation_of(mutant) == "max_pool2d";
}

/// A pooling's tensors and parameters in the form that convolutions have.
inline Convolution make_pooling(Dtype dtype, const std::vector<std::int64_t>& shape,
                                std::int64_t kernel, std::int64_t stride) {
  const std::vector<std::int64_t> out = {shape[0], shape[1], (shape[2] - kernel) / stride + 1,
                                         (shape[3] - kernel) / stride + 1};
  return {{Dense(dtype, shape)}, Dense(dtype, out), {{"kernel_size", kernel}, {"stride", stride}}};
}

/// One call over guarded memory.
class GuardedCall {
 public:
  explicit GuardedCall(const Convolution& made) : parameters(made.parameters), made_(made) {
    for (const Dense& input : made_.inputs) inputs.push_back(input.view(placed(input)));
    output = made_.out.view(placed(made_.out));
  }
  GuardedCall(const GuardedCall&) = delete;
  GuardedCall& operator=(const GuardedCall&) = delete;

  KernelStatus run(KernelFunction function) {
    reply = {};
    reply.inputs = inputs;
    reply.outputs = {&output, 1};
    reply.parameters = parameters;
    const KernelStatus status = function(reply);
    reply.inputs = {};
    reply.outputs = {};
    reply.parameters = {};
    return status;
  }

  /// Whether the call ends the process, found out in another one.
  bool crashes(KernelFunction function) {
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork");
    if (child == 0) {
      for (const int number : {SIGSEGV, SIGBUS}) std::signal(number, SIG_DFL);
      run(function);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }

  /// The output as it stands.
  Dense result() const {
    Dense out = made_.out;
    if (!out.bytes().empty()) std::memcpy(out.bytes().data(), output.data, out.bytes().size());
    return out;
  }
  void fill_output(int byte) {
    if (output.data != nullptr) std::memset(output.data, byte, made_.out.bytes().size());
  }
  /// The pages of a tensor: inputs in order, then the output.
  GuardedPages& pages(std::size_t i) { return *pages_.at(i); }
  const std::int64_t* kept(std::vector<std::int64_t> numbers) {
    return numbers_.emplace_back(std::move(numbers)).data();
  }

  std::vector<DLTensor> inputs;
  DLTensor output;
  std::vector<KernelParameter> parameters;
  KernelCall reply;

 private:
  std::byte* placed(const Dense& tensor) {
    const std::size_t size = tensor.bytes().size();
    pages_.push_back(std::make_unique<GuardedPages>(size));
    std::byte* data = pages_.back()->end() - size;
    if (size != 0) std::memcpy(data, tensor.bytes().data(), size);
    return data;
  }

  Convolution made_;
  std::vector<std::unique_ptr<GuardedPages>> pages_;
  std::deque<std::vector<std::int64_t>> numbers_;
};

inline constexpr int kOldOutput = 0x42;  // 48.5 and the like in every format

/// The results of a call that works, over an output that held `old_output` in every byte.
inline Dense result(KernelFunction function, const Convolution& made, int old_output = kOldOutput) {
  GuardedCall call(made);
  call.fill_output(old_output);
  const KernelStatus status = call.run(function);
  INFO(call.reply.message);
  REQUIRE(status == KernelStatus::kOk);
  return call.result();
}

inline KernelFunction scalar(const Mutant& mutant) {
  return kernel_of(mutant).variants[0].function;
}

/// Whether a mutant is about the numbers that come out of a valid call.
inline bool is_about_results(const Mutant& mutant) {
  for (const char* claim : {"accumulator", "error_bound", "padding_skipped", "selection_exact",
                            "nan", "output_fully_written"}) {
    if (mutant.claim == claim) return true;
  }
  return false;
}

}  // namespace assay::testing
