// Calls made in the midst of others.
#include "audit/worker/held_call.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "contracts/testing/catch.h"

namespace assay {
namespace {

/// Keeps a processor busy.
void work(std::chrono::microseconds how_long) {
  const auto until = std::chrono::steady_clock::now() + how_long;
  while (std::chrono::steady_clock::now() < until) {
  }
}

TEST_CASE("the inner call begins after the outer one and ends before it") {
  int within = 0;
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> stage{0};
    int seen_by_inner = 0;
    int seen_at_the_end = 0;
    const bool was = call_within(
        [&] {
          stage = 1;
          work(std::chrono::microseconds(1000));
          seen_at_the_end = stage;
          stage = 3;
        },
        0.0003,
        [&] {
          seen_by_inner = stage;
          stage = 2;
        });
    within += was ? 1 : 0;
    if (!was) continue;
    CHECK(seen_by_inner == 1);
    CHECK(seen_at_the_end == 2);
    CHECK(stage == 3);
  }
  // But for rounds in which the machine had other things to do.
  CHECK(within >= 10);
}

TEST_CASE("a call that is over cannot be held") {
  bool made = false;
  CHECK_FALSE(call_within([] {}, 0.05, [&] { made = true; }));
  CHECK_FALSE(made);
}

TEST_CASE("a call that waits for the one that is held is not stuck") {
  std::mutex lock;
  int calls = 0;
  const auto locked = [&] {
    const std::lock_guard<std::mutex> guard(lock);
    work(std::chrono::microseconds(1000));
    ++calls;
  };
  const bool within = call_within(locked, 0.0003, locked);
  CHECK(calls == (within ? 2 : 1));
}

}  // namespace
}  // namespace assay
