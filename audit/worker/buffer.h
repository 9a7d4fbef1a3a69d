// Memory for tensors at chosen places: aligned, at an offset, or flush against a page that must not
// be touched.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "contracts/dtype.h"

namespace assay {

/// Pages between two inaccessible ones.
class GuardedPages {
 public:
  /// Room for at least `bytes`. Throws std::system_error when memory cannot be mapped.
  explicit GuardedPages(std::size_t bytes);
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;
  ~GuardedPages();

  unsigned char* begin() const { return begin_; }
  unsigned char* end() const { return begin_ + size_; }
  std::size_t size() const { return size_; }

  /// True when `address` lies in one of the two guard pages.
  bool guards(const void* address) const;
  bool contains(const void* address) const;

  /// Makes the inner pages read-only, or writable again.
  void set_writable(bool writable);

 private:
  unsigned char* base_ = nullptr;
  unsigned char* begin_ = nullptr;
  std::size_t size_ = 0;
};

/// Room to leave behind a tensor where bounds are not the question, so that a kernel that reads or
/// writes a little too far is judged by the claim about bounds and does not disturb other checks.
inline constexpr std::size_t kSlack = 4096;

/// A memory fault or other synchronous signal caught during a call.
struct CaughtSignal {
  int signal = 0;  ///< 0: none
  const void* address = nullptr;
  bool write = false;  ///< the access was a write, where the CPU says so
};

/// Runs `call`; SIGSEGV, SIGBUS, SIGILL and SIGFPE inside it end it and are returned. For a call of
/// foreign code with plain arguments only: whatever it held is not released.
CaughtSignal run_catching(const std::function<void()>& call);

/// n elements written to / read from a dense buffer.
void write_elements(void* to, const std::vector<Bits>& values, Dtype dtype);
std::vector<Bits> read_elements(const void* from, std::size_t n, Dtype dtype);

}  // namespace assay
