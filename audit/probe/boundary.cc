// Rounding boundaries, on them and on both sides.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "audit/probe/space.h"
#include "oracles/boundaries.h"
#include "oracles/cast_measure.h"
#include "oracles/special_values.h"
#include "reports/text.h"

namespace assay {

namespace {

using oracle::BoundaryGroup;

constexpr std::size_t kSpecials = 8;  // special values mixed into each block
constexpr std::uint64_t kChunkBlocks = 16384;

/// Probes around one boundary, in the order of their slots: the result below it, one pattern below
/// it, the boundary, then one bit set at each position below the rounding bit.
constexpr std::uint64_t slots(const BoundaryGroup& group) {
  return 3 + static_cast<std::uint64_t>(group.rounding_bit);
}
constexpr Bits probe(const BoundaryGroup& group, Bits boundary, std::uint64_t slot) {
  if (slot == 0) return boundary - (Bits{1} << group.rounding_bit);
  if (slot == 1) return boundary - 1;
  return slot == 2 ? boundary : boundary + (Bits{1} << (slot - 3));
}

/// A run of blocks over one group.
struct Chunk {
  std::size_t group = 0;
  std::uint64_t first = 0;  ///< position among the group's chosen boundaries
  std::uint64_t count = 0;  ///< boundaries
};

class BoundarySpace final : public ProbeSpace {
 public:
  BoundarySpace(oracle::CastOperation operation, std::uint64_t per_exponent, std::uint64_t seed,
                std::vector<BoundaryGroup> groups, bool complete, std::string words)
      : ProbeSpace(complete ? "boundaries" : "boundary sample", std::move(words), operation.from,
                   complete ? Strength::kBoundaryComplete : Strength::kSampled, !complete),
        operation_(operation),
        seed_(seed),
        mirrored_(traits(operation.from).is_floating() && traits(operation.to).is_floating()),
        groups_(std::move(groups)),
        specials_(oracle::special_values(operation.from)) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::uint64_t chosen = std::min(groups_[g].count, per_exponent);
      const std::uint64_t per_chunk = boundaries_per_block(groups_[g]) * kChunkBlocks;
      for (std::uint64_t done = 0; done < chosen; done += per_chunk) {
        chunks_.push_back({g, done, std::min(per_chunk, chosen - done)});
      }
      chosen_.push_back(chosen);
    }
  }

  std::uint64_t chunks() const override { return chunks_.size(); }
  std::uint64_t blocks(std::uint64_t chunk) const override {
    const std::uint64_t per_block = boundaries_per_block(groups_[chunks_[chunk].group]);
    return (chunks_[chunk].count + per_block - 1) / per_block;
  }
  std::uint64_t probes(std::uint64_t chunk) const override {
    const Chunk& here = chunks_[chunk];
    return here.count * slots(groups_[here.group]) * signs() + blocks(chunk) * kSpecials;
  }

  Block fill(std::uint64_t chunk, std::uint64_t block, void* out) const override {
    const std::size_t n =
        traits(dtype()).width == 64
            ? write<std::uint64_t>(chunk, block, static_cast<std::uint64_t*>(out))
            : write<std::uint32_t>(chunk, block, static_cast<std::uint32_t*>(out));
    Block result;
    result.probes = n;
    return result;
  }

  void count(std::uint64_t chunk, const CellMap& cells, const oracle::CastOracle& oracle,
             Census& census) const override {
    const Chunk& here = chunks_[chunk];
    const BoundaryGroup& group = groups_[here.group];
    const auto add = [&](Bits bits, std::uint64_t count) {
      count_one(cells, bits, oracle.expect_one(bits), count, census);
    };
    for (std::uint64_t sign = 0; sign < signs(); ++sign) {
      const Bits sign_bit = sign == 0 ? 0 : traits(dtype()).sign_mask();
      for (std::uint64_t slot = 0; slot < slots(group); ++slot) {
        // Boundaries of a group lie in one binade at equal distances, so a slot has the same error
        // at each of them, but for the group's first boundary, whose lower slots may reach into the
        // binade below. Where the ends of a run agree in error and cell, so does all between.
        const auto at = [&](std::uint64_t i) {
          return probe(group, boundary(here, group, i), slot) | sign_bit;
        };
        const bool contiguous = chosen_[here.group] == group.count;
        const Bits first = at(0);
        const Bits last = at(here.count - 1);
        if (contiguous && cells.index(first) == cells.index(last) &&
            same_error(first, last, oracle)) {
          add(first, here.count);
        } else {
          for (std::uint64_t i = 0; i < here.count; ++i) add(at(i), 1);
        }
      }
    }
    for (std::uint64_t block = 0; block < blocks(chunk); ++block) {
      for (std::size_t k = 0; k < kSpecials; ++k) add(special(chunk, block, k), 1);
    }
  }

 private:
  std::uint64_t signs() const { return mirrored_ ? 2 : 1; }

  std::uint64_t boundaries_per_block(const BoundaryGroup& group) const {
    return (kBlockProbes - kSpecials) / (slots(group) * signs());
  }

  /// The i-th chosen boundary of a chunk. All of them in order; of a sample, the first and last 32
  /// of the group, then random ones.
  Bits boundary(const Chunk& chunk, const BoundaryGroup& group, std::uint64_t i) const {
    std::uint64_t index = chunk.first + i;
    const std::uint64_t chosen = chosen_[chunk.group];
    if (chosen < group.count && index >= 32) {
      index = index < 64 ? group.count - 1 - (index - 32)
                         : mix(seed_ ^ mix(chunk.group << 40 ^ index)) % group.count;
    }
    return group.first + index * group.step;
  }

  Bits special(std::uint64_t chunk, std::uint64_t block, std::size_t k) const {
    return specials_[((chunk * kChunkBlocks + block) * kSpecials + k) % specials_.size()];
  }

  bool same_error(Bits a, Bits b, const oracle::CastOracle& oracle) const;

  template <typename Word>
  std::size_t write(std::uint64_t chunk, std::uint64_t block, Word* out) const {
    const Chunk& here = chunks_[chunk];
    const BoundaryGroup& group = groups_[here.group];
    const std::uint64_t per_block = boundaries_per_block(group);
    const std::uint64_t start = block * per_block;
    const std::uint64_t count = std::min(per_block, here.count - start);
    const Word sign_bit = mirrored_ ? static_cast<Word>(traits(dtype()).sign_mask()) : Word{0};

    Word boundaries[kBlockProbes / 3];
    for (std::uint64_t i = 0; i < count; ++i) {
      boundaries[i] = static_cast<Word>(boundary(here, group, start + i));
    }
    Word* to = out;
    const std::uint64_t slot_count = slots(group);
    for (std::uint64_t turn = 0; turn < slot_count; ++turn) {
      const std::uint64_t slot = (turn + block) % slot_count;
      const Word delta = static_cast<Word>(probe(group, 0, slot));  // added modulo 2^width
      if (mirrored_) {
        for (std::uint64_t i = 0; i < count; ++i) {
          const Word bits = static_cast<Word>(boundaries[i] + delta);
          to[2 * i] = bits;
          to[2 * i + 1] = bits | sign_bit;
        }
        to += 2 * count;
      } else {
        for (std::uint64_t i = 0; i < count; ++i) to[i] = static_cast<Word>(boundaries[i] + delta);
        to += count;
      }
    }
    // Special values go to scattered places; what stood there moves to the end.
    const std::size_t body = static_cast<std::size_t>(to - out);
    for (std::size_t k = 0; k < kSpecials; ++k) {
      const std::size_t place = mix(block * kSpecials + k) % (body + k + 1);
      out[body + k] = place == body + k ? Word{0} : out[place];
      out[place] = static_cast<Word>(special(chunk, block, k));
    }
    return body + kSpecials;
  }

  oracle::CastOperation operation_;
  std::uint64_t seed_;
  bool mirrored_;
  std::vector<BoundaryGroup> groups_;
  std::vector<std::uint64_t> chosen_;
  std::vector<Chunk> chunks_;
  std::vector<Bits> specials_;
};

bool BoundarySpace::same_error(Bits a, Bits b, const oracle::CastOracle& oracle) const {
  const auto error = [&](Bits bits) {
    return oracle::fast_ulp_error(bits, oracle.expect_one(bits), operation_);
  };
  // Only finite values have an error; NaNs never lie at a boundary.
  return error(a) == error(b);
}

}  // namespace

std::unique_ptr<ProbeSpace> boundary_space(oracle::CastOperation operation,
                                           std::uint64_t per_exponent, std::uint64_t seed) {
  std::vector<BoundaryGroup> groups = oracle::boundary_groups(operation);
  std::uint64_t all = 0;
  std::uint64_t chosen = 0;
  for (const BoundaryGroup& group : groups) {
    all += group.count;
    chosen += std::min(group.count, per_exponent);
  }
  const bool mirrored = traits(operation.from).is_floating() && traits(operation.to).is_floating();
  const std::uint64_t both = mirrored ? 2 : 1;
  const bool complete = chosen == all;
  std::string words =
      complete ? fmt::format("all {} rounding boundaries", with_thousands(all * both))
               : fmt::format("{} of {} rounding boundaries, from every exponent (seed {})",
                             with_thousands(chosen * both), with_thousands(all * both), seed);
  words +=
      ", each on it, one step below, the result below, and with one bit set at every lower "
      "position";
  return std::make_unique<BoundarySpace>(operation, per_exponent, seed, std::move(groups), complete,
                                         std::move(words));
}

}  // namespace assay
