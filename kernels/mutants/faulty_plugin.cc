// A shared library of faulty kernels, for tests: f32 to f16, one fault in each variant. The faults
// are those of memory, processes and environment, which a kernel inside this program cannot show as
// well.
#include <unistd.h>

#include <cfenv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "kernels/abi/assay_kernels.h"
#include "kernels/cast/convert.h"

namespace {

/// The correct conversion of the dense tensors of a call; refuses what is not one.
std::int32_t convert(const assay_call* call) {
  if (call->input_count != 1 || call->output_count != 1 || call->parameter_count != 0) {
    return ASSAY_BAD_ARITY;
  }
  const DLTensor& x = call->inputs[0];
  const DLTensor& y = call->outputs[0];
  if (x.dtype.code != kDLFloat || x.dtype.bits != 32 || y.dtype.code != kDLFloat ||
      y.dtype.bits != 16) {
    return ASSAY_BAD_DTYPE;
  }
  if (x.ndim != y.ndim) return ASSAY_BAD_SHAPE;
  std::int64_t n = 1;
  for (int axis = x.ndim - 1; axis >= 0; --axis) {
    if (x.shape[axis] != y.shape[axis]) return ASSAY_BAD_SHAPE;
    for (const DLTensor* tensor : {&x, &y}) {
      if (tensor->strides != nullptr && tensor->shape[axis] != 1 && tensor->strides[axis] != n) {
        return ASSAY_BAD_LAYOUT;
      }
    }
    n *= x.shape[axis];
  }
  if (x.byte_offset != 0 || y.byte_offset != 0) return ASSAY_BAD_LAYOUT;
  const auto* in = static_cast<const std::uint32_t*>(x.data);
  auto* out = static_cast<std::uint16_t*>(y.data);
  for (std::int64_t i = 0; i < n; ++i) {
    out[i] = assay::cast::narrow<assay::cast::F32, assay::cast::F16>(in[i]);
  }
  return ASSAY_OK;
}

std::int64_t elements(const assay_call* call) {
  std::int64_t n = 1;
  for (int axis = 0; axis < call->inputs[0].ndim; ++axis) n *= call->inputs[0].shape[axis];
  return n;
}

auto* output(const assay_call* call) {
  return static_cast<volatile std::uint16_t*>(call->outputs[0].data);
}
auto* input(const assay_call* call) {
  return static_cast<volatile std::uint32_t*>(call->inputs[0].data);
}

template <void (*kFault)(const assay_call*, std::int64_t)>
std::int32_t faulty(const assay_call* call) {
  const std::int32_t status = convert(call);
  if (status == ASSAY_OK && elements(call) > 0) kFault(call, elements(call));
  return status;
}

void crash(const assay_call* /*call*/, std::int64_t n) {
  if (n == 5) std::raise(SIGSEGV);
}
void end_process(const assay_call* /*call*/, std::int64_t n) {
  if (n == 5) _exit(0);
}
void fail_an_assertion(const assay_call* /*call*/, std::int64_t n) {
  if (n == 5) std::abort();
}
void hang(const assay_call* /*call*/, std::int64_t n) {
  while (n == 5) std::this_thread::sleep_for(std::chrono::seconds(1));
}
void read_past_the_end(const assay_call* call, std::int64_t n) {
  volatile char beyond = reinterpret_cast<volatile const char*>(input(call))[4 * n];
  (void)beyond;
}
void write_an_input(const assay_call* call, std::int64_t n) {
  input(call)[n - 1] = input(call)[n - 1];
}
void round_toward_zero(const assay_call* /*call*/, std::int64_t /*n*/) {
  std::fesetround(FE_TOWARDZERO);
}
void leave_a_file_open(const assay_call* /*call*/, std::int64_t n) {
  if (n == 5) static_cast<void>(dup(0));
}
void leave_a_thread(const assay_call* /*call*/, std::int64_t n) {
  if (n != 5) return;
  std::thread([] {
    for (;;) pause();
  }).detach();
}
/// Asks for memory until there is no more, or far too much is had.
void exhaust_memory(const assay_call* /*call*/, std::int64_t n) {
  if (n != 5) return;
  constexpr std::size_t kStep = std::size_t{64} << 20;
  for (std::size_t had = 0; had <= (std::size_t{6} << 30); had += kStep) {
    void* more = std::malloc(kStep);
    if (more == nullptr) std::abort();
    std::memset(more, 1, kStep);
  }
  std::abort();
}
/// A message without an end.
void fill_the_message(const assay_call* call, std::int64_t n) {
  if (n == 5) std::memset(call->message, 'x', static_cast<std::size_t>(call->message_size));
}
void change_the_last_lane(const assay_call* call, std::int64_t n) {
  if (n > 1) output(call)[n - 1] = output(call)[n - 1] ^ 1;
}

/// Leaves the last byte of the output as it was.
std::int32_t leave_a_byte(const assay_call* call) {
  const std::int64_t n = elements(call);
  auto* bytes = reinterpret_cast<volatile unsigned char*>(output(call));
  if (n == 0 || call->outputs[0].dtype.bits != 16) return convert(call);
  const unsigned char old = call->outputs[0].data != nullptr ? bytes[2 * n - 1] : 0;
  const std::int32_t status = convert(call);
  if (status == ASSAY_OK) bytes[2 * n - 1] = old;
  return status;
}

void throw_an_exception(const assay_call* /*call*/, std::int64_t n) {
  if (n == 5) throw std::runtime_error("out of patience");
}

/// What a reduction does that is divided among as many threads as there are.
void depend_on_own_threads(const assay_call* call, std::int64_t n) {
  static const char* const threads = std::getenv("OMP_NUM_THREADS");
  if (threads != nullptr && threads[0] == '4') output(call)[n - 1] = output(call)[n - 1] ^ 1;
}

/// Adds up with what the output held.
std::int32_t read_the_output(const assay_call* call) {
  const std::int64_t n = elements(call);
  if (n == 0 || call->outputs[0].dtype.bits != 16) return convert(call);
  const std::uint16_t old = output(call)[0];
  const std::int32_t status = convert(call);
  if (status == ASSAY_OK && old == 0xffff) output(call)[0] = output(call)[0] ^ 1;
  return status;
}

/// What start-up code compiled with -ffast-math does.
#if defined(ASSAY_FAULTY_START) && defined(__SSE2__)
[[gnu::constructor]] void flush_to_zero() {
  _mm_setcsr(_mm_getcsr() | 0x8040);
}
#endif

constexpr DLDataType kF32 = {kDLFloat, 32, 1};
constexpr DLDataType kF16 = {kDLFloat, 16, 1};
constexpr assay_kernel row(const char* variant, assay_kernel_function function,
                           std::uint32_t flags = 0) {
  return {
      "fuel_reference_backend::ops::cast_f32_to_f16", variant, &kF32, &kF16, 1, 1, flags, function};
}

constexpr assay_kernel kKernels[] = {
    row("healthy", convert),
    row("crashes", faulty<crash>),
    row("exits", faulty<end_process>),
    row("aborts", faulty<fail_an_assertion>),
    row("hangs", faulty<hang>),
    row("over_reads", faulty<read_past_the_end>),
    row("writes_input", faulty<write_an_input>),
    row("leaves_byte", leave_a_byte),
    row("leaves_rounding", faulty<round_toward_zero>),
    row("wrong_last_lane", faulty<change_the_last_lane>),
    row("reads_output", read_the_output),
    row("leaves_file_open", faulty<leave_a_file_open>),
    row("leaves_thread", faulty<leave_a_thread>),
    row("own_threads", faulty<depend_on_own_threads>, ASSAY_KERNEL_THREADS),
    row("exhausts_memory", faulty<exhaust_memory>),
    row("throws", faulty<throw_an_exception>),
    row("fills_message", faulty<fill_the_message>),
};

#if defined(ASSAY_FAULTY_START)
constexpr assay_kernel_list kList = {ASSAY_KERNELS_ABI_VERSION, 1, kKernels};
#else
constexpr assay_kernel_list kList = {ASSAY_KERNELS_ABI_VERSION, std::size(kKernels), kKernels};
#endif

}  // namespace

const assay_kernel_list* assay_kernel_table() {
  return &kList;
}
