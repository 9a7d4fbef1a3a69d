// Shards: parts of one audit that run apart, on several machines of one kind, and are merged.
//
// An audit is split by its probe spaces: what runs in which shard is dealt out by counts that
// follow from the contracts and the options alone, so that all shards agree on it without a word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

inline constexpr unsigned kMostShards = 1000;

/// Which part of an audit runs.
struct Shard {
  unsigned number = 0;  ///< 1 … of
  unsigned of = 0;      ///< 0: the audit is not split

  bool is_part() const { return of > 0; }
  bool operator==(const Shard&) const = default;
};

/// "shard 2 of 3".
std::string to_string(const Shard& shard);

/// Reads "2/3"; nothing where the text is no K/N with 1 <= K <= N <= kMostShards.
std::optional<Shard> shard_from(std::string_view text);

/// Deals out items of work: each to the shard that has the least of its kind so far, and among
/// those to the one with the fewest items at all, then to the one with the lowest number. Items of
/// one kind cost about the same for the same count, so that no guess at the kinds' costs is needed:
/// of each kind, shards differ by one item at most.
class Dealer {
 public:
  explicit Dealer(const Shard& shard) : shard_(shard), items_(shard.of) {}

  /// Deals out the next item, and says whether it is this shard's. Of an audit that is not split
  /// all are. All shards must ask about the same items in the same order.
  bool mine(std::size_t kind, std::uint64_t cost = 1);

 private:
  Shard shard_;
  std::vector<std::uint64_t> items_;                         ///< by shard
  std::map<std::size_t, std::vector<std::uint64_t>> costs_;  ///< by kind and shard
};

}  // namespace assay
