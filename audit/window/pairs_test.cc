#include "audit/window/pairs.h"

#include <algorithm>
#include <functional>
#include <set>

#include "audit/window/testing/driven.h"
#include "contracts/testing/catch.h"
#include "oracles/special_values.h"

namespace assay::window {
namespace {

using testing::count_of;
using Word = std::uint16_t;

constexpr std::uint64_t kPatterns = 65536;

/// What the kernel below makes of a window's two values: its first one and the other, or the first
/// twice.
std::function<Word(Word, Word)> choice;
Dtype format_of_choice = Dtype::kF16;

Word greater(Word a, Word b) {
  const DtypeTraits& format = traits(format_of_choice);
  const auto key = [&](Word bits) {
    const int magnitude = bits & 0x7fff;
    if (format.is_nan(bits)) return -0x10000;
    return (bits & 0x8000) != 0 ? -magnitude - 1 : magnitude;
  };
  return key(b) > key(a) ? b : a;
}

/// A pooling of two rows with windows of 2x2, side by side.
KernelStatus chosen(KernelCall& call) {
  const auto* x = static_cast<const Word*>(call.inputs[0].data);
  auto* out = static_cast<Word*>(call.outputs[0].data);
  const std::int64_t windows = call.outputs[0].shape[3];
  for (std::int64_t w = 0; w < windows; ++w) {
    const Word* top = x + 2 * w;
    const Word* bottom = top + 2 * windows;
    const bool same =
        top[0] + top[1] == bottom[0] + bottom[1] && (top[0] == bottom[0] || top[0] == bottom[1]);
    out[w] = same ? choice(top[0], top[1]) : Word{0x1234};
  }
  call.ran = "scalar";
  return KernelStatus::kOk;
}

SweepTally sweep_of(const testing::Driven& driven, const std::vector<Bits>& firsts) {
  Heartbeat heartbeat = testing::unheard();
  SweepTally tally;
  format_of_choice = driven.job.operation.dtype;
  sweep_pairs(driven.job, *driven.job.variants[0], Rules(driven.job.operation), firsts, heartbeat,
              tally);
  return tally;
}

std::unique_ptr<testing::Driven> pooling(Dtype dtype, KernelFunction function = chosen) {
  return testing::driven("max_pool2d", dtype, {{"scalar", function}});
}

TEST_CASE("pairs are gone through for poolings of 16 bits with their window", "[window]") {
  for (const Dtype dtype : {Dtype::kF16, Dtype::kBF16}) {
    const Operation& operation = testing::operation("max_pool2d", dtype);
    CHECK(has_pairs(operation));
    for (const std::size_t windows : {1, 2, 4096}) {
      Geometry geometry = pair_geometry(windows);
      const Geometry made = geometry;
      CHECK(complete(operation, geometry));
      CHECK(geometry == made);
    }
  }
  CHECK_FALSE(has_pairs(testing::operation("max_pool2d", Dtype::kF32)));
  CHECK_FALSE(has_pairs(testing::operation("conv2d_simple", Dtype::kF16)));
  const auto unstrided = testing::read_edited(
      "max_pool2d", Dtype::kF16,
      {{"      stride: { kind: usize, constraint: \"stride > 0\" }\n", ""},
       {")/stride+1", "+1)"},
       {"Hout=(x.dim[2]-kernel_size+1)", "Hout=x.dim[2]-kernel_size+1"},
       {"Wout=(x.dim[3]-kernel_size)/stride+1", "Wout=x.dim[3]-kernel_size+1"}});
  REQUIRE(unstrided.why_not.empty());
  CHECK_FALSE(has_pairs(unstrided.operation));
}

TEST_CASE("first values are distinct, and all of them where that is asked for", "[window]") {
  for (const Dtype dtype : {Dtype::kF16, Dtype::kBF16}) {
    const auto size_of = [&](Effort effort) {
      const std::vector<Bits> values = first_values(dtype, effort);
      const std::set<Bits> different(values.begin(), values.end());
      CHECK(different.size() == values.size());
      CHECK(*different.rbegin() < kPatterns);
      return values.size();
    };
    CHECK(size_of(Effort::kQuick) == 32);
    CHECK(size_of(Effort::kStandard) == 256);
    CHECK(size_of(Effort::kExhaustive) == kPatterns);
    for (const Effort effort : {Effort::kQuick, Effort::kStandard}) {
      const std::vector<Bits> values = first_values(dtype, effort);
      const DtypeTraits& format = traits(dtype);
      const auto has = [&](Bits bits) {
        INFO(hex(bits, dtype));
        CHECK(std::find(values.begin(), values.end(), bits) != values.end());
      };
      has(0);
      has(format.sign_mask());
      has(format.infinity());
      has(format.infinity() | format.sign_mask());
      has(format.infinity() | format.quiet_bit());
      has(format.infinity() | 1);
      has(format.max_finite() | format.sign_mask());
      has(1);
    }
  }
}

/// What the slow way counts: every pair judged by the oracle alone.
struct Counted {
  std::uint64_t numbers = 0, met_nan = 0, wrong = 0, only_nans = 0, both_zeros = 0, negative = 0;
};

Counted count_by_oracle(const std::vector<Bits>& firsts, Dtype dtype) {
  Counted counted;
  const DtypeTraits& format = traits(dtype);
  for (const Bits first : firsts) {
    for (Bits second = 0; second < kPatterns; ++second) {
      const Bits window[] = {first, second};
      const oracle::Selection selection = oracle::select_maximum(window, dtype);
      const Bits got = choice(static_cast<Word>(first), static_cast<Word>(second));
      counted.numbers += selection.only_nans ? 0 : 1;
      counted.only_nans += selection.only_nans ? 1 : 0;
      counted.both_zeros += selection.both_zeros ? 1 : 0;
      counted.negative += selection.both_zeros && format.is_negative(got) ? 1 : 0;
      const bool nan = format.is_nan(first) || format.is_nan(second);
      counted.met_nan += nan && !selection.only_nans ? 1 : 0;
      counted.wrong += oracle::is_right(selection, got, dtype) ? 0 : 1;
    }
  }
  return counted;
}

void check_counts(const SweepTally& tally, const Counted& due, std::size_t firsts) {
  CHECK(tally.fault == CallFault::kNone);
  CHECK(tally.probes == firsts * kPatterns);
  CHECK(count_of(tally, ClaimKind::kSelectionExact).probes == firsts * kPatterns);
  CHECK(count_of(tally, ClaimKind::kSelectionExact).violations == due.wrong);
  CHECK(count_of(tally, ClaimKind::kMaxUlp).probes == due.numbers);
  CHECK(count_of(tally, ClaimKind::kNan).probes == due.met_nan);
  CHECK(tally.only_nans == due.only_nans);
  CHECK(tally.both_zeros == due.both_zeros);
  CHECK(tally.both_zeros_give_negative == due.negative);
}

const std::vector<Bits> kFew = {0x0000, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x3c01, 0x8001};

TEST_CASE("the fast way counts what the oracle says of every pair", "[window]") {
  for (const Dtype dtype : {Dtype::kF16, Dtype::kBF16}) {
    INFO(traits(dtype).name);
    const auto job = pooling(dtype);
    format_of_choice = dtype;
    choice = greater;
    check_counts(sweep_of(*job, kFew), count_by_oracle(kFew, dtype), kFew.size());
    // The other zero of two.
    choice = [](Word a, Word b) {
      return (a | b) == 0x8000 && (a == 0 || b == 0) ? Word{0x8000} : greater(a, b);
    };
    const Counted negative = count_by_oracle(kFew, dtype);
    CHECK(negative.wrong == 0);
    CHECK(negative.negative == negative.both_zeros);
    check_counts(sweep_of(*job, kFew), negative, kFew.size());
    // Always the first: wrong for about half of all.
    choice = [](Word a, Word) { return a; };
    const std::vector<Bits> two = {0x3c01, 0x7fff};
    check_counts(sweep_of(*job, two), count_by_oracle(two, dtype), two.size());
  }
}

TEST_CASE("the fast verdict on pairs of special values is the oracle's", "[window]") {
  for (const Dtype dtype : {Dtype::kF16, Dtype::kBF16}) {
    INFO(traits(dtype).name);
    const auto job = pooling(dtype);
    std::vector<bool> special(kPatterns);
    const std::vector<Bits> specials = oracle::special_values(dtype);
    for (const Bits bits : specials) special[bits] = true;
    const std::vector<std::function<Word(Word, Word)>> wrong = {
        [](Word a, Word) { return a; },
        [](Word, Word b) { return b; },
        [](Word a, Word b) { return greater(a, b) == a ? b : a; },
        [](Word a, Word b) { return static_cast<Word>(greater(a, b) ^ 1); },
        [](Word, Word) { return Word{0x7fff}; },
    };
    for (std::size_t k = 0; k < wrong.size(); ++k) {
      const auto& of_specials = wrong[k];
      // To keep it short, each with a share of the special values: together they have them all.
      std::vector<Bits> firsts;
      for (std::size_t i = k; i < specials.size(); i += wrong.size()) {
        firsts.push_back(specials[i]);
      }
      choice = [&](Word a, Word b) { return special[b] ? of_specials(a, b) : greater(a, b); };
      format_of_choice = dtype;
      const SweepTally tally = sweep_of(*job, firsts);
      std::uint64_t due = 0;
      for (const Bits first : firsts) {
        for (const Bits second : specials) {
          const Bits window[] = {first, second};
          const Word got = of_specials(static_cast<Word>(first), static_cast<Word>(second));
          due += oracle::is_right(oracle::select_maximum(window, dtype), got, dtype) ? 0 : 1;
        }
      }
      CHECK(due > 0);
      CHECK(count_of(tally, ClaimKind::kSelectionExact).violations == due);
    }
  }
}

TEST_CASE("a kernel that is wrong for one pair of patterns is found", "[window]") {
  for (const Dtype dtype : {Dtype::kF16, Dtype::kBF16}) {
    const auto job = pooling(dtype);
    for (const auto& [first, second] : {std::pair<Word, Word>(0x3c01, 0x4abc),
                                        {0x3c01, 0x3c02},
                                        {0x0000, 0x0001},
                                        {0x7f81, 0x2222},
                                        {0x3c01, 0xffff},
                                        {0x3c01, 0x0000}}) {
      INFO(traits(dtype).name << " " << first << " " << second);
      choice = [&, a = first, b = second](Word x, Word y) {
        const bool pair = (x == a && y == b) || (x == b && y == a);
        return pair ? static_cast<Word>(greater(x, y) ^ 1) : greater(x, y);
      };
      const SweepTally tally = sweep_of(*job, {0x1111, first, 0x2223});
      const ClaimCount& count = count_of(tally, ClaimKind::kSelectionExact);
      CHECK(count.violations == 1);
      CHECK(count.first.in_case == kPairCase);
      CHECK(count.first.pair == (static_cast<std::uint32_t>(first) << 16 | second));
      CHECK(count.first.got == (greater(first, second) ^ 1));
      CHECK(count.size == 5);
    }
  }
}

TEST_CASE("pairs count under every bound that is declared", "[window]") {
  const auto reading = testing::read_edited(
      "max_pool2d", Dtype::kF16,
      {{"max_relative: ~", "max_relative: 0.0"}, {"max_absolute: ~", "max_absolute: 0.0"}});
  const auto job = testing::driven(reading, {{"scalar", chosen}});
  choice = greater;
  const SweepTally tally = sweep_of(*job, kFew);
  const std::uint64_t due = count_of(tally, ClaimKind::kMaxUlp).probes;
  CHECK(due > 0);
  CHECK(count_of(tally, ClaimKind::kMaxRelative).probes == due);
  CHECK(count_of(tally, ClaimKind::kMaxAbsolute).probes == due);
}

TEST_CASE("pairs are judged by the rule for NaNs, or by none", "[window]") {
  const auto with_rule = [](const char* rule) {
    return testing::driven(
        testing::read_edited("max_pool2d", Dtype::kF16, {{"  nan: ignored\n", rule}}),
        {{"scalar", chosen}});
  };
  const auto nan_wins = [](Word a, Word b) {
    const DtypeTraits& format = traits(Dtype::kF16);
    return format.is_nan(a) ? a : format.is_nan(b) ? b : greater(a, b);
  };
  const auto violations = [&](const char* rule) {
    const auto job = with_rule(rule);
    return count_of(sweep_of(*job, kFew), ClaimKind::kSelectionExact).violations;
  };
  choice = greater;
  const std::uint64_t mixed = count_by_oracle(kFew, Dtype::kF16).met_nan;
  CHECK(violations("  nan: ignored\n") == 0);
  CHECK(violations("  nan: preserved\n") == mixed);
  choice = nan_wins;
  CHECK(violations("  nan: ignored\n") == mixed);
  CHECK(violations("  nan: preserved\n") == 0);
}

KernelStatus refuses(KernelCall&) {
  return KernelStatus::kBadShape;
}

TEST_CASE("a kernel that refuses pairs is at fault", "[window]") {
  const auto job = pooling(Dtype::kF16, refuses);
  const SweepTally tally = sweep_of(*job, kFew);
  CHECK(tally.fault == CallFault::kRefused);
  CHECK((tally.calls == 1 && tally.probes == 0));
  choice = greater;
  const auto named = testing::driven("max_pool2d", Dtype::kF16, {{"AVX9", chosen}});
  CHECK(sweep_of(*named, kFew).fault == CallFault::kWrongVariant);
}

}  // namespace
}  // namespace assay::window
