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

/// Probes around one boundary are numbered by slots: the result below it, one pattern below it, the
/// boundary, one pattern above it (the lowest bit set), and the boundary with one further bit set
/// below the rounding bit: each of them in a slot of its own, or one that changes with the block.
constexpr std::uint64_t kFirstStickySlot = 4;

constexpr std::uint64_t slots(const BoundaryGroup& group, StickyBits sticky) {
  const auto below = static_cast<std::uint64_t>(group.rounding_bit);
  return 3 + (sticky == StickyBits::kEvery ? below : std::min<std::uint64_t>(below, 2));
}

/// How many blocks it takes until a rotating sticky bit comes round.
constexpr std::uint64_t rotation(const BoundaryGroup& group) {
  return static_cast<std::uint64_t>(std::max(group.rounding_bit - 1, 1));
}

/// What a slot adds to its boundary, modulo 2^64, in the block that is number `turn` of all.
constexpr Bits offset(const BoundaryGroup& group, StickyBits sticky, std::uint64_t slot,
                      std::uint64_t turn) {
  if (slot == 0) return ~(Bits{1} << group.rounding_bit) + 1;
  if (slot == 1) return ~Bits{0};
  if (slot == 2) return 0;
  if (slot == kFirstStickySlot && sticky == StickyBits::kRotating) {
    return Bits{2} << (turn % rotation(group));
  }
  return Bits{1} << (slot - 3);
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
                StickyBits sticky, std::vector<BoundaryGroup> groups, bool complete,
                std::string name, std::string words)
      : ProbeSpace(std::move(name), std::move(words), operation.from,
                   complete ? Strength::kBoundaryComplete : Strength::kSampled, !complete),
        operation_(operation),
        sticky_(sticky),
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
    return here.count * slots(groups_[here.group], sticky_) * signs() + blocks(chunk) * kSpecials;
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
    for (std::uint64_t slot = 0; slot < slots(group, sticky_); ++slot) {
      const bool rotates = slot == kFirstStickySlot && sticky_ == StickyBits::kRotating;
      const std::uint64_t turns =
          rotates ? std::min(rotation(group), blocks(chunk)) : std::uint64_t{1};
      for (std::uint64_t turn = 0; turn < turns; ++turn) {
        count_slot(chunk, slot, rotates ? turn : kAllTurns, cells, oracle, census);
      }
    }
    // The special values come in order of the list, round after round.
    const std::uint64_t mixed_in = blocks(chunk) * kSpecials;
    const std::uint64_t start = chunk * kChunkBlocks * kSpecials % specials_.size();
    for (std::uint64_t i = 0; i < specials_.size(); ++i) {
      const std::uint64_t turn = (i + specials_.size() - start) % specials_.size();
      const std::uint64_t times =
          mixed_in / specials_.size() + (turn < mixed_in % specials_.size() ? 1 : 0);
      if (times > 0) add(specials_[i], times);
    }
  }

 private:
  std::uint64_t signs() const { return mirrored_ ? 2 : 1; }

  std::uint64_t boundaries_per_block(const BoundaryGroup& group) const {
    return (kBlockProbes - kSpecials) / (slots(group, sticky_) * signs());
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

  static constexpr std::uint64_t kAllTurns = ~std::uint64_t{0};

  /// Counts one slot of a chunk's boundaries: of all its blocks, or of every rotation-th from
  /// `turn` on.
  void count_slot(std::uint64_t chunk, std::uint64_t slot, std::uint64_t turn, const CellMap& cells,
                  const oracle::CastOracle& oracle, Census& census) const {
    const Chunk& here = chunks_[chunk];
    const BoundaryGroup& group = groups_[here.group];
    const std::uint64_t per_block = boundaries_per_block(group);
    const std::uint64_t first_block = turn == kAllTurns ? 0 : turn;
    const std::uint64_t step = turn == kAllTurns ? 1 : rotation(group);
    const std::uint64_t last_block = first_block + (blocks(chunk) - 1 - first_block) / step * step;
    const Bits added = offset(group, sticky_, slot, chunk * kChunkBlocks + first_block);
    const auto end_of = [&](std::uint64_t block) {
      return std::min(here.count, (block + 1) * per_block);
    };
    std::uint64_t boundaries = 0;
    for (std::uint64_t b = first_block; b < blocks(chunk); b += step) {
      boundaries += end_of(b) - b * per_block;
    }
    for (std::uint64_t sign = 0; sign < signs(); ++sign) {
      const Bits sign_bit = sign == 0 ? 0 : traits(dtype()).sign_mask();
      const auto at = [&](std::uint64_t i) {
        return ((boundary(here, group, i) + added) & traits(dtype()).all_mask()) | sign_bit;
      };
      const auto add = [&](Bits bits, std::uint64_t times) {
        count_one(cells, bits, oracle.expect_one(bits), times, census);
      };
      // Boundaries of a group lie in one binade at equal distances, so a slot has the same error at
      // each of them, but for the group's first boundary, whose lower slots may reach into the
      // binade below. Where the ends of a run agree in error and cell, so does all between.
      const Bits first = at(first_block * per_block);
      const Bits last = at(end_of(last_block) - 1);
      if (chosen_[here.group] == group.count && cells.index(first) == cells.index(last) &&
          same_error(first, last, oracle)) {
        add(first, boundaries);
        continue;
      }
      for (std::uint64_t b = first_block; b < blocks(chunk); b += step) {
        for (std::uint64_t i = b * per_block; i < end_of(b); ++i) add(at(i), 1);
      }
    }
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
    const std::uint64_t slot_count = slots(group, sticky_);
    for (std::uint64_t turn = 0; turn < slot_count; ++turn) {
      const std::uint64_t slot = (turn + block) % slot_count;
      const Word delta =
          static_cast<Word>(offset(group, sticky_, slot, chunk * kChunkBlocks + block));
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
  StickyBits sticky_;
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
                                           std::uint64_t per_exponent, std::uint64_t seed,
                                           StickyBits sticky) {
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
  words += ", each on it, one pattern to either side, the result below, and with one bit set at ";
  words += sticky == StickyBits::kEvery ? "every lower position"
                                        : "a lower position that goes through all of them";
  std::string name = complete ? "boundaries" : "boundary sample";
  if (sticky == StickyBits::kRotating) name += " with rotating sticky bits";
  return std::make_unique<BoundarySpace>(operation, per_exponent, seed, sticky, std::move(groups),
                                         complete, std::move(name), std::move(words));
}

}  // namespace assay
