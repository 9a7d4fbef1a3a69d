// What a faulty kernel leaves behind in its process.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <thread>

namespace assay::mutants {

/// A file descriptor that nobody closes.
inline void leave_a_descriptor() {
  static_cast<void>(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

/// A thread that waits for ever.
inline void leave_a_thread() {
  std::thread([] {
    for (;;) ::pause();
  }).detach();
}

}  // namespace assay::mutants
