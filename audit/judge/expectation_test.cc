// The results that a block's structure implies are those of asking for each element.
#include "audit/judge/expectation.h"

#include <cstring>
#include <vector>

#include "audit/testing/contract_with.h"
#include "contracts/testing/catch.h"

namespace assay {
namespace {

using testing::cast;

/// The first element of a block whose result is not what the oracle gives for it alone, or -1.
std::ptrdiff_t first_wrong(const ProbeSpace& space, const oracle::CastOracle& oracle,
                           bool saturates, Expectation& expectation, std::uint64_t chunk,
                           std::uint64_t block) {
  const auto& [from, to, rounding] = oracle.operation();
  std::vector<std::uint64_t> in(kBlockProbes);
  const Block filled = space.fill(chunk, block, in.data());
  const void* results = expectation.of(filled, in.data());
  // One wrong result, wherever it is, is seen; and the right ones are right.
  std::vector<std::uint64_t> out(kBlockProbes);
  const std::size_t bytes = filled.probes * static_cast<std::size_t>(traits(to).bytes());
  std::memcpy(out.data(), results, bytes);
  if (!expectation.met_by(out.data(), filled, in.data())) return 0;
  for (const std::size_t byte : {std::size_t{0}, mix(chunk ^ block) % bytes, bytes - 1}) {
    reinterpret_cast<unsigned char*>(out.data())[byte] ^= 1;
    if (expectation.met_by(out.data(), filled, in.data())) {
      return static_cast<std::ptrdiff_t>(byte);
    }
    reinterpret_cast<unsigned char*>(out.data())[byte] ^= 1;
  }
  // Wrong in every row alike.
  const std::size_t row = kStretches * static_cast<std::size_t>(traits(to).bytes());
  for (std::size_t at = 0; at < bytes; at += row) {
    reinterpret_cast<unsigned char*>(out.data())[at] ^= 1;
  }
  if (expectation.met_by(out.data(), filled, in.data())) return 0;
  results = expectation.of(filled, in.data());
  for (std::size_t i = 0; i < filled.probes; ++i) {
    const Bits input = oracle::load(in.data(), i, from);
    Bits due = oracle.expect_one(input);
    if (saturates && traits(to).is_floating() && traits(to).is_infinite(due) &&
        traits(from).is_finite(input)) {
      due = (due & traits(to).sign_mask()) | traits(to).max_finite();
    }
    if (oracle::load(results, i, to) != due) return static_cast<std::ptrdiff_t>(i);
  }
  return -1;
}

void check(const ProbeSpace& space, oracle::CastOperation operation) {
  const oracle::CastOracle oracle(operation);
  for (const bool saturates : {false, true}) {
    Expectation expectation(oracle, saturates);
    // Chunks and blocks at both ends and spread between; most groups of boundaries have few chunks,
    // so every exponent is among them.
    const std::uint64_t step = space.chunks() / 600 + 1;
    for (std::uint64_t chunk = 0; chunk < space.chunks(); chunk += step) {
      for (const std::uint64_t block :
           {std::uint64_t{0}, mix(chunk) % space.blocks(chunk), space.blocks(chunk) - 1}) {
        CAPTURE(testing::name(operation), space.name(), saturates, chunk, block);
        REQUIRE(first_wrong(space, oracle, saturates, expectation, chunk, block) == -1);
      }
    }
  }
}

TEST_CASE("blocks of boundaries have the results that their elements have") {
  for (const auto& [from, to] : {std::pair{Dtype::kF64, Dtype::kF32},
                                 {Dtype::kF64, Dtype::kBF16},
                                 {Dtype::kF64, Dtype::kF16},
                                 {Dtype::kF64, Dtype::kU32},
                                 {Dtype::kF32, Dtype::kBF16},
                                 {Dtype::kF32, Dtype::kF16},
                                 {Dtype::kF32, Dtype::kU32},
                                 {Dtype::kU32, Dtype::kF32}}) {
    check(*boundary_space(cast(from, to), kAllBoundaries, 1), cast(from, to));
    check(*boundary_space(cast(from, to), 96, 1), cast(from, to));
    check(*boundary_space(cast(from, to), kAllBoundaries, 1, Sticky::kInTurn), cast(from, to));
  }
}

TEST_CASE("blocks of all patterns have the results that their elements have") {
  for (const auto& [from, to] : {std::pair{Dtype::kF32, Dtype::kF64},
                                 {Dtype::kF32, Dtype::kBF16},
                                 {Dtype::kF32, Dtype::kF16},
                                 {Dtype::kF32, Dtype::kU32},
                                 {Dtype::kF16, Dtype::kBF16},
                                 {Dtype::kU32, Dtype::kF32}}) {
    check(*exhaustive_space(from), cast(from, to));
  }
}

}  // namespace
}  // namespace assay
