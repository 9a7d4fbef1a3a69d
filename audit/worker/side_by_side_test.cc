// Threads that are to run together do, and stop when they should.
#include "audit/worker/side_by_side.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "contracts/testing/catch.h"

namespace assay {
namespace {

Turn sleeping(std::chrono::microseconds each) {
  return {[] {}, [each] { std::this_thread::sleep_for(each); }, [] { return true; }};
}

TEST_CASE("calls of several threads are under way at the same time") {
  const Together together =
      run_side_by_side(std::vector<Turn>(4, sleeping(std::chrono::microseconds(500))));
  CHECK(together.overlap >= kEnoughOverlap);
  CHECK(together.rounds >= 2);
  CHECK(together.rounds <= 20);
}

TEST_CASE("a call alone overlaps nothing, and time is bounded") {
  const auto start = std::chrono::steady_clock::now();
  const Together together =
      run_side_by_side(std::vector<Turn>(1, sleeping(std::chrono::microseconds(5000))));
  CHECK(together.overlap == 0);
  CHECK(together.rounds <= 10);
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(20));
}

TEST_CASE("every turn is prepared, called and looked at in each round") {
  std::atomic<int> prepared{0};
  std::atomic<int> called{0};
  std::atomic<int> looked_at{0};
  const Turn turn{[&] { ++prepared; },
                  [&] {
                    ++called;
                    std::this_thread::sleep_for(std::chrono::microseconds(100));
                  },
                  [&] {
                    ++looked_at;
                    return true;
                  }};
  const Together together = run_side_by_side({turn, turn, turn});
  CHECK(static_cast<std::uint64_t>(called) == 3 * together.rounds);
  CHECK(called == looked_at);
  CHECK(prepared == called);
}

TEST_CASE("what is not right ends it") {
  std::atomic<int> rounds{0};
  Turn wrong = sleeping(std::chrono::microseconds(10));
  wrong.right = [&] { return ++rounds < 2; };  // a second round always begins, however late
  const Together together = run_side_by_side({sleeping(std::chrono::microseconds(10)), wrong});
  CHECK(together.rounds == 2);
}

}  // namespace
}  // namespace assay
