// Kernels on the widest target: casts against loops written by hand, a convolution against the
// scalar one; and how far they are from what the machine can do.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "audit/benchmarks/cast_job.h"
#include "audit/benchmarks/machine_speed.h"
#include "audit/benchmarks/rows.h"
#include "audit/benchmarks/seconds_of.h"
#include "audit/benchmarks/window_job.h"
#include "audit/worker/buffer.h"
#include "kernels/benchmarks/hand_written_casts.h"
#include "oracles/cast_oracle.h"

namespace assay::benchmarks {

namespace {

constexpr std::size_t kElements = 4096;       // in and out in the first-level cache
constexpr std::size_t kStreamed = 64u << 20;  // in no cache, in elements

/// A kernel's variant on dense vectors.
class Cast {
 public:
  Cast(const Job& job, const void* in, void* out, std::size_t n)
      : variant_(*job.variants.back()), shape_{static_cast<std::int64_t>(n)} {
    in_ = dense_tensor(in, job.oracle->operation().from, &shape_, 1);
    out_ = dense_tensor(out, job.oracle->operation().to, &shape_, 1);
    call_.inputs = {&in_, 1};
    call_.outputs = {&out_, 1};
  }
  Cast(const Cast&) = delete;
  Cast& operator=(const Cast&) = delete;
  void operator()() {
    if (variant_(call_) != KernelStatus::kOk) throw std::runtime_error(call_.message);
  }

 private:
  const KernelVariant& variant_;
  std::int64_t shape_;
  DLTensor in_{};
  DLTensor out_{};
  KernelCall call_;
};

/// Numbers whose conversion is nothing special: of different size, every bit in use.
std::vector<Bits> plain_numbers(const Job& job, std::size_t n) {
  const Dtype from = job.oracle->operation().from;
  const oracle::CastOracle* const narrow =
      from == Dtype::kF16 || from == Dtype::kBF16
          ? cast_job(from == Dtype::kF16 ? "cast_f32_to_f16" : "cast_f32_to_bf16").oracle.get()
          : nullptr;
  std::vector<Bits> numbers;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t random = mix(i);
    const double number = static_cast<double>(random >> 11) * 0x1p-53 * 1000 + 1;
    const float single = static_cast<float>(number);
    Bits bits = 0;
    if (from == Dtype::kF64) {
      std::memcpy(&bits, &number, sizeof(number));
    } else if (from == Dtype::kU32) {
      bits = static_cast<std::uint32_t>(random);
    } else {
      std::memcpy(&bits, &single, sizeof(single));
      if (narrow != nullptr) bits = narrow->expect_one(bits);
    }
    numbers.push_back(bits);
  }
  return numbers;
}

/// Throws where the two differ in a bit of the result of any probe of every so many blocks.
void check_equal(const Job& job, const HandWrittenCast& hand) {
  std::vector<std::uint64_t> in(kBlockProbes);
  std::vector<std::uint64_t> mine(kBlockProbes);
  std::vector<std::uint64_t> theirs(kBlockProbes);
  std::uint64_t compared = 0;
  for (const auto& space : job.spaces) {
    const std::uint64_t step = space->chunks() / 256 + 1;
    for (std::uint64_t chunk = 0; chunk < space->chunks(); chunk += step) {
      for (std::uint64_t block = 0; block < space->blocks(chunk); block += 61) {
        const std::size_t probes = space->fill(chunk, block, in.data()).probes / 32 * 32;
        if (probes == 0) continue;
        Cast(job, in.data(), mine.data(), probes)();
        hand.convert(in.data(), theirs.data(), probes);
        for (std::size_t i = 0; i < probes; ++i) {
          const Dtype to = job.oracle->operation().to;
          if (oracle::load(mine.data(), i, to) == oracle::load(theirs.data(), i, to)) continue;
          throw std::runtime_error(fmt::format("{} and {} differ for {:#x}", hand.kernel, hand.how,
                                               oracle::load(in.data(), i, space->dtype())));
        }
        compared += probes;
      }
    }
  }
  if (compared < kBlockProbes) throw std::runtime_error("nothing was compared");
}

Sample against_hand(const HandWrittenCast& hand) {
  const Job& job = cast_job(hand.kernel);
  check_equal(job, hand);
  const std::vector<Bits> numbers = plain_numbers(job, kElements);
  // Pages, as sweeps use them: where vectors lie across lines of the cache is no accident then.
  const GuardedPages in(kElements * sizeof(Bits));
  const GuardedPages out(kElements * sizeof(Bits));
  write_elements(in.begin(), numbers, job.oracle->operation().from);
  Cast cast(job, in.begin(), out.begin(), kElements);
  constexpr int kTurns = 64;
  constexpr int kCalls = 256;
  double kernel = 0;
  double by_hand = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    kernel += seconds_of(kCalls, cast);
    by_hand += seconds_of(kCalls, [&] { hand.convert(in.begin(), out.begin(), kElements); });
  }
  const double elements = kElements * kTurns / 1e9;
  return {kernel / by_hand,
          {{"kernel, G/s", elements / kernel}, {"by hand, G/s", elements / by_hand}}};
}

/// From and to memory, against a copy.
Sample against_memory(const std::string& kernel) {
  const Job& job = cast_job(kernel);
  std::vector<char> in(kStreamed * from_bytes(job), 1);
  std::vector<char> out(kStreamed * to_bytes(job), 2);
  Cast cast(job, in.data(), out.data(), kStreamed);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 4; ++i) best = std::min(best, seconds_of(1, cast));
  const double rate = static_cast<double>(in.size() + out.size()) / best / 1e9;
  const double copied = memory_gigabytes();
  return {rate / copied, {{"kernel, GB/s", rate}, {"copy, GB/s", copied}}};
}

Sample conv_against_scalar() {
  const window::Job& job = window_job("conv2d", Dtype::kF32);
  const window::RateGeometry dense = window::rate_geometries(job.operation).at(0);
  const window::Case the_case{dense.geometry, window::Family::kScaled, 1};
  const window::Tensors tensors = window::make_tensors(job.operation, the_case);
  EnvironmentLog log;
  window::CaseRunner scalar(job.operation, *job.variants.front(), log);
  window::CaseRunner widest(job.operation, *job.variants.back(), log);
  double least_scalar = std::numeric_limits<double>::infinity();
  double least_widest = least_scalar;
  for (int turn = 0; turn < 40; ++turn) {
    if (scalar.run(dense.geometry, tensors) != CallFault::kNone ||
        widest.run(dense.geometry, tensors) != CallFault::kNone) {
      throw std::runtime_error("refused");
    }
    if (scalar.results() != widest.results()) throw std::runtime_error("other bits than scalar");
    least_scalar = std::min(least_scalar, scalar.seconds());
    least_widest = std::min(least_widest, widest.seconds());
  }
  const double work = window::flops(job.operation, dense.geometry).value() / 1e9;
  const double peak = peak_gigaflops();
  return {least_scalar / least_widest,
          {{"scalar, GFLOP/s", work / least_scalar},
           {"widest, GFLOP/s", work / least_widest},
           {"of the peak, %", 100 * work / least_widest / peak}}};
}

}  // namespace

void add_kernel_rows(Rows& rows) {
  const std::vector<HandWrittenCast> all = hand_written_casts();
  if (all.empty()) {
    rows.push_back({"kernel.cast", "casts, widest: time / by hand", "", at_most(1.3), 1,
                    []() -> Sample { throw Skipped("the loops by hand are for AVX-512"); }});
  }
  for (const HandWrittenCast& hand : all) {
    const std::string name = std::string(hand.kernel).substr(5);
    rows.push_back({"kernel.cast." + name,
                    fmt::format("{}, widest: time / by hand ({})", hand.kernel, hand.how), "",
                    at_most(1.3), 5, [hand] { return against_hand(hand); }});
  }
  for (const char* kernel : {"cast_f32_to_f16", "cast_f64_to_f32"}) {
    rows.push_back({std::string("kernel.memory.") + (kernel + 5),
                    fmt::format("{}, widest, from memory: bytes a second / a copy's", kernel),
                    "",
                    {},
                    3,
                    [name = std::string(kernel)] { return against_memory(name); }});
  }
  rows.push_back({"kernel.conv2d_f32", "conv2d f32 3x3, 16 to 16 channels: rate widest / scalar",
                  "", at_least(6), 5, conv_against_scalar});
}

}  // namespace assay::benchmarks
