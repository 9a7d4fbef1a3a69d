#include "audit/benchmarks/kernel_alone.h"

#include <benchmark/benchmark.h>

#include <cstring>
#include <stdexcept>
#include <vector>

#include "audit/benchmarks/cast_job.h"
#include "audit/worker/processor_time.h"
#include "audit/worker/runner.h"

namespace assay::benchmarks {

KernelAlone::KernelAlone(const Job& job, const KernelVariant& variant)
    : job_(job),
      variant_(variant),
      in_(kBlockProbes * sizeof(Bits) + kSlack),
      out_(kBlockProbes * sizeof(Bits) + kSlack) {}

double KernelAlone::seconds(const ProbeSpace& space, std::uint64_t chunk, std::uint64_t step,
                            int calls) {
  const auto [from, to, rounding] = job_.oracle->operation();
  std::memset(out_.begin(), 0x5a, out_.size());
  std::int64_t in_shape = 0;
  std::int64_t out_shape = 0;
  DLTensor in = dense_tensor(in_.begin(), from, &in_shape, 1);
  DLTensor out = dense_tensor(out_.begin(), to, &out_shape, 1);
  KernelCall call;
  call.inputs = {&in, 1};
  call.outputs = {&out, 1};
  std::size_t probes = 0;
  const double start = processor_seconds();
  for (std::uint64_t block = 0; block < space.blocks(chunk); block += step) {
    probes = space.fill(chunk, block, in_.begin()).probes;
    in_shape = out_shape = static_cast<std::int64_t>(probes);
    for (int i = 0; i < calls; ++i) {
      if (variant_(call) != KernelStatus::kOk) throw std::runtime_error(call.message);
      benchmark::ClobberMemory();
    }
  }
  const double spent = processor_seconds() - start;
  for (std::size_t i = 0; i < probes; ++i) {
    const Bits input = oracle::load(in_.begin(), i, from);
    if (oracle::load(out_.begin(), i, to) != job_.oracle->expect_one(input) &&
        !job_.cells->of(input).caller_error) {
      throw std::runtime_error(variant_.name + ": results differ from the oracle's");
    }
  }
  return spent;
}

double kernel_seconds(const Job& job, const KernelVariant& variant, const ProbeSpace& space,
                      std::uint64_t step) {
  constexpr int kCalls = 5;
  KernelAlone alone(job, variant);
  double total = 0;
  for (std::uint64_t chunk = 0; chunk < space.chunks(); ++chunk) {
    const std::uint64_t taken = (space.blocks(chunk) + step - 1) / step;
    const double once = alone.seconds(space, chunk, step, 1);
    const double often = alone.seconds(space, chunk, step, kCalls);
    total += (often - once) / (kCalls - 1) * static_cast<double>(space.blocks(chunk)) /
             static_cast<double>(taken);
  }
  return total;
}

}  // namespace assay::benchmarks
