// What a call must not leave behind in the process: threads and file descriptors.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace assay {

/// The threads and file descriptors of this process, from /proc; empty where there is no such
/// thing.
struct ProcessResources {
  std::map<int, std::string> threads;      ///< by id: when they started
  std::map<int, std::string> descriptors;  ///< by number: what they are open on

  static ProcessResources current();
};

/// Takes the present state as that of the start of the process, which everything that is found
/// later is compared with. Workers do so before they run anything.
void note_process_start();

/// Looks after each call for what is there since the one before, or since the start of the process.
class ResourceWatch {
 public:
  ResourceWatch();

  /// What has come since the last look (the first: since the start of the process), in words; empty
  /// if nothing has. Threads that are about to end are given time for it. With `own_threads` the
  /// threads of a library that says it has some are let pass: from then on as many as there are
  /// now, or as there are processors, may come and go.
  std::string look(bool own_threads = false);

 private:
  std::size_t new_threads(const ProcessResources& now) const;

  ProcessResources known_;
  std::size_t allowed_threads_ = 0;  ///< 0: none but those that are known
};

/// Calls of the largest size in which a library may start the threads that it says it has; it may
/// keep them, and start no more.
inline constexpr int kCallsToStartThreads = 3;

}  // namespace assay
