// SIGINT, SIGTERM and SIGHUP as requests to stop, rather than as the end of the process.
#pragma once

#include <signal.h>

namespace assay {

/// While one of these exists, the three signals do no more than set a flag, which running pools
/// look at; a signal that was ignored before stays so. The flag is cleared, and the handlers of
/// before are put back, when the outermost one ends. Not for concurrent use.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

 private:
  struct sigaction old_interrupt_ = {};
  struct sigaction old_terminate_ = {};
  struct sigaction old_hang_up_ = {};
};

/// Asks for a stop as SIGINT does. Async-signal-safe.
void request_stop();

/// Whether a stop was asked for.
bool stop_requested();

}  // namespace assay
