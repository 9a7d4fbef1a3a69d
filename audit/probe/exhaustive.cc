// Every bit pattern of a format, once.
//
// The line of patterns is cut into eight regions by its top three bits (sign and the top of the
// exponent, for floating formats). A block takes 256 consecutive patterns from each region and
// interleaves them, so that a NaN has finite neighbours of every size and sign. Which stretch of a
// region goes into which block is scrambled by a different key per region, and the order within a
// stretch by another, so that a pattern's lane and neighbours follow no simple rule.
#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "audit/probe/rows.h"
#include "audit/probe/space.h"

namespace assay {

namespace {

constexpr int kStretchBits = 8;  // 256 patterns of each region in a block
static_assert(kBlockProbes == kStretches << kStretchBits);
constexpr int kMostBlockBits = 13;  // at most 8192 blocks, 2^24 probes, in a chunk

class ExhaustiveSpace final : public ProbeSpace {
 public:
  explicit ExhaustiveSpace(Dtype dtype)
      : ProbeSpace("exhaustive",
                   traits(dtype).width == 32 ? "all 4,294,967,296 inputs" : "all 65,536 inputs",
                   dtype, Strength::kExhaustive, false),
        width_(traits(dtype).width),
        block_bits_(std::min(kMostBlockBits, width_ - 3 - kStretchBits)),
        chunk_bits_(width_ - 3 - kStretchBits - block_bits_) {}

  std::uint64_t chunks() const override { return std::uint64_t{1} << chunk_bits_; }
  std::uint64_t blocks(std::uint64_t /*chunk*/) const override {
    return std::uint64_t{1} << block_bits_;
  }
  std::uint64_t probes(std::uint64_t /*chunk*/) const override {
    return kBlockProbes << block_bits_;
  }

  Block fill(std::uint64_t chunk, std::uint64_t block, void* out) const override {
    Block result;
    result.probes = kBlockProbes;
    result.stretched = true;
    const std::uint64_t block_mask = blocks(chunk) - 1;
    for (std::uint64_t lane = 0; lane < kStretches; ++lane) {
      const std::uint64_t region = (lane + block) % kStretches;
      const std::uint64_t stretch = (block ^ (mix(region) & block_mask));
      result.first[lane] =
          (region << (width_ - 3)) | ((chunk << block_bits_ | stretch) << kStretchBits);
      result.last[lane] = result.first[lane] + (Bits{1} << kStretchBits) - 1;
    }
    const std::uint64_t scramble = mix(chunk << 32 | block) & ((Bits{1} << kStretchBits) - 1);
    if (width_ == 32) {
      std::uint32_t first[kStretches];
      for (std::size_t lane = 0; lane < kStretches; ++lane) {
        first[lane] = static_cast<std::uint32_t>(result.first[lane]);
      }
      interleave(first, static_cast<std::uint32_t>(scramble), static_cast<std::uint32_t*>(out));
    } else {
      write_short(result, scramble, static_cast<std::uint16_t*>(out));
    }
    return result;
  }

  void count(std::uint64_t chunk, const CellMap& cells, const oracle::CastOracle& /*oracle*/,
             Census& census) const override {
    const std::uint64_t patterns = blocks(chunk) << kStretchBits;
    for (std::uint64_t region = 0; region < kStretches; ++region) {
      count_stretch(cells, (region << (width_ - 3)) | (chunk * patterns), patterns, census);
    }
  }

 private:
  /// As `interleave`, which is for the formats with patterns enough to wait for.
  static void write_short(const Block& block, std::uint64_t scramble, std::uint16_t* out) {
    for (std::size_t row = 0; row < kBlockProbes / kStretches; ++row) {
      for (std::size_t lane = 0; lane < kStretches; ++lane) {
        out[row * kStretches + lane] =
            static_cast<std::uint16_t>(block.first[lane] + (row ^ scramble));
      }
    }
  }

  int width_;
  int block_bits_;
  int chunk_bits_;
};

}  // namespace

std::unique_ptr<ProbeSpace> exhaustive_space(Dtype dtype) {
  const int width = traits(dtype).width;
  if (width != 16 && width != 32) {
    throw std::invalid_argument("exhaustive spaces are for formats of 16 and 32 bits");
  }
  return std::make_unique<ExhaustiveSpace>(dtype);
}

}  // namespace assay
