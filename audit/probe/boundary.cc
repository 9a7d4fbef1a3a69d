// Rounding boundaries, on them and on both sides.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "audit/probe/rows.h"
#include "audit/probe/space.h"
#include "oracles/boundaries.h"
#include "oracles/cast_measure.h"
#include "oracles/special_values.h"
#include "reports/text.h"

namespace assay {

namespace {

using oracle::BoundaryGroup;

constexpr std::size_t kSpecials = kInserted;
constexpr std::uint64_t kChunkBlocks = 16384;

/// Probes around one boundary are numbered by slots: the result below it, one pattern below it, the
/// boundary, and from kFirstSticky on the boundary with one bit set below the rounding bit, from
/// the lowest such bit (one pattern above the boundary) to the highest. A block has a row for each
/// slot. Where sticky bits take turns there are two: the lowest bit, and in each block another one
/// of the others.
constexpr std::uint64_t kFirstSticky = 3;
constexpr std::uint64_t kTurningSlot = kFirstSticky + 1;

/// Whether the sticky bits of this group's boundaries take turns.
constexpr bool turning(const BoundaryGroup& group, Sticky sticky) {
  return sticky == Sticky::kInTurn && group.rounding_bit > 2;
}

constexpr std::uint64_t slots(const BoundaryGroup& group, Sticky sticky) {
  if (turning(group, sticky)) return kTurningSlot + 1;
  return kFirstSticky + static_cast<std::uint64_t>(group.rounding_bit);
}

/// Sticky bits above the lowest.
constexpr std::uint64_t turns(const BoundaryGroup& group) {
  return static_cast<std::uint64_t>(group.rounding_bit) - 1;
}

/// What a slot adds to its boundary, modulo 2^64.
constexpr Bits offset(const BoundaryGroup& group, std::uint64_t slot) {
  if (slot == 0) return ~(Bits{1} << group.rounding_bit) + 1;
  if (slot == 1) return ~Bits{0};
  if (slot == 2) return 0;
  return Bits{1} << (slot - kFirstSticky);
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
                Sticky sticky, std::vector<BoundaryGroup> groups, bool complete, std::string name,
                std::string words)
      : ProbeSpace(std::move(name), std::move(words), operation.from,
                   complete ? Strength::kBoundaryComplete : Strength::kSampled, !complete),
        operation_(operation),
        seed_(seed),
        sticky_(sticky),
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
    return traits(dtype()).width == 64
               ? write<std::uint64_t>(chunk, block, static_cast<std::uint64_t*>(out))
               : write<std::uint32_t>(chunk, block, static_cast<std::uint32_t*>(out));
  }

  void count(std::uint64_t chunk, const CellMap& cells, const oracle::CastOracle& oracle,
             Census& census) const override {
    const Chunk& here = chunks_[chunk];
    const BoundaryGroup& group = groups_[here.group];
    const auto add = [&](Bits bits, std::uint64_t count) {
      count_one(cells, bits, oracle.expect_one(bits), count, census);
    };
    const bool in_turn = turning(group, sticky_);
    const std::uint64_t fixed = slots(group, sticky_) - (in_turn ? 1 : 0);
    for (std::uint64_t slot = 0; slot < fixed; ++slot) {
      count_slot(here, group, offset(group, slot), cells, oracle, census);
    }
    if (in_turn) count_turns(chunk, cells, oracle, census);
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

  /// An odd number, so that rows of probes do not all start in the same lane.
  std::uint64_t boundaries_per_block(const BoundaryGroup& group) const {
    return ((kBlockProbes - kSpecials) / (slots(group, sticky_) * signs()) - 1) | 1;
  }

  /// The slot, of those where each sticky bit has one, whose turn it is in a block.
  std::uint64_t turn(const BoundaryGroup& group, std::uint64_t chunk, std::uint64_t block) const {
    return kTurningSlot + (chunk * kChunkBlocks + block) % turns(group);
  }

  /// The i-th chosen boundary of a chunk. All of them in order; of a sample, the first and last 32
  /// of the group, then a random one from each of as many equal parts of the rest as are wanted:
  /// all different, and spread.
  Bits boundary(const Chunk& chunk, const BoundaryGroup& group, std::uint64_t i) const {
    std::uint64_t index = chunk.first + i;
    const std::uint64_t chosen = chosen_[chunk.group];
    if (chosen < group.count && index >= 32) {
      index =
          index < 64 ? group.count - 1 - (index - 32) : 32 + spread(chunk.group, group, index - 64);
    }
    return group.first + index * group.step;
  }

  /// A random position in the k-th part of a group without its ends.
  std::uint64_t spread(std::size_t g, const BoundaryGroup& group, std::uint64_t k) const {
    const std::uint64_t parts = chosen_[g] - 64;
    const std::uint64_t rest = group.count - 64;
    const auto start_of = [&](std::uint64_t part) {
      return rest / parts * part + rest % parts * part / parts;
    };
    const std::uint64_t start = start_of(k);
    return start + mix(seed_ ^ mix(g << 40 ^ k)) % (start_of(k + 1) - start);
  }

  /// The special values go round in order of the list; within a block, each turn starts with
  /// another of them, so that none is tied to one lane.
  Bits special(std::uint64_t chunk, std::uint64_t block, std::size_t k) const {
    const std::uint64_t before = (chunk * kChunkBlocks + block) * kSpecials;
    return specials_[(before + (k + block) % kSpecials) % specials_.size()];
  }

  /// Counts the slot in which sticky bits take turns: the blocks of one bit together, where all of
  /// them have the same error, and the blocks one by one where they do not.
  void count_turns(std::uint64_t chunk, const CellMap& cells, const oracle::CastOracle& oracle,
                   Census& census) const {
    const Chunk& here = chunks_[chunk];
    const BoundaryGroup& group = groups_[here.group];
    const std::uint64_t per_block = boundaries_per_block(group);
    const std::uint64_t all = blocks(chunk);
    for (std::uint64_t first = 0; first < std::min(all, turns(group)); ++first) {
      const Bits added = offset(group, turn(group, chunk, first));
      const std::uint64_t last = first + (all - 1 - first) / turns(group) * turns(group);
      const std::uint64_t end = std::min((last + 1) * per_block, here.count);
      const std::uint64_t count =
          (last - first) / turns(group) * per_block + end - last * per_block;
      for (std::uint64_t sign = 0; sign < signs(); ++sign) {
        const Bits sign_bit = sign == 0 ? 0 : traits(dtype()).sign_mask();
        const auto at = [&](std::uint64_t i) {
          return ((boundary(here, group, i) + added) & traits(dtype()).all_mask()) | sign_bit;
        };
        const auto add = [&](Bits bits, std::uint64_t times) {
          count_one(cells, bits, oracle.expect_one(bits), times, census);
        };
        const Bits a = at(first * per_block);
        const Bits b = at(end - 1);
        if (chosen_[here.group] == group.count && cells.index(a) == cells.index(b) &&
            same_error(a, b, oracle)) {
          add(a, count);
          continue;
        }
        for (std::uint64_t block = first; block <= last; block += turns(group)) {
          const std::uint64_t to = std::min((block + 1) * per_block, here.count);
          for (std::uint64_t i = block * per_block; i < to; ++i) add(at(i), 1);
        }
      }
    }
  }

  /// Counts one slot of a chunk's boundaries, which adds `added` to each.
  void count_slot(const Chunk& here, const BoundaryGroup& group, Bits added, const CellMap& cells,
                  const oracle::CastOracle& oracle, Census& census) const {
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
      std::uint64_t begin = 0;
      for (; chosen_[here.group] == group.count && begin < std::min<std::uint64_t>(here.count, 2);
           ++begin) {
        const Bits first = at(begin);
        const Bits last = at(here.count - 1);
        if (cells.index(first) == cells.index(last) && same_error(first, last, oracle)) {
          add(first, here.count - begin);
          begin = here.count;
          break;
        }
        add(first, 1);
      }
      for (std::uint64_t i = begin; i < here.count; ++i) add(at(i), 1);
    }
  }

  bool same_error(Bits a, Bits b, const oracle::CastOracle& oracle) const;

  template <typename Word>
  Block write(std::uint64_t chunk, std::uint64_t block, Word* out) const {
    const Chunk& here = chunks_[chunk];
    const BoundaryGroup& group = groups_[here.group];
    const std::uint64_t per_block = boundaries_per_block(group);
    const std::uint64_t start = block * per_block;
    const std::uint64_t count = std::min(per_block, here.count - start);

    // The boundaries of the block in both signs; a row is these patterns with one slot's offset,
    // which never reaches the sign.
    Word boundaries[kBlockProbes / kFirstSticky];
    const Word sign_bit = static_cast<Word>(traits(dtype()).sign_mask());
    for (std::uint64_t i = 0; i < count; ++i) {
      const Word bits = static_cast<Word>(boundary(here, group, start + i));
      boundaries[signs() * i] = bits;
      if (mirrored_) boundaries[2 * i + 1] = bits | sign_bit;
    }

    Block result;
    result.row = count * signs();
    result.rows = slots(group, sticky_);
    result.first_slot = block % result.rows;
    result.rising_from = kFirstSticky;
    for (std::size_t k = 0; k < kSpecials; ++k) {
      result.inserted[k] = mix(block * kSpecials + k) % (result.rows + 1);
    }
    std::sort(result.inserted.begin(), result.inserted.end());

    Word* to = out;
    std::size_t k = 0;
    std::size_t slot = result.first_slot;
    for (std::size_t r = 0; r <= result.rows; ++r) {
      for (; k < kSpecials && result.inserted[k] == r; ++k) {
        *to++ = static_cast<Word>(special(chunk, block, k));
      }
      if (r == result.rows) break;
      const bool is_turning = slot == kTurningSlot && turning(group, sticky_);
      const Bits added = offset(group, is_turning ? turn(group, chunk, block) : slot);
      add_to_row(boundaries, static_cast<Word>(added), result.row, to);
      to += result.row;
      if (++slot == result.rows) slot = 0;
    }
    result.probes = static_cast<std::size_t>(to - out);
    return result;
  }

  oracle::CastOperation operation_;
  std::uint64_t seed_;
  Sticky sticky_;
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
                                           Sticky sticky) {
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
  words +=
      sticky == Sticky::kAll
          ? "every lower position"
          : "one lower position: all of them in turn, from some hundred boundaries to the next";
  return std::make_unique<BoundarySpace>(operation, per_exponent, seed, sticky, std::move(groups),
                                         complete, complete ? "boundaries" : "boundary sample",
                                         std::move(words));
}

}  // namespace assay
