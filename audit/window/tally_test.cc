// What one result adds to a tally, and what tallies add up to.
#include <cstring>

#include "audit/window/pairs.h"
#include "audit/window/sweep.h"
#include "audit/window/testing/driven.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

using testing::count_of;

constexpr Bits kOne = 0x3f800000;
constexpr Bits kMinusZero = 0x80000000;
constexpr Bits kNan = 0x7fc00000;

/// One result of two products, or a window of two elements, judged under a contract's claims.
class OneResult {
 public:
  OneResult(testing::Reading reading, const Tensors& tensors) : tensors_(tensors) {
    Case the_case;
    the_case.geometry.extents.image = {1, 2};
    the_case.geometry.extents.kernel = {1, 2};
    the_case.geometry.bias = !tensors.bias.empty();
    if (!reading.operation.is_sum()) {
      the_case.geometry.extents.image = {2, 2};
      the_case.geometry.extents.kernel = {2, 2};
    }
    driven_ = testing::driven(std::move(reading), {}, {the_case});
    REQUIRE(complete(driven_->job.operation, driven_->job.cases[0].geometry));
  }

  Truth truth() {
    return TruthSource(driven_->job.operation, driven_->job.cases[0].geometry, tensors_).truth(0);
  }

  void judge(Bits got) {
    const Job& job = driven_->job;
    TruthSource source(job.operation, job.cases[0].geometry, tensors_);
    judge_one(job, Rules(job.operation), {0, 0, got, 0}, source, source.truth(0), tally);
  }

  SweepTally tally;

 private:
  Tensors tensors_;
  std::unique_ptr<testing::Driven> driven_;
};

testing::Reading conv2d(std::optional<BiasOrder> order = BiasOrder::kLast) {
  return testing::read_changed("conv2d", Dtype::kF32,
                               [&](fkc::KernelContract& contract) { contract.bias_order = order; });
}

testing::Reading pooling() {
  return testing::read_edited("max_pool2d", Dtype::kF32, {});
}

TEST_CASE("errors go to their row, and the largest are kept with their place", "[window]") {
  OneResult sum(conv2d(), {{kOne, 0}, {kOne, 0}, {}});
  sum.judge(kOne);
  sum.judge(kOne + 1);
  sum.judge(kOne + 3);
  sum.judge(kOne + 2);
  CHECK(sum.tally.probes == 4);
  CHECK(sum.tally.measured == 4);
  CHECK(sum.tally.error_rows[0] == 1);
  CHECK(sum.tally.error_rows[error_row(1)] == 1);
  CHECK(sum.tally.error_rows[error_row(2)] == 1);
  CHECK(sum.tally.error_rows[error_row(3)] == 1);
  CHECK(sum.tally.max_distance == 3);
  CHECK(sum.tally.ulp.value == 3);
  CHECK(sum.tally.ulp.at.got == kOne + 3);
  CHECK(sum.tally.absolute.value == 3 * 0x1p-23);
  CHECK(sum.tally.relative.value == 3 * 0x1p-23);
  CHECK(count_of(sum.tally, ClaimKind::kAccumulator).probes == 4);
  CHECK(count_of(sum.tally, ClaimKind::kAccumulator).violations == 3);
  CHECK(count_of(sum.tally, ClaimKind::kAccumulator).size == 5);
  CHECK(count_of(sum.tally, ClaimKind::kAccumulator).first.got == kOne + 1);
}

TEST_CASE("of each number of products the largest error over its bound is kept", "[window]") {
  for (const auto& [terms, row] : std::vector<std::pair<std::uint64_t, std::size_t>>{
           {0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 3}, {5, 4}, {8, 4}, {9, 5}, {~0ull, 23}}) {
    CHECK(term_row(terms) == row);
  }
  OneResult sum(conv2d(), {{kOne, 0}, {kOne, 0}, {}});
  const double bound = sum.truth().bound;
  REQUIRE(bound > 0);
  sum.judge(kOne + 1);
  sum.judge(kOne + 3);
  sum.judge(kOne + 2);
  SweepTally all;
  all.merge(sum.tally);
  all.merge(SweepTally{});
  CHECK(all.bound_shares[2] == 3 * 0x1p-23 / bound);
  CHECK(std::ranges::count(all.bound_shares, -1.0) == kTermRows - 1);
}

TEST_CASE("a NaN where a number is due is no distance", "[window]") {
  OneResult sum(conv2d(), {{kOne, 0}, {kOne, 0}, {}});
  sum.judge(kNan);
  CHECK((sum.tally.probes == 1 && sum.tally.measured == 0 && sum.tally.unmeasured == 0));
  CHECK(count_of(sum.tally, ClaimKind::kAccumulator).violations == 1);
  CHECK(count_of(sum.tally, ClaimKind::kErrorBound).violations == 1);
}

TEST_CASE("sums that may overflow are not measured", "[window]") {
  OneResult sum(conv2d(), {{0x7f7fffff, 0x7f7fffff}, {kOne, kOne | kMinusZero}, {}});
  REQUIRE(sum.truth().exact == 0);
  sum.judge(0);
  CHECK((sum.tally.measured == 0 && sum.tally.unmeasured == 1));
  CHECK(count_of(sum.tally, ClaimKind::kErrorBound).probes == 0);
  CHECK(count_of(sum.tally, ClaimKind::kAccumulator).probes == 1);
}

TEST_CASE("zero sums are counted by their sign", "[window]") {
  OneResult sum(conv2d(), {{kOne, kOne}, {kOne, kOne | kMinusZero}, {}});
  sum.judge(0);
  sum.judge(kMinusZero);
  sum.judge(kMinusZero);
  sum.judge(1);  // no zero: a violation, no observation
  CHECK(sum.tally.zero_sums == 3);
  CHECK(sum.tally.negative_zero_sums == 2);
  CHECK(count_of(sum.tally, ClaimKind::kAccumulator).violations == 1);
}

TEST_CASE("results that tell where the bias is added are counted", "[window]") {
  // 1 + 2^24 + 1 in two orders.
  const Tensors tensors{{kOne, 0x4b800000}, {kOne, kOne}, {kOne}};
  OneResult silent(conv2d(std::nullopt), tensors);
  const Truth truth = silent.truth();
  REQUIRE(truth.model != truth.model_bias_first);
  silent.judge(truth.model);
  silent.judge(truth.model_bias_first);
  silent.judge(truth.model_bias_first);
  CHECK((silent.tally.bias_decides == 3 && silent.tally.bias_last == 1));
  CHECK(count_of(silent.tally, ClaimKind::kAccumulator).violations == 0);
  OneResult even(conv2d(std::nullopt), {{kOne, kOne}, {kOne, kOne}, {kOne}});
  even.judge(even.truth().model);
  CHECK(even.tally.bias_decides == 0);
}

TEST_CASE("what windows show where contracts are silent is counted", "[window]") {
  OneResult nans(pooling(), {{kNan, kNan, kNan, kNan | 1}, {}, {}});
  nans.judge(kNan | 5);
  nans.judge(0xff800000);
  CHECK((nans.tally.only_nans == 2 && nans.tally.only_nans_give_nan == 1));
  CHECK((nans.tally.measured == 0 && nans.tally.both_zeros == 0));
  CHECK(count_of(nans.tally, ClaimKind::kNan).probes == 0);
  CHECK(count_of(nans.tally, ClaimKind::kSelectionExact).probes == 2);
  OneResult zeros(pooling(), {{0, kMinusZero, kNan, kOne | kMinusZero}, {}, {}});
  zeros.judge(0);
  zeros.judge(kMinusZero);
  CHECK((zeros.tally.both_zeros == 2 && zeros.tally.both_zeros_give_negative == 1));
  CHECK((zeros.tally.measured == 2 && zeros.tally.max_distance == 0));
  CHECK(zeros.tally.error_rows[0] == 2);
  CHECK(count_of(zeros.tally, ClaimKind::kNan).probes == 2);
  CHECK(count_of(zeros.tally, ClaimKind::kSelectionExact).violations == 0);
  OneResult wrong(pooling(), {{0, kOne, 0, 0}, {}, {}});
  wrong.judge(kOne + 7);
  CHECK(wrong.tally.error_rows[error_row(7)] == 1);
  CHECK(wrong.tally.max_distance == 7);
}

ClaimCount count(std::uint64_t probes, std::uint64_t violations, std::size_t size,
                 std::uint32_t in_case, std::uint64_t earliest = 0) {
  return {probes, violations, earliest, size, {in_case, 0, 0, 0}};
}

TEST_CASE("counts add up and keep the smallest case that was first", "[window]") {
  ClaimCount total;
  total.add(count(10, 0, 0, 0));
  CHECK((total.probes == 10 && total.violations == 0));
  total.add(count(5, 2, 40, 7));
  CHECK((total.violations == 2 && total.size == 40 && total.first.in_case == 7));
  total.add(count(5, 1, 40, 8));
  CHECK(total.first.in_case == 7);
  total.add(count(5, 1, 39, 9));
  CHECK((total.first.in_case == 9 && total.size == 39));
  total.add(count(5, 0, 1, 10));  // smaller, but nothing is wrong in it
  CHECK((total.first.in_case == 9 && total.probes == 30 && total.violations == 4));
}

TEST_CASE("of violations in several stretches, the first of the first stretch is the earliest",
          "[window]") {
  SweepTally all;
  SweepTally stretch;
  stretch.probes = 10;
  all.merge(stretch);
  stretch.claims[0] = count(10, 2, 40, 7, 3);
  all.merge(stretch);
  CHECK(all.claims[0].earliest == 13);
  stretch.claims[0] = count(10, 1, 4, 8, 1);  // of a smaller case, and yet not the earliest
  all.merge(stretch);
  CHECK(all.claims[0].earliest == 13);
  ClaimCount within = count(1, 1, 40, 7, 5);
  within.add(count(1, 1, 40, 7, 2));
  CHECK(within.earliest == 2);
}

TEST_CASE("tallies merge number by number", "[window]") {
  SweepTally a;
  SweepTally b;
  // Every counter gets a value of its own, in both.
  std::uint64_t next = 1;
  const auto counters = [](SweepTally& tally) {
    return std::vector<std::uint64_t*>{&tally.probes,        &tally.calls,
                                       &tally.cases,         &tally.environment_changes,
                                       &tally.measured,      &tally.unmeasured,
                                       &tally.zero_sums,     &tally.negative_zero_sums,
                                       &tally.only_nans,     &tally.only_nans_give_nan,
                                       &tally.both_zeros,    &tally.both_zeros_give_negative,
                                       &tally.bias_last,     &tally.bias_decides,
                                       &tally.input_changes, &tally.gap_decides,
                                       &tally.gap_gives_nan};
  };
  for (SweepTally* tally : {&a, &b}) {
    for (std::uint64_t* counter : counters(*tally)) *counter = next++;
    for (std::uint64_t& row : tally->error_rows) row = next++;
    for (ClaimCount& claim : tally->claims) {
      claim = count(next, next + 1, next + 2, 1);
      next += 3;
    }
  }
  a.seconds = 1, b.seconds = 2, a.kernel_seconds = 3, b.kernel_seconds = 4;
  a.max_distance = 5, b.max_distance = 9;
  a.ulp = {2, 1, {1, 0, 0, 0}}, b.ulp = {1, 1, {2, 0, 0, 0}};
  a.relative = {1, 1, {1, 0, 0, 0}}, b.relative = {2, 8, {2, 0, 0, 0}};
  std::strcpy(b.environment_change, "b's");
  std::strcpy(b.fault_text, "b refused");
  b.fault = CallFault::kRefused;
  SweepTally sum = a;
  sum.merge(b);
  const auto in_a = counters(a), in_b = counters(b), in_sum = counters(sum);
  for (std::size_t i = 0; i < in_a.size(); ++i) CHECK(*in_sum[i] == *in_a[i] + *in_b[i]);
  for (std::size_t i = 0; i < sum.error_rows.size(); ++i) {
    CHECK(sum.error_rows[i] == a.error_rows[i] + b.error_rows[i]);
  }
  for (std::size_t i = 0; i < kResultClaimCount; ++i) {
    CHECK(sum.claims[i].probes == a.claims[i].probes + b.claims[i].probes);
    CHECK(sum.claims[i].violations == a.claims[i].violations + b.claims[i].violations);
  }
  CHECK((sum.seconds == 3 && sum.kernel_seconds == 7 && sum.max_distance == 9));
  CHECK((sum.ulp.value == 2 && sum.ulp.at.in_case == 1));
  CHECK((sum.relative.value == 2 && sum.relative.condition == 8 && sum.relative.at.in_case == 2));
  CHECK(sum.absolute.value == -1);  // neither measured one
  CHECK(sum.fault == CallFault::kRefused);
  CHECK(std::string(sum.fault_text) == "b refused");
  CHECK(std::string(sum.environment_change) == "");  // a's was first, and a had one
  SweepTally empty;
  empty.merge(b);
  CHECK(std::string(empty.environment_change) == "b's");
}

TEST_CASE("a place of a pair is a window with those two values", "[window]") {
  const auto job = testing::driven(testing::read_edited("max_pool2d", Dtype::kF16, {}), {});
  const Case the_case = case_of(job->job, {kPairCase, 0, 0, 0x3c007e00});
  CHECK(the_case.family == Family::kPair);
  CHECK(the_case.geometry == pair_geometry(1));
  CHECK(make_tensors(job->job.operation, the_case).x ==
        std::vector<Bits>{0x3c00, 0x7e00, 0x3c00, 0x7e00});
}

}  // namespace
}  // namespace assay::window
