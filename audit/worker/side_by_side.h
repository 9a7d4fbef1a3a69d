// Calls from several threads at the same time, again and again.
//
// Threads that are merely started together hardly ever run together: a short call is over before
// the next thread wakes. So all wait for one another before every call, and it goes on until calls
// were seen to be under way at the same time for long enough.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace assay {

/// What one thread does in every round.
struct Turn {
  std::function<void()> prepare;  ///< before the threads meet
  std::function<void()> call;     ///< right after that; it should last 50 microseconds or more
  std::function<bool()> right;    ///< looks at what the call gave; false: this round is the last,
                                  ///< and what it gave is left as it is
};

/// Wall-clock time, in seconds, that is enough, and that is too much.
inline constexpr double kEnoughOverlap = 0.005;
inline constexpr double kLongestTogether = 0.020;

struct Together {
  std::uint64_t rounds = 0;
  double overlap = 0;  ///< seconds: all calls' durations, less the time in which any was under way
};

/// Runs each turn on a thread of its own until calls overlapped for kEnoughOverlap seconds, but no
/// new round begins after kLongestTogether seconds (a second round always does, unless a turn was
/// not right in the first). Returns when all threads have ended. Turns must not throw. Throws
/// std::system_error when a thread cannot be had; then no round was begun.
Together run_side_by_side(const std::vector<Turn>& turns);

}  // namespace assay
