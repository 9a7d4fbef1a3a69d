// What a call must not leave behind in the process: threads and file descriptors.
#pragma once

#include <map>
#include <string>

namespace assay {

/// The threads and file descriptors of this process, from /proc; empty where there is no such
/// thing.
struct ProcessResources {
  std::map<int, std::string> threads;      ///< by id: names
  std::map<int, std::string> descriptors;  ///< by number: what they are open on

  static ProcessResources current();
};

/// Takes the present state as that of the start of the process, which everything that is found
/// later is compared with. Workers do so before they run anything.
void note_process_start();

/// Looks after each call for what is there since the one before, or since the start of the process.
class ResourceWatch {
 public:
  /// A kernel that has threads of its own may start them in its first calls (`kFirstCalls`) and
  /// keep them.
  explicit ResourceWatch(bool own_threads);

  /// What has come since the last look (the first: since the start of the process), in words; empty
  /// if nothing has. Threads that are about to end are given time for it.
  std::string look();

  static constexpr int kFirstCalls = 3;

 private:
  bool own_threads_;
  int looks_ = 0;
  ProcessResources known_;
};

}  // namespace assay
