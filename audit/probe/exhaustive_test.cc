// Exhaustive spaces: every pattern, once.
#include <array>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "audit/probe/space.h"
#include "contracts/testing/catch.h"

namespace assay {
namespace {

TEST_CASE("the exhaustive space of 16 bits visits every pattern once") {
  for (const Dtype dtype : {Dtype::kF16, Dtype::kBF16}) {
    const auto space = exhaustive_space(dtype);
    CHECK(space->size() == 65536);
    CHECK(space->strength() == Strength::kExhaustive);
    std::vector<int> visits(65536);
    std::vector<std::uint16_t> out(kBlockProbes);
    for (std::uint64_t chunk = 0; chunk < space->chunks(); ++chunk) {
      for (std::uint64_t block = 0; block < space->blocks(chunk); ++block) {
        const Block filled = space->fill(chunk, block, out.data());
        REQUIRE(filled.probes == kBlockProbes);
        for (std::size_t i = 0; i < filled.probes; ++i) ++visits[out[i]];
      }
    }
    CHECK(std::count(visits.begin(), visits.end(), 1) == 65536);
  }
}

/// Patterns in a chunk of the 32-bit space: 2^21 of each of eight regions.
constexpr int kChunkBits = 21;

void check_chunk(const ProbeSpace& space, std::uint64_t chunk) {
  CAPTURE(chunk);
  std::vector<std::uint8_t> visits(kStretches << kChunkBits);
  std::vector<std::uint32_t> out(kBlockProbes);
  std::uint64_t probes = 0;
  std::uint64_t elsewhere = 0;  // patterns of another chunk
  std::uint64_t misplaced = 0;  // patterns outside of the stretch that their block names
  for (std::uint64_t block = 0; block < space.blocks(chunk); ++block) {
    const Block filled = space.fill(chunk, block, out.data());
    REQUIRE(filled.stretched);
    probes += filled.probes;
    for (std::size_t i = 0; i < filled.probes; ++i) {
      const std::uint32_t pattern = out[i];
      const std::uint32_t region = pattern >> 29;
      elsewhere += (pattern >> kChunkBits & 0xff) != chunk;
      misplaced += pattern < filled.first[i % kStretches] || pattern > filled.last[i % kStretches];
      ++visits[region << kChunkBits | (pattern & ((1u << kChunkBits) - 1))];
    }
  }
  CHECK(elsewhere == 0);
  CHECK(misplaced == 0);
  CHECK(probes == space.probes(chunk));
  CHECK(probes == visits.size());
  CHECK(std::count(visits.begin(), visits.end(), 1) == static_cast<std::ptrdiff_t>(visits.size()));
}

TEST_CASE("a chunk of the exhaustive space of 32 bits visits each of its patterns once") {
  const auto space = exhaustive_space(Dtype::kF32);
  for (const std::uint64_t chunk : {0, 1, 126, 127, 128, 254, 255}) check_chunk(*space, chunk);
}

TEST_CASE("the chunks of the exhaustive space of 32 bits share no stretch and leave none out") {
  const auto space = exhaustive_space(Dtype::kU32);
  REQUIRE(space->chunks() == 256);
  CHECK(space->size() == std::uint64_t{1} << 32);
  std::vector<bool> seen(std::size_t{1} << 24);  // by the upper 24 bits of a stretch
  std::vector<std::uint32_t> out(kBlockProbes);
  std::uint64_t stretches = 0;
  std::uint64_t repeated = 0;
  std::uint64_t uneven = 0;
  for (std::uint64_t chunk = 0; chunk < space->chunks(); ++chunk) {
    for (std::uint64_t block = 0; block < space->blocks(chunk); ++block) {
      const Block filled = space->fill(chunk, block, out.data());
      for (std::size_t lane = 0; lane < kStretches; ++lane) {
        uneven += filled.first[lane] % 256 != 0 || filled.last[lane] != filled.first[lane] + 255;
        const std::size_t stretch = filled.first[lane] >> 8;
        repeated += seen[stretch];
        seen[stretch] = true;
        ++stretches;
      }
    }
  }
  CHECK(uneven == 0);
  CHECK(repeated == 0);
  CHECK(stretches == std::uint64_t{1} << 24);
}

TEST_CASE("neighbours in a block of the exhaustive space come from different regions") {
  const auto space = exhaustive_space(Dtype::kF32);
  std::vector<std::uint32_t> out(kBlockProbes);
  for (const std::uint64_t block : {0, 1, 77, 8191}) {
    space->fill(3, block, out.data());
    for (std::size_t i = 0; i + 1 < kBlockProbes; ++i) REQUIRE(out[i] >> 29 != out[i + 1] >> 29);
  }
}

TEST_CASE("over the blocks a stretch meets every lane of a vector") {
  const auto space = exhaustive_space(Dtype::kF32);
  std::vector<std::uint32_t> out(kBlockProbes);
  std::array<unsigned, kStretches> lanes{};  // of region 7, which holds the negative NaNs
  for (std::uint64_t block = 0; block < 8; ++block) {
    space->fill(0, block, out.data());
    for (std::size_t lane = 0; lane < kStretches; ++lane) lanes[lane] += out[lane] >> 29 == 7;
  }
  for (const unsigned times : lanes) CHECK(times == 1);
}

TEST_CASE("formats of other widths have no exhaustive space") {
  CHECK_THROWS_AS(exhaustive_space(Dtype::kF64), std::invalid_argument);
  CHECK_THROWS_AS(exhaustive_space(Dtype::kI8), std::invalid_argument);
}

}  // namespace
}  // namespace assay
