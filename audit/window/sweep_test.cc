// Sweeps of whole kernels, healthy and faulty, in this process.
#include "audit/window/sweep.h"

#include <cfenv>
#include <numeric>
#include <string>

#include "audit/window/testing/driven.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

using testing::count_of;
using testing::Driven;
using testing::driven;
using testing::swept;

KernelStatus simple(KernelCall& call) {
  return testing::healthy(call, "conv2d_simple", Dtype::kF32);
}

std::size_t results_of(const KernelCall& call) {
  std::size_t n = 1;
  for (int axis = 0; axis < 4; ++axis) n *= static_cast<std::size_t>(call.outputs[0].shape[axis]);
  return n;
}

std::uint32_t* words_of(const KernelCall& call) {
  return static_cast<std::uint32_t*>(call.outputs[0].data);
}

/// An image of this many columns under a window of one.
Geometry row_of(std::int64_t columns) {
  Geometry geometry;
  geometry.extents.image = {1, columns};
  geometry.extents.result = {1, columns};
  return geometry;
}

Geometry square() {
  Geometry geometry;
  geometry.extents = {1, 2, 2, 1, {4, 5}, {2, 2}, {3, 4}, {1, 1}, {0, 0}, {1, 1}};
  return geometry;
}

std::vector<Case> mixed_cases() {
  std::vector<Case> cases;
  for (const Family family : families(testing::operation("conv2d_simple", Dtype::kF32))) {
    cases.push_back({square(), family, 3});
  }
  return cases;
}

TEST_CASE("a healthy kernel violates nothing, and every result is counted", "[window]") {
  const auto healthy = driven("conv2d_simple", Dtype::kF32, {{"scalar", simple}}, mixed_cases());
  const SweepTally tally = swept(healthy->job);
  const std::uint64_t results = mixed_cases().size() * 24;
  CHECK(tally.fault == CallFault::kNone);
  CHECK(tally.calls == mixed_cases().size());
  CHECK(tally.cases == mixed_cases().size());
  CHECK(tally.probes == results);
  CHECK((tally.environment_changes == 0 && tally.input_changes == 0));
  std::uint64_t finite = 0;
  std::uint64_t bounded = 0;
  for (const auto& truths : testing::truths_of(healthy->job)) {
    for (const Truth& truth : truths) {
      finite += truth.finite ? 1 : 0;
      bounded += truth.bounded ? 1 : 0;
    }
  }
  CHECK((bounded > 0 && bounded < finite && finite < results));
  CHECK(tally.measured == bounded);
  CHECK(tally.unmeasured == finite - bounded);
  CHECK(std::accumulate(tally.error_rows.begin(), tally.error_rows.end(), std::uint64_t{0}) ==
        tally.measured);
  CHECK(count_of(tally, ClaimKind::kAccumulator).probes == results);
  CHECK(count_of(tally, ClaimKind::kErrorBound).probes == bounded);
  CHECK(count_of(tally, ClaimKind::kMaxUlp).probes == 0);  // not declared
  for (const ClaimCount& count : tally.claims) CHECK(count.violations == 0);
  CHECK(tally.max_distance > 0);
  CHECK(tally.ulp.value > 0.5);  // sums that are rounded more than once
}

TEST_CASE("integers have no errors at all", "[window]") {
  const auto healthy = driven("conv2d_simple", Dtype::kF32, {{"scalar", simple}},
                              {{square(), Family::kIntegers, 1}});
  const SweepTally tally = swept(healthy->job);
  CHECK(tally.error_rows[0] == 24);
  CHECK((tally.max_distance == 0 && tally.ulp.value == 0 && tally.absolute.value == 0));
}

/// Wrong in the last result of every call of two results or more.
KernelStatus last_result_off(KernelCall& call) {
  const KernelStatus status = simple(call);
  if (status == KernelStatus::kOk && results_of(call) > 1)
    words_of(call)[results_of(call) - 1] ^= 1;
  return status;
}

TEST_CASE("of all violations that of the smallest case is kept", "[window]") {
  const auto faulty = driven("conv2d_simple", Dtype::kF32, {{"scalar", last_result_off}},
                             {{row_of(9), Family::kScaled, 1},
                              {row_of(1), Family::kScaled, 2},
                              {row_of(5), Family::kScaled, 3},
                              {row_of(7), Family::kScaled, 4},
                              {row_of(5), Family::kScaled, 5}});
  const SweepTally tally = swept(faulty->job);
  const ClaimCount& count = count_of(tally, ClaimKind::kAccumulator);
  CHECK(count.probes == 9 + 1 + 5 + 7 + 5);
  CHECK(count.violations == 4);
  CHECK(count.size == 5 + 1 + 5);
  CHECK(count.first.in_case == 2);  // the first of the two smallest
  CHECK(count.first.result == 4);
  const auto truths = testing::truths_of(faulty->job);
  CHECK(count.first.got == (truths[2][4].model ^ 1));
  CHECK(tally.max_distance == 1);
  CHECK(case_of(faulty->job, count.first).seed == 3);
}

KernelStatus refuses_five(KernelCall& call) {
  if (results_of(call) != 5) return simple(call);
  std::snprintf(call.message, sizeof(call.message), "not today");
  return KernelStatus::kFailed;
}

TEST_CASE("a refused call is a fault, and the other cases still count", "[window]") {
  const auto refusing = driven("conv2d_simple", Dtype::kF32, {{"scalar", refuses_five}},
                               {{row_of(3), Family::kScaled, 1},
                                {row_of(5), Family::kScaled, 2},
                                {row_of(4), Family::kScaled, 3}});
  std::vector<CaseDigest> digests;
  const SweepTally tally = swept(refusing->job, 0, &digests);
  CHECK(tally.fault == CallFault::kRefused);
  const std::string text = tally.fault_text;
  CHECK(text.find("not today") != std::string::npos);
  CHECK(text.find("x (1, 1, 1, 5)") != std::string::npos);
  CHECK(tally.calls == 3);
  CHECK(tally.cases == 2);
  CHECK(tally.probes == 7);
  CHECK((digests[0].ran && !digests[1].ran && digests[2].ran));
}

TEST_CASE("a kernel of another name is a fault, whatever its results", "[window]") {
  const auto named =
      driven("conv2d_simple", Dtype::kF32, {{"AVX9", simple}}, {{row_of(3), Family::kScaled, 1}});
  const SweepTally tally = swept(named->job);
  CHECK(tally.fault == CallFault::kWrongVariant);
  CHECK(std::string(tally.fault_text).find("asked for variant AVX9, scalar ran") == 0);
  CHECK(tally.probes == 0);
}

/// Other NaNs than the real kernel's.
KernelStatus other_nans(KernelCall& call) {
  const KernelStatus status = simple(call);
  for (std::size_t i = 0; i < results_of(call); ++i) {
    if (traits(Dtype::kF32).is_nan(words_of(call)[i])) words_of(call)[i] ^= 0x80000100;
  }
  return status;
}

TEST_CASE("digests tell NaNs apart, or do not", "[window]") {
  const std::vector<Case> cases = {{square(), Family::kSpecialInWeight, 1},
                                   {square(), Family::kSpecialInWeight, 2},
                                   {square(), Family::kScaled, 3},
                                   {square(), Family::kScaled, 4}};
  const auto both =
      driven("conv2d_simple", Dtype::kF32, {{"scalar", simple}, {"scalar", other_nans}}, cases);
  std::vector<CaseDigest> mine;
  std::vector<CaseDigest> again;
  std::vector<CaseDigest> others;
  swept(both->job, 0, &mine);
  swept(both->job, 0, &again);
  swept(both->job, 1, &others);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CHECK(mine[i].bits == again[i].bits);
    CHECK(mine[i].one_nan == again[i].one_nan);
    CHECK(mine[i].one_nan == others[i].one_nan);
    CHECK((mine[i].bits != others[i].bits) == (i < 2));  // two cases with NaNs
  }
  CHECK(mine[0].one_nan != mine[1].one_nan);
  CHECK(mine[2].bits != mine[3].bits);
  CHECK(mine[2].bits == mine[2].one_nan);
}

KernelStatus wrong_zero(KernelCall& call) {
  const KernelStatus status = simple(call);
  for (std::size_t i = 0; i < results_of(call); ++i) {
    if (words_of(call)[i] == 0) words_of(call)[i] = 0x80000000;
  }
  return status;
}

TEST_CASE("digests tell zeros of both signs apart", "[window]") {
  const auto both =
      driven("conv2d_simple", Dtype::kF32, {{"scalar", simple}, {"scalar", wrong_zero}},
             {{square(), Family::kSignedZeros, 1}});
  std::vector<CaseDigest> mine;
  std::vector<CaseDigest> others;
  swept(both->job, 0, &mine);
  const SweepTally tally = swept(both->job, 1, &others);
  CHECK(mine[0].bits != others[0].bits);
  CHECK(mine[0].one_nan != others[0].one_nan);
  CHECK(count_of(tally, ClaimKind::kAccumulator).violations == 0);  // which zero is open
  CHECK(tally.zero_sums > 0);
  CHECK(tally.negative_zero_sums == tally.zero_sums);
}

KernelStatus rounds_up(KernelCall& call) {
  const KernelStatus status = simple(call);
  std::fesetround(FE_UPWARD);
  return status;
}

TEST_CASE("a changed environment is noted with each call and does not last", "[window]") {
  const auto careless = driven("conv2d_simple", Dtype::kF32, {{"scalar", rounds_up}},
                               {{row_of(3), Family::kScaled, 1}, {row_of(4), Family::kScaled, 2}});
  const SweepTally tally = swept(careless->job);
  CHECK(std::fegetround() == FE_TONEAREST);
  CHECK(tally.environment_changes == 2);
  CHECK(tally.environment_change[0] != '\0');
  CHECK(count_of(tally, ClaimKind::kAccumulator).violations == 0);
}

KernelStatus forgets(KernelCall& call) {
  call.ran = "scalar";
  return KernelStatus::kOk;
}

TEST_CASE("results that were never written are not those of the call before", "[window]") {
  const auto lazy = driven("conv2d_simple", Dtype::kF32, {{"scalar", simple}, {"scalar", forgets}},
                           {{row_of(6), Family::kScaled, 1}});
  CHECK(count_of(swept(lazy->job, 0), ClaimKind::kAccumulator).violations == 0);
  CHECK(count_of(swept(lazy->job, 1), ClaimKind::kAccumulator).violations == 6);
}

TEST_CASE("cases without results run and show nothing", "[window]") {
  Geometry empty = row_of(4);
  empty.extents.batch = 0;
  const auto none =
      driven("conv2d_simple", Dtype::kF32, {{"scalar", simple}}, {{empty, Family::kScaled, 1}});
  std::vector<CaseDigest> digests;
  const SweepTally tally = swept(none->job, 0, &digests);
  CHECK((tally.cases == 1 && tally.calls == 1 && tally.probes == 0));
  CHECK(digests[0].ran);
}

}  // namespace
}  // namespace assay::window
