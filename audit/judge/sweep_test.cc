// A sweep's tally is that of looking at each element by itself: what the sweep leaves out because a
// block is equal as a whole changes no count, no example and no digest.
#include "audit/judge/sweep.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "audit/testing/contract_with.h"
#include "contracts/measure.h"
#include "contracts/testing/catch.h"
#include "kernels/registry.h"
#include "oracles/cast_oracle.h"

namespace assay {
namespace {

using testing::cast;

/// What is compared: all that needs no more than the result and the oracle's.
struct Counts {
  std::uint64_t probes = 0;
  std::uint64_t digest = 0;
  std::uint64_t differing = 0;
  std::uint64_t outside = 0;
  std::uint64_t nan_lost = 0;
  std::uint64_t max_distance = 0;
  std::array<std::uint64_t, kElementClaims> violations{};

  bool operator==(const Counts&) const = default;
};

struct Setting {
  const Kernel& kernel;
  const KernelVariant& variant;
  const oracle::CastOracle& oracle;
  const CellMap& cells;
  const Rules& rules;
};

/// One element after the other, each with the oracle's answer to it alone.
Counts one_by_one(const Setting& setting, const ProbeSpace& space, std::uint64_t chunk) {
  const auto& [from, to, rounding] = setting.oracle.operation();
  EnvironmentLog log;
  CastRunner runner(setting.kernel, setting.variant, log);
  Counts counts;
  std::vector<std::uint64_t> in(kBlockProbes);
  std::vector<std::uint64_t> out(kBlockProbes);
  std::vector<char> all;
  for (std::uint64_t block = 0; block < space.blocks(chunk); ++block) {
    const std::size_t probes = space.fill(chunk, block, in.data()).probes;
    REQUIRE(runner.call(in.data(), out.data(), probes) == CallFault::kNone);
    for (std::size_t i = 0; i < probes; ++i) {
      const Bits input = oracle::load(in.data(), i, from);
      const Bits got = oracle::load(out.data(), i, to);
      const Bits expected = setting.oracle.expect_one(input);
      const Cell& cell = setting.cells.of(input);
      if (cell.caller_error) oracle::store(out.data(), i, to, expected);
      if (got == expected) continue;
      ++counts.differing;
      if (cell.caller_error) {
        ++counts.outside;
        continue;
      }
      const ClaimSet claims =
          violated(setting.rules, cell, setting.oracle.operation(), input, got, expected);
      for (std::size_t c = 0; c < kElementClaims; ++c) counts.violations[c] += claims >> c & 1;
      if (cell.kind == CellClass::kNan) {
        counts.nan_lost += traits(to).is_floating() && !traits(to).is_nan(got);
      } else if (const auto distance = ulp_distance(got, expected, to)) {
        counts.max_distance = std::max(counts.max_distance, *distance);
      }
    }
    counts.probes += probes;
    const auto* bytes = reinterpret_cast<const char*>(out.data());
    all.insert(all.end(), bytes, bytes + probes * static_cast<std::size_t>(traits(to).bytes()));
  }
  counts.digest = XXH3_64bits(all.data(), all.size());
  return counts;
}

Counts swept(const Setting& setting, const ProbeSpace& space, std::uint64_t chunk) {
  std::atomic<std::uint64_t> ticks{0}, place{0}, work{0};
  Heartbeat heartbeat(ticks, place, work);
  EnvironmentLog log;
  CastRunner runner(setting.kernel, setting.variant, log);
  SweepTally tally;
  Deviations deviations;
  sweep(runner, log, space, chunk, setting.oracle, setting.cells, setting.rules, heartbeat, tally,
        deviations);
  Counts counts{tally.probes,
                tally.digest,
                tally.differing,
                tally.caller_error_differing,
                tally.nan_lost,
                tally.max_distance,
                {}};
  for (std::size_t c = 0; c < kElementClaims; ++c) {
    counts.violations[c] = tally.violations[c].count;
  }
  return counts;
}

/// The scalar cast from f32 to f16, but now and then, in no regular distance, another result.
KernelStatus now_and_then_wrong(KernelCall& call) {
  static const Registry registry = built_in_registry();
  static const Kernel* const kernel = registry.find("fuel_reference_backend::ops::cast_f32_to_f16");
  const KernelStatus status = kernel->variants.front()(call);
  if (status != KernelStatus::kOk) return status;
  const auto n = static_cast<std::size_t>(call.inputs[0].shape[0]);
  const auto* in = static_cast<const std::uint32_t*>(call.inputs[0].data);
  auto* out = static_cast<std::uint16_t*>(call.outputs[0].data);
  for (std::size_t i = 0; i < n; ++i) {
    if (mix(in[i]) % 1009 == 0) out[i] ^= static_cast<std::uint16_t>(1 << mix(in[i] + 1u) % 16);
  }
  return status;
}

void check(const Setting& setting, const ProbeSpace& space, std::uint64_t chunk) {
  CAPTURE(space.name(), chunk, setting.variant.name);
  const Counts due = one_by_one(setting, space, chunk);
  const Counts got = swept(setting, space, chunk);
  CHECK(got.probes == due.probes);
  CHECK(got.digest == due.digest);
  CHECK(got.differing == due.differing);
  CHECK(got.outside == due.outside);
  CHECK(got.nan_lost == due.nan_lost);
  CHECK(got.max_distance == due.max_distance);
  CHECK(got.violations == due.violations);
}

TEST_CASE("a sweep counts what looking at each element counts") {
  const Registry registry = built_in_registry();
  const fkc::Document document =
      fkc::read_document(ASSAY_SOURCE_DIR "/contracts/reference/cast.fkc.md");
  for (const auto& [from, to] : {std::pair{Dtype::kF32, Dtype::kF16},
                                 {Dtype::kF32, Dtype::kU32},
                                 {Dtype::kU32, Dtype::kF32},
                                 {Dtype::kF64, Dtype::kF32}}) {
    const oracle::CastOperation operation = cast(from, to);
    const std::string name =
        "cast_" + std::string(traits(from).name) + "_to_" + std::string(traits(to).name);
    const auto contract =
        std::find_if(document.kernels.begin(), document.kernels.end(),
                     [&](const fkc::KernelContract& each) { return each.kernel == name; });
    REQUIRE(contract != document.kernels.end());
    const Kernel* const kernel = registry.find("fuel_reference_backend::ops::" + name);
    REQUIRE(kernel != nullptr);
    const oracle::CastOracle oracle(operation);
    const CellMap cells(oracle, *contract);
    const Rules rules(*contract);
    std::vector<KernelVariant> variants = {kernel->variants.front(), kernel->variants.back()};
    const bool wrong = to == Dtype::kF16;
    if (wrong) {
      variants.push_back({"scalar", now_and_then_wrong});
    }
    for (const KernelVariant& variant : variants) {
      const Setting setting{*kernel, variant, oracle, cells, rules};
      check(setting, *special_space(from), 0);
      check(setting, *stratified_space(operation, 1 << 16, 1), 0);
      const auto boundaries = boundary_space(operation, 96, 1);
      for (std::uint64_t chunk = 0; chunk < boundaries->chunks(); chunk += 7) {
        check(setting, *boundaries, chunk);
      }
      // Chunk 120 has exponents of all kinds of results.
      if (traits(from).width == 32) check(setting, *exhaustive_space(from), 120);
    }
    if (wrong) {
      const Setting setting{*kernel, variants.back(), oracle, cells, rules};
      const Counts counts = swept(setting, *stratified_space(operation, 1 << 16, 1), 0);
      CHECK(counts.differing > 20);  // so that there was something to count
    }
  }
}

}  // namespace
}  // namespace assay
