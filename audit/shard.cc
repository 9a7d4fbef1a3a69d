#include "audit/shard.h"

#include <fmt/format.h>

#include <charconv>
#include <tuple>

namespace assay {

std::string to_string(const Shard& shard) {
  return fmt::format("shard {} of {}", shard.number, shard.of);
}

std::optional<Shard> shard_from(std::string_view text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, no_number] = std::from_chars(text.data(), end, shard.number);
  if (no_number != std::errc() || slash == end || *slash != '/') return std::nullopt;
  const auto [last, no_count] = std::from_chars(slash + 1, end, shard.of);
  if (no_count != std::errc() || last != end) return std::nullopt;
  if (shard.number < 1 || shard.number > shard.of || shard.of > kMostShards) return std::nullopt;
  return shard;
}

bool Dealer::mine(std::size_t kind, std::uint64_t cost) {
  if (!shard_.is_part()) return true;
  std::vector<std::uint64_t>& costs = costs_[kind];
  costs.resize(shard_.of);
  std::size_t least = 0;
  for (std::size_t s = 1; s < costs.size(); ++s) {
    if (std::tie(costs[s], items_[s]) < std::tie(costs[least], items_[least])) least = s;
  }
  costs[least] += cost;
  ++items_[least];
  return least + 1 == shard_.number;
}

}  // namespace assay
