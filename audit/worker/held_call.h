// A call that is made while another one is held in its midst.
//
// On a busy machine, or one of a single processor, calls of several threads follow one another
// however well they are started together: a short call ends before its thread is taken off the
// processor. So a timer stops one call on its way, and another is made before it goes on.
#pragma once

#include <functional>

namespace assay {

/// Makes `outer` on a thread of its own, holds it `after` seconds of wall-clock time into it, makes
/// `inner` here, and lets `outer` go on. True when `inner` was made so; false when `outer` was over
/// before it could be held: then `inner` is not made.
///
/// What `inner` waits for may be in the hands of `outer` (a lock, memory management): `outer` goes
/// on by itself after kLongestHold seconds. Uses a real-time signal and its handler meanwhile; at
/// most one such call is under way in a process. Neither may throw. Throws std::system_error when a
/// thread or timer cannot be had.
bool call_within(const std::function<void()>& outer, double after,
                 const std::function<void()>& inner);

inline constexpr double kLongestHold = 0.002;

}  // namespace assay
