// What a shard is asked for by, and that work is dealt out whole, once and evenly.
#include "audit/shard.h"

#include <algorithm>

#include "contracts/testing/catch.h"

namespace assay {
namespace {

TEST_CASE("K/N is read, and nothing else is") {
  CHECK(shard_from("1/1") == Shard{1, 1});
  CHECK(shard_from("2/3") == Shard{2, 3});
  CHECK(shard_from("1000/1000") == Shard{1000, 1000});
  CHECK(to_string(*shard_from("2/3")) == "shard 2 of 3");
  for (const char* text : {"",      "1",      "/",    "1/",           "/2",
                           "0/2",   "3/2",    "1/0",  "-1/2",         "1/-2",
                           "1/2/3", " 1/2",   "1/2 ", "1 /2",         "1.0/2",
                           "0x1/2", "1/1001", "+1/2", "1/4294967296", "4294967297/4294967298",
                           "a/b"}) {
    CAPTURE(text);
    CHECK_FALSE(shard_from(text));
  }
  CHECK_FALSE(shard_from(std::string_view("1/2\0", 4)));
}

/// How many of three shards get each of these items.
std::vector<int> owners(const std::vector<std::pair<std::size_t, std::uint64_t>>& items,
                        unsigned of, std::vector<std::vector<std::size_t>>& by_shard) {
  std::vector<int> count(items.size(), 0);
  for (unsigned number = 1; number <= of; ++number) {
    Dealer dealer(Shard{number, of});
    by_shard.emplace_back();
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!dealer.mine(items[i].first, items[i].second)) continue;
      ++count[i];
      by_shard.back().push_back(i);
    }
  }
  return count;
}

TEST_CASE("each item is one shard's, and of each kind shards differ by one item at most") {
  std::vector<std::pair<std::size_t, std::uint64_t>> items;
  std::uint64_t seed = 7;
  for (std::size_t i = 0; i < 500; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const std::size_t kind = (seed >> 33) % 5;
    // Of kind 0 items differ a hundredfold; of the others all cost the same.
    items.emplace_back(kind, kind == 0 ? 1 + (seed >> 40) % 100 : 3);
  }
  for (const unsigned of : {1u, 2u, 3u, 7u}) {
    CAPTURE(of);
    std::vector<std::vector<std::size_t>> by_shard;
    for (const int count : owners(items, of, by_shard)) CHECK(count == 1);
    for (std::size_t kind = 0; kind < 5; ++kind) {
      std::vector<std::uint64_t> costs;
      for (const auto& mine : by_shard) {
        costs.push_back(0);
        for (const std::size_t i : mine)
          costs.back() += items[i].first == kind ? items[i].second : 0;
      }
      const auto [least, most] = std::minmax_element(costs.begin(), costs.end());
      CHECK(*most - *least <= (kind == 0 ? 100 : 3));
    }
  }
}

TEST_CASE("kinds of one item each do not all fall to the first shard") {
  std::vector<std::pair<std::size_t, std::uint64_t>> items;
  for (std::size_t kind = 0; kind < 12; ++kind) items.emplace_back(kind, 1);
  std::vector<std::vector<std::size_t>> by_shard;
  owners(items, 4, by_shard);
  for (const auto& mine : by_shard) CHECK(mine.size() == 3);
}

TEST_CASE("of an audit that is not split all is its own") {
  Dealer dealer(Shard{});
  for (int i = 0; i < 10; ++i) CHECK(dealer.mine(0));
}

}  // namespace
}  // namespace assay
