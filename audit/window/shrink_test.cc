// Witnesses of planted faults: as small as the fault allows, and the same ones each time.
#include "audit/window/shrink.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "audit/window/pairs.h"
#include "audit/window/testing/driven.h"
#include "contracts/testing/catch.h"

namespace assay::window {
namespace {

using testing::count_of;
using testing::Driven;

constexpr Bits kOne = 0x3f800000;

KernelStatus healthy(KernelCall& call) {
  return testing::healthy(call, "conv2d", Dtype::kF32);
}

std::uint32_t* words_of(const KernelCall& call) {
  return static_cast<std::uint32_t*>(call.outputs[0].data);
}

std::size_t results_of(const KernelCall& call) {
  std::size_t n = 1;
  for (int axis = 0; axis < 4; ++axis) n *= static_cast<std::size_t>(call.outputs[0].shape[axis]);
  return n;
}

/// Every result that is not a zero is one step too large.
KernelStatus one_step_off(KernelCall& call) {
  const KernelStatus status = healthy(call);
  for (std::size_t i = 0; i < results_of(call); ++i) {
    if ((words_of(call)[i] & 0x7fffffff) != 0) ++words_of(call)[i];
  }
  return status;
}

/// Wrong in the last column of results, where there are three of them or more.
KernelStatus last_of_three_off(KernelCall& call) {
  const KernelStatus status = healthy(call);
  const auto columns = static_cast<std::size_t>(call.outputs[0].shape[3]);
  if (columns < 3) return status;
  for (std::size_t i = columns - 1; i < results_of(call); i += columns) words_of(call)[i] ^= 1;
  return status;
}

/// Wrong once in the process that makes the first call.
pid_t first_process = 0;
KernelStatus wrong_once(KernelCall& call) {
  const KernelStatus status = healthy(call);
  if (getpid() == first_process) words_of(call)[0] ^= 1;
  return status;
}

/// Wrong everywhere, and the end of the process where there is no bias.
KernelStatus dies_without_bias(KernelCall& call) {
  if (call.inputs.size() < 3) std::raise(SIGKILL);
  return one_step_off(call);
}

std::vector<Case> one_case(Family family) {
  Geometry geometry;
  geometry.extents = {2, 4, 4, 2, {5, 6}, {2, 3}, {1, 1}, {2, 1}, {1, 1}, {1, 1}};
  geometry.bias = true;
  REQUIRE(complete(testing::operation("conv2d", Dtype::kF32), geometry));
  return {{geometry, family, 3}};
}

std::unique_ptr<Driven> job_of(KernelFunction function, Family family = Family::kScaled) {
  return testing::driven("conv2d", Dtype::kF32, {{"scalar", function}}, one_case(family));
}

AuditOptions with_threads(unsigned threads) {
  AuditOptions options;
  options.threads = threads;
  options.hang_after = std::chrono::seconds(5);
  return options;
}

WitnessRequest request_of(const Job& job) {
  const ClaimCount count = count_of(testing::swept(job), ClaimKind::kAccumulator);
  REQUIRE(count.violations > 0);
  return {0, ClaimKind::kAccumulator, count.first};
}

bool same(const Witness& a, const Witness& b) {
  return a.geometry == b.geometry && a.result == b.result && a.got == b.got &&
         a.truth.model == b.truth.model && std::equal(a.counts, a.counts + 3, b.counts) &&
         std::memcmp(a.runs, b.runs, sizeof(a.runs)) == 0;
}

TEST_CASE("a fault that every sum shows comes down to one product", "[window]") {
  const auto faulty = job_of(one_step_off);
  const WitnessRequest request = request_of(faulty->job);
  const std::vector<Witness> found = find_witnesses(faulty->job, with_threads(1), {request});
  REQUIRE(found.size() == 1);
  const Witness& witness = found[0];
  CHECK(witness.tried);
  REQUIRE(witness.reproduced);
  CHECK(witness.geometry == Geometry{});
  CHECK(witness.result == 0);
  CHECK((witness.counts[0] == 1 && witness.counts[1] == 1 && witness.counts[2] == 0));
  CHECK(witness.is_whole());
  CHECK(witness.tensors().x == std::vector<Bits>{kOne});
  CHECK(witness.tensors().weight == std::vector<Bits>{kOne});
  CHECK(witness.got == kOne + 1);
  CHECK((witness.truth.model == kOne && witness.truth.products == 1));
  // The same from two workers, and from two requests at once.
  const std::vector<Witness> again =
      find_witnesses(faulty->job, with_threads(2), {request, request});
  REQUIRE(again.size() == 2);
  CHECK(same(again[0], witness));
  CHECK(same(again[1], witness));
}

TEST_CASE("what a fault needs remains", "[window]") {
  const auto faulty = job_of(last_of_three_off);
  const WitnessRequest request = request_of(faulty->job);
  const std::vector<Witness> found = find_witnesses(faulty->job, with_threads(1), {request});
  const Witness& witness = found.at(0);
  REQUIRE(witness.reproduced);
  CHECK(witness.geometry.extents.result == Pair{1, 3});
  CHECK(witness.result == 2);
  CHECK(witness.counts[0] + witness.counts[1] + witness.counts[2] <= 4);
  CHECK(witness.got == (witness.truth.model ^ 1));
}

TEST_CASE("what is not seen again is not reproduced", "[window]") {
  first_process = getpid();
  const auto flaky = job_of(wrong_once);
  const WitnessRequest request = request_of(flaky->job);
  const std::vector<Witness> found = find_witnesses(flaky->job, with_threads(1), {request});
  CHECK(found.at(0).tried);
  CHECK_FALSE(found.at(0).reproduced);
}

TEST_CASE("what was found before a crash is kept", "[window]") {
  const auto dying = job_of(dies_without_bias);
  const WitnessRequest request = request_of(dying->job);
  const auto healthy_job = job_of(one_step_off);
  const std::vector<Witness> found =
      find_witnesses(dying->job, with_threads(1), {request, request});
  for (const Witness& witness : found) {
    CHECK_FALSE(witness.tried);
    CHECK(witness.reproduced);
    CHECK(witness.geometry.bias);
    CHECK(witness.got != witness.truth.model);
  }
}

TEST_CASE("variants that differ have a witness with both results", "[window]") {
  const auto both =
      testing::driven("conv2d", Dtype::kF32, {{"scalar", healthy}, {"scalar", one_step_off}},
                      one_case(Family::kScaled));
  const std::vector<Witness> found =
      find_witnesses(both->job, with_threads(1), {{1, ClaimKind::kBitwise, {0, 0, 0, 0}}});
  const Witness& witness = found.at(0);
  REQUIRE(witness.reproduced);
  CHECK(witness.geometry == Geometry{});
  CHECK(witness.got == kOne + 1);
  CHECK(witness.reference == kOne);
  const std::vector<Witness> alike =
      find_witnesses(both->job, with_threads(1), {{0, ClaimKind::kBitwise, {0, 0, 0, 0}}});
  CHECK((alike.at(0).tried && !alike.at(0).reproduced));
}

TEST_CASE("a pair of values is verified in one window", "[window]") {
  static const auto pool = [](KernelCall& call) {
    const KernelStatus status = testing::healthy(call, "max_pool2d", Dtype::kF16);
    auto* out = static_cast<std::uint16_t*>(call.outputs[0].data);
    for (std::size_t i = 0; i < results_of(call); ++i) out[i] ^= out[i] == 0x4abc ? 1 : 0;
    return status;
  };
  const auto faulty = testing::driven("max_pool2d", Dtype::kF16,
                                      {{"scalar", [](KernelCall& call) { return pool(call); }}});
  const WitnessRequest request{0, ClaimKind::kSelectionExact, {kPairCase, 0, 0x4abd, 0x3c004abc}};
  const std::vector<Witness> found = find_witnesses(faulty->job, with_threads(1), {request});
  const Witness& witness = found.at(0);
  REQUIRE(witness.reproduced);
  CHECK(witness.got == 0x4abd);
  CHECK(witness.truth.exact == 0x4abc);
  CHECK(witness.tensors().x == std::vector<Bits>{0x4abc});
}

TEST_CASE("a pair that only a wide image shows is verified in one", "[window]") {
  // Wrong in every window past column 255.
  static const auto pool = [](KernelCall& call) {
    const KernelStatus status = testing::healthy(call, "max_pool2d", Dtype::kF16);
    auto* out = static_cast<std::uint16_t*>(call.outputs[0].data);
    for (std::size_t i = 128; i < results_of(call); ++i) out[i] ^= 1;
    return status;
  };
  const auto faulty = testing::driven("max_pool2d", Dtype::kF16,
                                      {{"scalar", [](KernelCall& call) { return pool(call); }}});
  std::uint32_t place = 0;  // the second value of window 200
  while (pair_call(0x3c00, place).result != 200) ++place;
  const auto seen = static_cast<std::uint32_t>(0x3c00u << 16 | place);
  const WitnessRequest request{0, ClaimKind::kSelectionExact, {kPairCase, 0, 0, seen}};
  const std::vector<Witness> found = find_witnesses(faulty->job, with_threads(1), {request});
  const Witness& witness = found.at(0);
  REQUIRE(witness.reproduced);
  CHECK(witness.got == (witness.truth.exact ^ 1));
  CHECK(elements(output_shape(witness.geometry)) == 129);
}

TEST_CASE("nothing is searched where nothing is asked", "[window]") {
  const auto faulty = job_of(one_step_off);
  CHECK(find_witnesses(faulty->job, with_threads(1), {}).empty());
}

}  // namespace
}  // namespace assay::window
