#include "audit/worker/held_call.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <system_error>
#include <thread>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace assay {

namespace {

// A handler reaches nothing else. Lock-free, so that it may.
enum class Stage : int {
  kOutside,   ///< the outer call has not begun, or is over
  kUnderWay,  ///< it can be held
  kHeld,
  kInner,    ///< it is held, and the inner call has begun
  kLetGo,    ///< the inner call is over
  kGivenUp,  ///< nobody came
};
std::atomic<Stage> stage{Stage::kOutside};
static_assert(std::atomic<Stage>::is_always_lock_free);

/// From one stage to the next, if it is that one.
bool advance(Stage from, Stage to) {
  return stage.compare_exchange_strong(from, to);
}

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void pause_briefly() {
  const timespec time{0, 10000};
  nanosleep(&time, nullptr);
}

void wait_while(Stage present, double at_most) {
  const double until = now() + at_most;
  while (stage == present && now() < until) pause_briefly();
}

/// Runs on the outer call's thread, in its midst.
void hold(int) {
  const int error = errno;
  if (advance(Stage::kUnderWay, Stage::kHeld)) {
    // For the other thread to be scheduled, which waits for nothing; then for its call.
    wait_while(Stage::kHeld, 10 * kLongestHold);
    if (!advance(Stage::kHeld, Stage::kGivenUp)) wait_while(Stage::kInner, kLongestHold);
  }
  errno = error;
}

int hold_signal() {
  return SIGRTMIN + 5;
}

/// Sends the signal to the thread that makes it, once.
class Timer {
 public:
  Timer() {
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = hold_signal();
    event.sigev_notify_thread_id = static_cast<pid_t>(syscall(SYS_gettid));
    made_ = timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
  }
  ~Timer() {
    if (made_) timer_delete(timer_);
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  bool made() const { return made_; }
  void start(double after) {
    // Zero would stop it.
    const double nanoseconds = std::max(1.0, after * 1e9);
    itimerspec when{};
    when.it_value.tv_sec = static_cast<time_t>(nanoseconds / 1e9);
    when.it_value.tv_nsec = static_cast<long>(nanoseconds) % 1000000000;
    timer_settime(timer_, 0, &when, nullptr);
  }

 private:
  timer_t timer_{};
  bool made_ = false;
};

}  // namespace

bool call_within(const std::function<void()>& outer, double after,
                 const std::function<void()>& inner) {
  struct sigaction action {};
  action.sa_handler = hold;
  action.sa_flags = SA_RESTART;
  struct sigaction before {};
  if (sigaction(hold_signal(), &action, &before) != 0) {
    throw std::system_error(errno, std::generic_category(), "sigaction");
  }
  stage = Stage::kOutside;
  std::atomic<bool> over{false};
  int failure = 0;
  bool within = false;
  try {
    std::thread thread([&] {
      {
        Timer timer;
        failure = timer.made() ? 0 : errno;
        if (timer.made()) timer.start(after);
        stage = Stage::kUnderWay;
        outer();
        advance(Stage::kUnderWay, Stage::kOutside);
      }
      over = true;
    });
    while (!over && stage != Stage::kHeld) pause_briefly();
    if (advance(Stage::kHeld, Stage::kInner)) {
      inner();
      stage = Stage::kLetGo;
      within = true;
    }
    thread.join();
  } catch (...) {
    sigaction(hold_signal(), &before, nullptr);
    throw;
  }
  sigaction(hold_signal(), &before, nullptr);
  if (failure != 0) throw std::system_error(failure, std::generic_category(), "timer_create");
  return within;
}

}  // namespace assay
