#include "audit/shrink.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "audit/judge/cast_check.h"
#include "audit/worker/buffer.h"

namespace assay {

namespace {

constexpr std::chrono::seconds kMostTime{60};

class Shrinker {
 public:
  Shrinker(const Job& job, const KernelVariant& variant, const WitnessRequest& request,
           Heartbeat& heartbeat, Witness& witness)
      : job_(job),
        request_(request),
        check_(job, variant, request.claim, job.variants[request.reference]),
        runner_(*job.kernel, variant, log_),
        reference_(*job.kernel, *job.variants[request.reference], log_),
        heartbeat_(heartbeat),
        witness_(witness),
        in_(kBlockProbes * sizeof(Bits) + kSlack),
        out_(kBlockProbes * sizeof(Bits) + kSlack),
        reference_out_(kBlockProbes * sizeof(Bits) + kSlack) {}

  void run() {
    Bits input = request_.seen.input;
    bool found = false;
    if (request_.claim == ClaimKind::kBitwise) {
      found = differing_input(input);
    } else {
      found = true;
    }
    if (found && fails({input}, 0)) {
      simplify(input);
    } else if (found) {
      in_context(input);
    }
    witness_.tried = true;
  }

  /// Where both variants are wrong at many places it may take its time.
  void count_differing() {
    std::uint64_t differing = 0;
    for (const ChunkPlace& place : request_.uncounted) {
      if (!for_each_difference(place, [&](Bits) { ++differing; })) return;
    }
    witness_.differing = differing;
    witness_.counted = true;
  }

 private:
  oracle::CastOperation operation() const { return job_.oracle->operation(); }

  /// True when the call over `inputs` violates the claim at `position`; keeps the case if so.
  bool fails(const std::vector<Bits>& inputs, std::size_t position) {
    heartbeat_.at(++calls_);
    const CastChecked checked = check_.check(inputs, position);
    last_ = checked;
    if (!checked.violated) return false;
    witness_.reproduced = true;
    witness_.elements = static_cast<std::uint32_t>(inputs.size());
    witness_.position = static_cast<std::uint32_t>(position);
    std::ranges::copy(inputs, witness_.inputs);
    witness_.input = inputs[position];
    witness_.got = checked.got;
    witness_.expected = checked.expected;
    return true;
  }

  /// Clears bits, one or two at a time, as long as the single element still fails. Each step makes
  /// the pattern simpler, so there are at most as many as it has bits.
  void simplify(Bits input) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (int high = 63; high >= 0 && !changed; --high) {
        if ((input >> high & 1) == 0) continue;
        for (int low = high; low >= 0 && !changed; --low) {
          if ((input >> low & 1) == 0) continue;
          const Bits candidate = input & ~(Bits{1} << high) & ~(Bits{1} << low);
          if (!fails({candidate}, 0)) continue;
          input = candidate;
          changed = true;
        }
      }
      // The same number of bits at lower places.
      for (int at = 1; at < 64 && !changed; ++at) {
        if ((input >> at & 1) == 0 || (input >> (at - 1) & 1) != 0) continue;
        const Bits candidate = input ^ (Bits{3} << (at - 1));
        if (!fails({candidate}, 0)) continue;
        input = candidate;
        changed = true;
      }
    }
    fails({input}, 0);  // the last word: verified in this process
  }

  /// The element alone does not fail: look for the smallest tensor around it that does.
  void in_context(Bits input) {
    for (std::size_t n = 2; n <= 66; ++n) {
      for (std::size_t position = 0; position < n; ++position) {
        std::vector<Bits> inputs(n, 0);
        inputs[position] = input;
        if (fails(inputs, position)) return;
      }
    }
    const ProbeSpace& space = *job_.spaces[request_.seen.space];
    const Block block = space.fill(request_.seen.chunk, request_.seen.block, in_.begin());
    const std::vector<Bits> all = read_elements(in_.begin(), block.probes, space.dtype());
    const std::size_t at = request_.seen.position;
    for (std::size_t width = 2; width < all.size(); width *= 2) {
      // Windows of the block that hold the element, earliest first.
      for (std::size_t start = at >= width ? at - width + 1 : 0;
           start <= at && start + width <= all.size(); ++start) {
        if (width > 256 && start % 8 != 0) continue;
        const std::vector<Bits> window(all.begin() + static_cast<long>(start),
                                       all.begin() + static_cast<long>(start + width));
        if (fails(window, at - start)) return;
      }
    }
    if (fails(all, at) || last_.fault != CallFault::kNone) return;
    witness_.other_bits = last_.got != request_.seen.got;
    witness_.got_again = last_.got;
  }

  /// The simplest input of the chunk at which variant and reference differ.
  bool differing_input(Bits& simplest) {
    bool found = false;
    for_each_difference({request_.seen.space, request_.seen.chunk}, [&](Bits input) {
      if (found && !Census::simpler(input, simplest)) return;
      simplest = input;
      found = true;
    });
    return found;
  }

  /// Calls `look` with the inputs of a chunk at which variant and reference differ. False where a
  /// call was refused.
  template <typename Look>
  bool for_each_difference(const ChunkPlace& place, Look look) {
    const ProbeSpace& space = *job_.spaces[place.space];
    for (std::uint64_t block = 0; block < space.blocks(place.chunk); ++block) {
      const Block filled = space.fill(place.chunk, block, in_.begin());
      heartbeat_.at(++calls_);
      if (runner_.call(in_.begin(), out_.begin(), filled.probes) != CallFault::kNone ||
          reference_.call(in_.begin(), reference_out_.begin(), filled.probes) != CallFault::kNone) {
        return false;
      }
      for (std::size_t i = 0; i < filled.probes; ++i) {
        if (oracle::load(out_.begin(), i, operation().to) ==
            oracle::load(reference_out_.begin(), i, operation().to)) {
          continue;
        }
        const Bits input = oracle::load(in_.begin(), i, space.dtype());
        if (!job_.cells->of(input).caller_error) look(input);
      }
    }
    return true;
  }

  const Job& job_;
  const WitnessRequest& request_;
  CastCheck check_;
  CastChecked last_;
  EnvironmentLog log_;
  CastRunner runner_;
  CastRunner reference_;
  Heartbeat& heartbeat_;
  Witness& witness_;
  GuardedPages in_;
  GuardedPages out_;
  GuardedPages reference_out_;
  std::uint64_t calls_ = 0;
};

}  // namespace

std::vector<Witness> find_witnesses(const std::vector<Job>& jobs, const AuditOptions& options,
                                    const std::vector<WitnessRequest>& requests) {
  SharedArray<Witness> found(requests.size());
  std::vector<UnitKeys> keys;
  for (std::uint32_t r = 0; r < requests.size(); ++r) keys.push_back({r, r});
  PoolOptions pool;
  pool.workers = options.threads;
  pool.hang_after = options.hang_after;
  // Simplifying is a service; with a kernel that is slow it ends without.
  pool.deadline = std::chrono::steady_clock::now() + kMostTime;
  run_in_workers(keys, pool, [&](std::size_t r, Heartbeat& heartbeat) {
    const WitnessRequest& request = requests[r];
    const Job& job = jobs[request.job];
    Witness local;
    Shrinker shrinker(job, *job.variants[request.variant], request, heartbeat, local);
    shrinker.run();
    found[r] = local;  // kept, should counting not come to its end
    shrinker.count_differing();
    found[r] = local;
  });
  std::vector<Witness> result;
  for (std::size_t r = 0; r < requests.size(); ++r) result.push_back(found[r]);
  return result;
}

}  // namespace assay
