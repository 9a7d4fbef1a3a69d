#include "audit/worker/stop_signals.h"

#include <atomic>

namespace assay {

namespace {

std::atomic<bool> requested{false};
int depth = 0;

extern "C" void on_stop_signal(int /*signal*/) {
  requested.store(true);
}

}  // namespace

StopSignals::StopSignals() {
  if (depth++ > 0) return;
  struct sigaction action = {};
  action.sa_handler = on_stop_signal;
  const auto install = [&](int signal, struct sigaction& old) {
    sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // as nohup asks for
  };
  install(SIGINT, old_interrupt_);
  install(SIGTERM, old_terminate_);
  install(SIGHUP, old_hang_up_);
}

StopSignals::~StopSignals() {
  if (--depth > 0) return;
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
  sigaction(SIGHUP, &old_hang_up_, nullptr);
  requested.store(false);
}

void request_stop() {
  requested.store(true);
}

bool stop_requested() {
  return requested.load();
}

}  // namespace assay
