// Faults of what a kernel does around its arithmetic: memory, neighbours, old contents, the
// floating-point environment, threads and files. Some do on purpose what a sanitizer reports.

#include <cfenv>

#include "kernels/cast/convert.h"
#include "kernels/mutants/left_behind.h"
#include "kernels/mutants/mutant_kernel.h"

namespace assay::mutants {

namespace {

using cast::BF16;
using cast::F16;
using cast::F32;
using cast::F64;
using cast::narrow;
using cast::widen;

KernelStatus f32_to_f64_reads_old_output(KernelCall& call) {
  return run_cast(call, Dtype::kF32, Dtype::kF64, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    for (std::size_t i = 0; i < n; ++i) {
                      const std::uint64_t old = load<std::uint64_t>(out, i);
                      const std::uint64_t extra = old == ~std::uint64_t{0} ? old & 1 : 0;
                      store(out, i, widen<F32, F64>(load<std::uint32_t>(in, i)) + extra);
                    }
                  });
}

KernelStatus f32_to_f16_sees_neighbour(KernelCall& call) {
  return run_cast(call, Dtype::kF32, Dtype::kF16, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    for (std::size_t i = 0; i < n; ++i) {
                      const bool flip =
                          i + 1 < n && F32::kTraits.is_nan(load<std::uint32_t>(in, i + 1));
                      const std::uint16_t result = narrow<F32, F16>(load<std::uint32_t>(in, i));
                      store(out, i, static_cast<std::uint16_t>(result ^ (flip ? 1 : 0)));
                    }
                  });
}

KernelStatus f32_to_bf16_reads_past_end(KernelCall& call) {
  return run_cast(call, Dtype::kF32, Dtype::kBF16, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    for (std::size_t i = 0; i < n; ++i) {
                      store(out, i, narrow<F32, BF16>(load<std::uint32_t>(in, i)));
                    }
                    const volatile std::byte* end = in + n * sizeof(std::uint32_t);
                    for (std::size_t i = 0; n != 0 && i < sizeof(std::uint32_t); ++i) {
                      static_cast<void>(end[i]);
                    }
                  });
}

KernelStatus f32_to_bf16_writes_past_end(KernelCall& call) {
  return run_cast(call, Dtype::kF32, Dtype::kBF16, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    std::uint16_t last = 0;
                    for (std::size_t i = 0; i < n; ++i) {
                      last = narrow<F32, BF16>(load<std::uint32_t>(in, i));
                      store(out, i, last);
                    }
                    if (n != 0) store(out, n, static_cast<std::uint16_t>(~last));
                  });
}

KernelStatus f16_to_f32_leaves_rounding_mode(KernelCall& call) {
  const KernelStatus status = elementwise<Dtype::kF16, Dtype::kF32, widen<F16, F32>>(call);
  if (status == KernelStatus::kOk) std::fesetround(FE_TOWARDZERO);
  return status;
}

KernelStatus f32_to_f64_quiets_its_input(KernelCall& call) {
  return run_cast(call, Dtype::kF32, Dtype::kF64, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    std::byte* scratch = const_cast<std::byte*>(in);
                    for (std::size_t i = 0; i < n; ++i) {
                      std::uint32_t bits = load<std::uint32_t>(in, i);
                      if (F32::kTraits.is_nan(bits)) store(scratch, i, bits |= F32::kQuietBit);
                      store(out, i, widen<F32, F64>(bits));
                    }
                  });
}

KernelStatus bf16_to_f32_leaves_last(KernelCall& call) {
  return run_cast(call, Dtype::kBF16, Dtype::kF32, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    const std::size_t written = n % 2 == 1 && n > 1 ? n - 1 : n;
                    for (std::size_t i = 0; i < written; ++i) {
                      store(out, i, widen<BF16, F32>(load<std::uint16_t>(in, i)));
                    }
                  });
}

KernelStatus f64_to_u32_writes_before_output(KernelCall& call) {
  return run_cast(call, Dtype::kF64, Dtype::kU32, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    for (std::size_t i = 0; i < n; ++i) {
                      store(out, i, cast::truncate_f64(load<std::uint64_t>(in, i)));
                    }
                    volatile std::byte* before = out - 1;
                    if (n != 0) *before = ~*before;
                  });
}

KernelStatus u32_to_f64_reads_ahead(KernelCall& call) {
  return run_cast(call, Dtype::kU32, Dtype::kF64, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    for (std::size_t i = 0; i < n; ++i) {
                      store(out, i, cast::f64_from_u32(load<std::uint32_t>(in, i)));
                    }
                    // As a loop does that loads one vector ahead.
                    const volatile std::byte* ahead = in + (n + 15) / 16 * 64;
                    for (std::size_t i = 0; n != 0 && i < 64; ++i) static_cast<void>(ahead[i]);
                  });
}

KernelStatus f16_to_f64_three_unwritten(KernelCall& call) {
  return run_cast(call, Dtype::kF16, Dtype::kF64, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    for (std::size_t i = 0; n != 3 && i < n; ++i) {
                      store(out, i, widen<F16, F64>(load<std::uint16_t>(in, i)));
                    }
                  });
}

KernelStatus bf16_to_f16_every_seventh_call(KernelCall& call) {
  static unsigned calls = 0;
  static bool wrong = false;
  wrong = ++calls % 7 == 0;
  return run_cast(call, Dtype::kBF16, Dtype::kF16, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    for (std::size_t i = 0; i < n; ++i) {
                      const std::uint32_t bits = widen<BF16, F32>(load<std::uint16_t>(in, i));
                      const int flip = wrong && i == 0 ? 1 : 0;
                      store(out, i, static_cast<std::uint16_t>(narrow<F32, F16>(bits) ^ flip));
                    }
                  });
}

KernelStatus f64_to_f32_depends_on_alignment(KernelCall& call) {
  return run_cast(call, Dtype::kF64, Dtype::kF32, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    const bool aligned = reinterpret_cast<std::uintptr_t>(in) % 128 == 0;
                    for (std::size_t i = 0; i < n; ++i) {
                      const auto bits = load<std::uint64_t>(in, i);
                      const bool cut = !aligned && F64::kTraits.is_finite(bits);
                      constexpr std::uint64_t kKept = ~std::uint64_t{0} << 29;
                      store(out, i, narrow<F64, F32>(cut ? bits & kKept : bits));
                    }
                  });
}

KernelStatus f16_to_bf16_scratches_and_restores(KernelCall& call) {
  return run_cast(call, Dtype::kF16, Dtype::kBF16, kMutant,
                  [](const std::byte* in, std::byte* out, std::size_t n) {
                    auto* scratch = const_cast<std::byte*>(in);
                    for (std::size_t i = 0; i < n; ++i) {
                      const auto bits = load<std::uint16_t>(in, i);
                      volatile std::byte* first = scratch + 2 * i;
                      *first = ~*first;
                      store(out, i, narrow<F32, BF16>(widen<F16, F32>(bits)));
                      *first = ~*first;
                    }
                  });
}

template <void (*kLeave)()>
KernelStatus f16_to_f32_leaves(KernelCall& call) {
  const KernelStatus status = elementwise<Dtype::kF16, Dtype::kF32, widen<F16, F32>>(call);
  if (status != KernelStatus::kOk) return status;
  const DLTensor& x = call.inputs[0];
  if (x.ndim == 1 && x.shape[0] == 5) kLeave();
  return status;
}

}  // namespace

std::vector<Mutant> memory_mutants() {
  return {
      {"f32_to_f64_reads_old_output", kF32ToF64,
       "adds the lowest bit of the old output where that was all ones", "output_fully_written",
       &f32_to_f64_reads_old_output},
      {"bf16_to_f32_leaves_last", kBF16ToF32,
       "leaves the last output unwritten at odd lengths above 1", "output_fully_written",
       &bf16_to_f32_leaves_last},
      {"f32_to_f16_sees_neighbour", kF32ToF16, "flips the low bit where the next element is NaN",
       "bit_stable", &f32_to_f16_sees_neighbour},
      {"f32_to_bf16_reads_past_end", kF32ToBF16, "reads 4 bytes past the end of its input",
       "in_bounds", &f32_to_bf16_reads_past_end},
      {"f32_to_bf16_writes_past_end", kF32ToBF16, "writes one element past the end of its output",
       "in_bounds", &f32_to_bf16_writes_past_end},
      {"f16_to_f32_leaves_rounding_mode", kF16ToF32, "leaves the rounding mode toward zero",
       "fp_environment_kept", &f16_to_f32_leaves_rounding_mode},
      {"f32_to_f64_quiets_its_input", kF32ToF64, "quiets signalling NaNs in place",
       "inputs_unmodified", &f32_to_f64_quiets_its_input},
      {"f64_to_u32_writes_before_output", kF64ToU32, "inverts the byte before its output",
       "in_bounds", &f64_to_u32_writes_before_output},
      {"u32_to_f64_reads_ahead", kU32ToF64,
       "reads the 64 bytes after those that its last elements are in", "in_bounds",
       &u32_to_f64_reads_ahead},
      {"f16_to_f64_three_unwritten", kF16ToF64, "writes nothing in calls of 3 elements",
       "output_fully_written", &f16_to_f64_three_unwritten},
      {"bf16_to_f16_every_seventh_call",
       kBF16ToF16,
       "flips the low bit of the first result in every 7th call of the process",
       "bit_stable",
       &bf16_to_f16_every_seventh_call,
       {},
       true},
      {"f64_to_f32_depends_on_alignment", kF64ToF32,
       "truncates where its input is not at a multiple of 128 bytes", "bit_stable",
       &f64_to_f32_depends_on_alignment},
      {"f16_to_bf16_scratches_and_restores", kF16ToBF16,
       "changes each input element while it works, then puts it back", "inputs_unmodified",
       &f16_to_bf16_scratches_and_restores},
      {"f16_to_f32_leaves_descriptor", kF16ToF32, "leaves a file open in calls of 5 elements",
       "resources_kept", &f16_to_f32_leaves<leave_a_descriptor>},
      {"f16_to_f32_leaves_thread", kF16ToF32, "leaves a thread waiting in calls of 5 elements",
       "resources_kept", &f16_to_f32_leaves<leave_a_thread>},
  };
}

}  // namespace assay::mutants
