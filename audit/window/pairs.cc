#include "audit/window/pairs.h"

#include <algorithm>
#include <cstring>

#include "audit/window/call.h"
#include "audit/worker/fixed_text.h"
#include "audit/worker/processor_time.h"
#include "contracts/measure.h"
#include "oracles/special_values.h"

namespace assay::window {

namespace {

constexpr std::size_t kWindows = 4096;  // of one call

/// A second value for each place, every pattern once: neighbours are far apart, so that all kinds
/// meet in one vector.
std::uint16_t second_value(std::uint32_t place) {
  return static_cast<std::uint16_t>(place * 40503u);  // odd: a permutation of 16 bits
}

/// The image of the call that has the windows from `start` on.
void fill_image(std::uint16_t first, std::uint32_t start, std::uint16_t* image) {
  for (std::size_t w = 0; w < kWindows; ++w) {
    const std::uint16_t second = second_value(start + static_cast<std::uint32_t>(w));
    image[2 * w] = first;
    image[2 * w + 1] = second;
    // The second row in the other order in every other window.
    const bool turned = w % 2 != 0;
    image[2 * kWindows + 2 * w] = turned ? second : first;
    image[2 * kWindows + 2 * w + 1] = turned ? first : second;
  }
}

/// Calls with one first value.
class PairSweep {
 public:
  PairSweep(const Job& job, const KernelVariant& variant, const Rules& rules, Heartbeat& heartbeat,
            SweepTally& tally)
      : job_(job),
        operation_(job.operation),
        format_(traits(operation_.dtype)),
        variant_(variant),
        rules_(rules),
        heartbeat_(heartbeat),
        tally_(tally),
        call_(dense_call(operation_, pair_geometry(kWindows))),
        in_(4 * kWindows * sizeof(std::uint16_t) + kSlack),
        out_(kWindows * sizeof(std::uint16_t) + kSlack) {
    call_.inputs[0].data = in_.begin();
    call_.output.data = out_.begin();
    due_.resize(kWindows);
  }

  bool run(Bits first) {
    for (std::uint32_t start = 0; start < kPatterns; start += kWindows) {
      fill(static_cast<std::uint16_t>(first), start);
      heartbeat_.at(first);
      std::memset(out_.begin(), 0xc5, kWindows * sizeof(std::uint16_t));
      const Reply reply = make_call(variant_, call_, log_, false);
      ++tally_.calls;
      tally_.kernel_seconds += reply.seconds;
      tally_.input_changes += reply.inputs_changed.any() ? 1 : 0;
      CallFault fault = CallFault::kNone;
      const std::string why = fault_of(reply, variant_, fault);
      if (fault != CallFault::kNone) {
        tally_.fault = fault;
        put(tally_.fault_text, why);
        return false;
      }
      compare(first, start);
    }
    heartbeat_.did(kPatterns);
    return true;
  }

  void finish() {
    tally_.environment_changes += log_.changes();
    put(tally_.environment_change, log_.first_change());
  }

 private:
  void fill(std::uint16_t first, std::uint32_t start) {
    fill_image(first, start, reinterpret_cast<std::uint16_t*>(in_.begin()));
    const bool first_is_nan = format_.is_nan(first);
    const std::int64_t first_key = order_key(first, operation_.dtype);
    for (std::size_t w = 0; w < kWindows; ++w) {
      const std::uint16_t second = second_value(start + static_cast<std::uint32_t>(w));
      const bool takes_second = !format_.is_nan(second) &&
                                (first_is_nan || order_key(second, operation_.dtype) > first_key);
      due_[w] = takes_second ? second : first;
    }
  }

  /// What is equal to the greatest number is right; what is not, or needs a rule, or shows what a
  /// contract leaves open, is judged like any other result.
  void compare(Bits first, std::uint32_t start) {
    const auto* results = reinterpret_cast<const std::uint16_t*>(out_.begin());
    const std::size_t nan = result_claim_row(ClaimKind::kNan);
    const bool ignores = rules_.judges(nan) && rules_.nan == NanRule::kIgnored;
    const bool simple = ignores || !rules_.nan_declared;
    std::uint64_t plain = 0;
    std::uint64_t met_nan = 0;
    for (std::size_t w = 0; w < kWindows; ++w) {
      const std::uint16_t second = second_value(start + static_cast<std::uint32_t>(w));
      const bool both_zeros = (first ^ second) == format_.sign_mask() && format_.is_zero(first);
      if (simple && results[w] == due_[w] && !format_.is_nan(due_[w]) && !both_zeros) {
        ++plain;
        met_nan += format_.is_nan(first) || format_.is_nan(second) ? 1 : 0;
        continue;
      }
      judge(first, start + static_cast<std::uint32_t>(w), results[w]);
    }
    for (const ClaimKind kind : {ClaimKind::kMaxUlp, ClaimKind::kMaxRelative,
                                 ClaimKind::kMaxAbsolute, ClaimKind::kSelectionExact}) {
      const std::size_t row = result_claim_row(kind);
      if (rules_.judges(row)) tally_.claims[row].probes += plain;
    }
    if (ignores) tally_.claims[nan].probes += met_nan;
    tally_.probes += plain;
    tally_.measured += plain;
    tally_.error_rows[0] += plain;
  }

  void judge(Bits first, std::uint32_t place, Bits got) {
    const std::uint32_t pair = static_cast<std::uint32_t>(first) << 16 | second_value(place);
    const Place seen{kPairCase, 0, got, pair};
    const Case the_case = case_of(job_, seen);
    const Tensors tensors = make_tensors(operation_, the_case);
    TruthSource source(operation_, the_case.geometry, tensors);
    judge_one(job_, rules_, seen, source, source.truth(0), tally_);
  }

  const Job& job_;
  const Operation& operation_;
  const DtypeTraits& format_;
  const KernelVariant& variant_;
  const Rules& rules_;
  Heartbeat& heartbeat_;
  SweepTally& tally_;
  EnvironmentLog log_;
  Call call_;
  GuardedPages in_;
  GuardedPages out_;
  std::vector<std::uint16_t> due_;
};

}  // namespace

bool has_pairs(const Operation& operation) {
  if (operation.kind != OperationKind::kPooling || traits(operation.dtype).width != 16)
    return false;
  Geometry geometry = pair_geometry(kWindows);
  const oracle::ConvolutionGeometry due = geometry.extents;
  return complete(operation, geometry) && geometry.extents == due;
}

Geometry pair_geometry(std::size_t windows) {
  Geometry geometry;
  const auto count = static_cast<std::int64_t>(windows);
  geometry.extents.image = {2, 2 * count};
  geometry.extents.kernel = {2, 2};
  geometry.extents.stride = {2, 2};
  geometry.extents.result = {1, count};
  return geometry;
}

PairCall pair_call(Bits first, Bits second) {
  std::uint32_t place = 0;
  while (second_value(place) != second) ++place;
  const auto windows = static_cast<std::uint32_t>(kWindows);
  std::vector<std::uint16_t> image(4 * kWindows);
  fill_image(static_cast<std::uint16_t>(first), place / windows * windows, image.data());
  PairCall call;
  call.geometry = pair_geometry(kWindows);
  call.tensors.x.assign(image.begin(), image.end());
  call.result = place % windows;
  return call;
}

std::vector<Bits> first_values(Dtype dtype, Effort effort) {
  std::vector<Bits> all;
  std::vector<bool> taken(kPatterns);
  const auto add = [&](Bits bits) {
    while (taken[bits]) bits = (bits + 1) % kPatterns;  // each counts once: the next one instead
    taken[bits] = true;
    all.push_back(bits);
  };
  if (effort == Effort::kExhaustive) {
    for (Bits bits = 0; bits < kPatterns; ++bits) add(bits);
    return all;
  }
  // The ends of every kind of number first: no sample may pass over one of them.
  const DtypeTraits& format = traits(dtype);
  const Bits infinity = format.infinity();
  for (const Bits magnitude :
       {Bits{0}, Bits{1}, format.min_normal() - 1, format.min_normal(), format.one(),
        format.max_finite(), infinity, infinity | 1, infinity | format.quiet_bit()}) {
    add(magnitude);
    add(magnitude | format.sign_mask());
  }
  const std::size_t count = effort == Effort::kQuick ? 32 : 256;
  const std::vector<Bits> specials = oracle::special_values(dtype);
  const std::size_t of_specials = std::min(count / 2, specials.size());
  for (std::size_t i = 0; i < of_specials && all.size() < count / 2; ++i) {
    const Bits special = specials[i * specials.size() / of_specials];
    if (!taken[special]) add(special);
  }
  const std::size_t rest = count - all.size();
  for (std::size_t i = 0; i < rest; ++i) add(i * kPatterns / rest + 77 * i % 128);
  return all;
}

void sweep_pairs(const Job& job, const KernelVariant& variant, const Rules& rules,
                 std::span<const Bits> firsts, Heartbeat& heartbeat, SweepTally& tally) {
  const double start = processor_seconds();
  PairSweep sweep(job, variant, rules, heartbeat, tally);
  for (const Bits first : firsts) {
    if (!sweep.run(first)) break;
  }
  sweep.finish();
  tally.seconds += processor_seconds() - start;
}

}  // namespace assay::window
