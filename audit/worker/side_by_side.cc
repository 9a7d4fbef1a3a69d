#include "audit/worker/side_by_side.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>
#include <utility>

namespace assay {

namespace {

using Clock = std::chrono::steady_clock;
using Interval = std::pair<Clock::time_point, Clock::time_point>;

double seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/// Durations of all, less the length of what they cover together.
double overlap(std::vector<Interval> calls) {
  std::sort(calls.begin(), calls.end());
  double shared = 0;
  Clock::time_point covered = calls.front().first;
  for (const auto& [start, end] : calls) {
    shared += seconds(std::max(std::min(covered, end) - start, Clock::duration::zero()));
    covered = std::max(covered, end);
  }
  return shared;
}

}  // namespace

Together run_side_by_side(const std::vector<Turn>& turns) {
  Together together;
  std::vector<Interval> calls(turns.size());
  std::atomic<bool> wrong{false};
  std::atomic<bool> cancelled{false};
  bool over = false;
  const Clock::time_point began = Clock::now();
  // Runs on one thread after each round, while all others wait.
  const auto end_of_round = [&]() noexcept {
    together.overlap += overlap(calls);
    ++together.rounds;
    over = wrong || (together.rounds >= 2 && (together.overlap >= kEnoughOverlap ||
                                              seconds(Clock::now() - began) >= kLongestTogether));
  };
  const auto count = static_cast<std::ptrdiff_t>(turns.size());
  std::barrier start(count);
  std::barrier end(count, end_of_round);
  std::vector<std::thread> threads;
  const auto join = [&] {
    for (std::thread& thread : threads) thread.join();
  };
  try {
    for (std::size_t t = 0; t < turns.size(); ++t) {
      threads.emplace_back([&, t] {
        while (!over) {
          turns[t].prepare();
          start.arrive_and_wait();
          if (cancelled) return;
          calls[t].first = Clock::now();
          turns[t].call();
          calls[t].second = Clock::now();
          if (!turns[t].right()) wrong = true;
          end.arrive_and_wait();
        }
      });
    }
  } catch (...) {
    // The threads that there are wait for those that there are not.
    cancelled = true;
    for (std::size_t t = threads.size(); t < turns.size(); ++t) start.arrive_and_drop();
    join();
    throw;
  }
  join();
  return together;
}

}  // namespace assay
